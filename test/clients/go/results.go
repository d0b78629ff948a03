package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/go-sql-driver/mysql"
)

func multi(c *mysql.Config) { c.MultiStatements = true }

var errorChecks = []check{
	{"error.text", with(errorText)},
	{"error.prepared", with(errorPrepared)},
}

var resultChecks = []check{
	{"result.affected_rows", with(affectedRows("affected", 1))},
	{"result.found_rows", with(affectedRows("found", 3), func(c *mysql.Config) { c.ClientFoundRows = true })},
	{"result.last_insert_id", with(lastInsertID)},
	{"result.warnings", with(warnings)},
	{"result.metadata", with(metadata)},
	{"multi.statements", with(multiStatements, multi)},
	{"multi.results", with(multiResults, multi)},
	{"multi.out_params", with(outParams)},
}

func errorText(ctx context.Context, s *session) error {
	err := s.exec(ctx, "CREATE TABLE error_text (id INT PRIMARY KEY)", "INSERT INTO error_text VALUES (1)")
	if err != nil {
		return err
	}
	return errors.Join(
		wantError(s.exec(ctx, "INSERT INTO error_text VALUES (1)"), 1062, "23000"),
		wantError(s.exec(ctx, "SELEKT 1"), 1064, "42000"),
		wantError(s.exec(ctx, "SELECT * FROM no_such_table"), 1146, "42S02"),
		selectOne(ctx, s))
}

func errorPrepared(ctx context.Context, s *session) error {
	if err := s.exec(ctx, "CREATE TABLE error_prepared (id INT PRIMARY KEY)"); err != nil {
		return err
	}
	insert, err := s.PrepareContext(ctx, "INSERT INTO error_prepared VALUES (?)")
	if err != nil {
		return err
	}
	defer insert.Close()
	_, first := insert.ExecContext(ctx, 1)
	_, again := insert.ExecContext(ctx, 1)
	_, syntax := s.PrepareContext(ctx, "SELEKT ?")
	_, table := s.PrepareContext(ctx, "SELECT ? FROM no_such_table")
	_, after := insert.ExecContext(ctx, 2)
	return errors.Join(first, wantError(again, 1062, "23000"), wantError(syntax, 1064, "42000"),
		wantError(table, 1146, "42S02"), after)
}

// affectedRows checks INSERT of three rows and an UPDATE that matches three and
// changes one, of which the client wants to be told updated.
func affectedRows(table string, updated int64) func(context.Context, *session) error {
	return func(ctx context.Context, s *session) error {
		if err := s.exec(ctx, "CREATE TABLE "+table+" (id INT PRIMARY KEY, v INT)"); err != nil {
			return err
		}
		for _, step := range []struct {
			statement string
			want      int64
		}{
			{"INSERT INTO " + table + " VALUES (1, 0), (2, 7), (3, 7)", 3},
			{"UPDATE " + table + " SET v = 7", updated},
			{"DELETE FROM " + table + " WHERE id > 1", 2},
		} {
			res, err := s.ExecContext(ctx, step.statement)
			if err != nil {
				return err
			}
			got, _ := res.RowsAffected()
			if err := equal(step.statement, got, step.want); err != nil {
				return err
			}
		}
		return nil
	}
}

func lastInsertID(ctx context.Context, s *session) error {
	if err := s.exec(ctx, "CREATE TABLE inserts (id BIGINT UNSIGNED AUTO_INCREMENT PRIMARY KEY, v INT) AUTO_INCREMENT = 4000000000"); err != nil {
		return err
	}
	for i, statement := range []string{
		"INSERT INTO inserts (v) VALUES (1)", "INSERT INTO inserts (v) VALUES (2), (3), (4)", "INSERT INTO inserts (v) VALUES (5)",
	} {
		res, err := s.ExecContext(ctx, statement)
		if err != nil {
			return err
		}
		got, _ := res.LastInsertId()
		if err := equal(statement, got, []int64{4000000000, 4000000001, 4000000004}[i]); err != nil {
			return err
		}
	}
	return s.expect(ctx, "4000000004", "SELECT LAST_INSERT_ID()")
}

func warnings(ctx context.Context, s *session) error {
	err := s.exec(ctx, "CREATE TABLE warned (v TINYINT)", "SET sql_mode = ''", "INSERT INTO warned VALUES (300), (1), (-300)")
	if err != nil {
		return err
	}
	var level, message string
	var code int
	if err := s.QueryRowContext(ctx, "SHOW WARNINGS").Scan(&level, &code, &message); err != nil {
		return err
	}
	if level != "Warning" || code != 1264 || !strings.Contains(message, "'v' at row 1") {
		return fmt.Errorf("got %s %d %s", level, code, message)
	}
	return s.expect(ctx, "2", "SELECT @@warning_count")
}

func metadata(ctx context.Context, s *session) error {
	err := s.exec(ctx, "CREATE TABLE described (id BIGINT UNSIGNED NOT NULL PRIMARY KEY, name VARCHAR(30), price DECIMAL(12,4))")
	if err != nil {
		return err
	}
	rows, err := s.QueryContext(ctx, "SELECT id, name AS `an alias`, price, id + 1 FROM described")
	if err != nil {
		return err
	}
	defer rows.Close()
	columns, err := rows.ColumnTypes()
	if err != nil {
		return err
	}
	var got []string
	for _, c := range columns {
		precision, scale, _ := c.DecimalSize()
		nullable, _ := c.Nullable()
		got = append(got, fmt.Sprint(c.Name(), " ", c.DatabaseTypeName(), " ", precision, " ", scale, " ", nullable))
	}
	return equal("columns", strings.Join(got[:3], ", "),
		"id UNSIGNED BIGINT 0 0 false, an alias VARCHAR 0 0 true, price DECIMAL 12 4 true")
}

func multiStatements(ctx context.Context, s *session) error {
	if err := s.exec(ctx, "CREATE TABLE multi (id INT PRIMARY KEY)"); err != nil {
		return err
	}
	rows, err := s.QueryContext(ctx, "SELECT 1; INSERT INTO multi VALUES (1), (2); SELECT COUNT(*) FROM multi; SELECT 'last'")
	if err != nil {
		return err
	}
	defer rows.Close()
	var got []string
	for more := true; more; more = rows.NextResultSet() {
		for rows.Next() {
			var v string
			if err := rows.Scan(&v); err != nil {
				return err
			}
			got = append(got, v)
		}
	}
	if err := errors.Join(rows.Err(), equal("results", strings.Join(got, " "), "1 2 last")); err != nil {
		return err
	}
	failed := s.exec(ctx, "INSERT INTO multi VALUES (3); INSERT INTO multi VALUES (3); INSERT INTO multi VALUES (4)")
	return errors.Join(wantError(failed, 1062, "23000"), s.expect(ctx, "1 2 3", "SELECT GROUP_CONCAT(id ORDER BY id SEPARATOR ' ') FROM multi"))
}

func multiResults(ctx context.Context, s *session) error {
	err := s.exec(ctx, "CREATE PROCEDURE two_results(n INT) BEGIN SELECT n; SELECT n + 1, 'two'; END")
	if err != nil {
		return err
	}
	for _, call := range []struct {
		text string
		args []any
	}{{"CALL two_results(7)", nil}, {"CALL two_results(?)", []any{7}}} {
		rows, err := s.QueryContext(ctx, call.text, call.args...)
		if err != nil {
			return err
		}
		var columns []string
		for more := true; more; more = rows.NextResultSet() {
			names, _ := rows.Columns()
			for rows.Next() {
				columns = append(columns, strings.Join(names, "+"))
			}
		}
		err = errors.Join(rows.Err(), rows.Close(), equal("results", strings.Join(columns, ", "), "n, n + 1+two"))
		if err != nil {
			return err
		}
	}
	return selectOne(ctx, s)
}

func outParams(ctx context.Context, s *session) error {
	err := s.exec(ctx, "CREATE PROCEDURE out_params(IN a INT, OUT b VARCHAR(20), INOUT c INT) BEGIN SET b = CONCAT('b', a), c = c + a; END",
		"SET @c = 40", "CALL out_params(2, @b, @c)")
	if err != nil {
		return err
	}
	return s.expect(ctx, "b2 42", "SELECT CONCAT(@b, ' ', @c)")
}
