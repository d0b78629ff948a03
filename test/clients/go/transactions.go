package main

import (
	"context"
	"database/sql"
	"errors"
)

var transactionChecks = []check{
	{"tx.commit", withTwo(txCommit)},
	{"tx.rollback", with(txRollback)},
	{"tx.savepoint", with(txSavepoint)},
	{"tx.isolation", withTwo(txIsolation)},
}

func txCommit(ctx context.Context, one, two *session) error {
	if err := one.exec(ctx, "CREATE TABLE tx_commit (id INT PRIMARY KEY)"); err != nil {
		return err
	}
	tx, err := one.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, "INSERT INTO tx_commit VALUES (1)")
	return errors.Join(err,
		two.expect(ctx, "0", "SELECT COUNT(*) FROM tx_commit"),
		tx.Commit(),
		two.expect(ctx, "1", "SELECT COUNT(*) FROM tx_commit"))
}

func txRollback(ctx context.Context, s *session) error {
	if err := s.exec(ctx, "CREATE TABLE tx_rollback (id INT PRIMARY KEY)"); err != nil {
		return err
	}
	tx, err := s.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, "INSERT INTO tx_rollback VALUES (?)", 1)
	return errors.Join(err, tx.Rollback(), s.expect(ctx, "0", "SELECT COUNT(*) FROM tx_rollback"))
}

func txSavepoint(ctx context.Context, s *session) error {
	err := s.exec(ctx, "CREATE TABLE tx_savepoint (id INT PRIMARY KEY)", "START TRANSACTION",
		"INSERT INTO tx_savepoint VALUES (1)", "SAVEPOINT here", "INSERT INTO tx_savepoint VALUES (2)",
		"ROLLBACK TO SAVEPOINT here", "RELEASE SAVEPOINT here", "COMMIT")
	if err != nil {
		return err
	}
	return s.expect(ctx, "1", "SELECT SUM(id) FROM tx_savepoint")
}

func txIsolation(ctx context.Context, one, two *session) error {
	if err := one.exec(ctx, "CREATE TABLE tx_isolation (id INT PRIMARY KEY)"); err != nil {
		return err
	}
	for _, level := range []struct {
		isolation     sql.IsolationLevel
		before, after string
	}{{sql.LevelReadCommitted, "0", "1"}, {sql.LevelRepeatableRead, "1", "1"}} {
		tx, err := one.BeginTx(ctx, &sql.TxOptions{Isolation: level.isolation})
		if err != nil {
			return err
		}
		var before, after string
		err = errors.Join(
			tx.QueryRowContext(ctx, "SELECT COUNT(*) FROM tx_isolation").Scan(&before),
			two.exec(ctx, "INSERT INTO tx_isolation SELECT COUNT(*) FROM tx_isolation"),
			tx.QueryRowContext(ctx, "SELECT COUNT(*) FROM tx_isolation").Scan(&after),
			tx.Commit(), equal("before", before, level.before), equal(level.isolation.String(), after, level.after))
		if err != nil {
			return err
		}
	}
	return nil
}
