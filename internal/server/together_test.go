package server

import (
	"context"
	"database/sql"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/go-sql-driver/mysql"

	"tunic/internal/sandbox"
	"tunic/internal/waittest"
)

// TestTogether: a transaction that a definition of two tables waits for, because it has used
// the one, goes on to the other, as on a plain server; or the server ends it there (1213).
func TestTogether(t *testing.T) {
	throughAndDirectly(t, func(t *testing.T, db, root *sql.DB) {
		for _, used := range []string{"left", "right"} {
			mustExec(t, db, "CREATE TABLE `left` (id INT PRIMARY KEY COMMENT 'tunic: plain', v INT)", "CREATE TABLE `right` (id INT PRIMARY KEY COMMENT 'tunic: plain', v INT)",
				"INSERT INTO `left` VALUES (0, 1)", "INSERT INTO `right` VALUES (0, 2)")
			kept := goesOn(t, db, root, used, "RENAME TABLE `left` TO aside, `right` TO `left`, aside TO `right`")
			is(t, "what was left", textOf(t, db, "SELECT v FROM `right` WHERE id = 0"), "1")
			is(t, "rows of the transaction", textOf(t, db, "SELECT COUNT(*) FROM (SELECT id FROM `left` UNION ALL SELECT id FROM `right`) x WHERE id > 0"), map[bool]string{true: "2", false: "0"}[kept])
			goesOn(t, db, root, used, "DROP TABLE `left`, `right`")
		}
	})
}

// TestTogetherWithPlain: so it does where the table that it has used is a plain one, which the definition names beside a
// protected one, or to which a protected one refers.
func TestTogetherWithPlain(t *testing.T) {
	throughAndDirectly(t, func(t *testing.T, db, root *sql.DB) {
		const plain = " (id INT PRIMARY KEY COMMENT 'tunic: plain', v INT COMMENT 'tunic: plain')"
		for _, definition := range []string{
			"RENAME TABLE `left` TO aside, `right` TO `left`, aside TO `right`",
			"RENAME TABLE `right` TO aside, `left` TO `right`, aside TO `left`",
			"RENAME TABLE `right` TO aside, `left` TO other",
			"DROP TABLE `left`, `right`",
		} {
			mustExec(t, db, "CREATE TABLE `left`"+plain, "CREATE TABLE `right` (id INT PRIMARY KEY COMMENT 'tunic: plain', v INT)")
			goesOn(t, db, root, "left", definition)
			mustExec(t, db, "DROP TABLE IF EXISTS `left`, `right`, aside, other")
		}
	})
}

// TestTogetherWithFailed: so it does where the statement failed by which it has used the table, which the server keeps for
// it all the same.
func TestTogetherWithFailed(t *testing.T) {
	throughAndDirectly(t, func(t *testing.T, db, root *sql.DB) {
		for _, definition := range []string{"DROP TABLE t", "RENAME TABLE t TO aside", "ALTER TABLE t MODIFY id BIGINT COMMENT 'tunic: plain'"} {
			mustExec(t, db, "CREATE TABLE t (id INT PRIMARY KEY COMMENT 'tunic: plain', v INT)", "INSERT INTO t VALUES (1, 1)")
			goesOnAfter(t, db, root, definition, func(ctx context.Context, tx *sql.Tx) error {
				if _, err := tx.ExecContext(ctx, "INSERT INTO t VALUES (1, 3)"); !isNumbered(err, 1062) {
					t.Fatalf("a second row of a key: %v", err)
				}
				return nil
			}, "INSERT INTO t VALUES (8, 4)")
			mustExec(t, db, "DROP TABLE IF EXISTS t, aside")
		}
	})
}

// throughAndDirectly runs a test on both servers, with a client through tunic, and with root at the server.
func throughAndDirectly(t *testing.T, test func(t *testing.T, db, root *sql.DB)) {
	t.Helper()
	for _, flavor := range []sandbox.Flavor{sandbox.MariaDB, sandbox.MySQL} {
		t.Run(string(flavor), func(t *testing.T) {
			server, kek, cfg := protecting(t, flavor)
			proxy, _ := serveWith(t, cfg, kek)
			db := through(t, proxy.Addr().String())
			root := client(t, server.Addr, "root", "root", func(*mysql.Config) {})
			t.Cleanup(func() { _ = root.Close() })
			test(t, db, root)
		})
	}
}

// goesOn defines something while a transaction has used one of two tables, and then has that use
// the other one. It reports whether the transaction was kept.
func goesOn(t *testing.T, db, root *sql.DB, used, definition string) (kept bool) {
	t.Helper()
	next := "INSERT INTO `" + map[string]string{"left": "right", "right": "left"}[used] + "` VALUES (8, 4)"
	return goesOnAfter(t, db, root, definition, func(ctx context.Context, tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, "INSERT INTO `"+used+"` VALUES (7, 3)")
		return err
	}, next)
}

// goesOnAfter defines something while a transaction has done something, and then has that do the next.
func goesOnAfter(t *testing.T, db, root *sql.DB, definition string, do func(context.Context, *sql.Tx) error, next string) (kept bool) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = tx.Rollback() }()
	if err := do(ctx, tx); err != nil {
		t.Fatal(err)
	}
	defined := make(chan error, 1)
	go func() {
		_, err := db.ExecContext(ctx, definition)
		defined <- err
	}()
	waittest.Until(t, definition+" waits", func() bool { return waiting(t, root) })
	_, err = tx.ExecContext(ctx, next)
	said, ended := errors.AsType[*mysql.MySQLError](err)
	switch {
	case err == nil:
		kept = true
		err = tx.Commit()
	case ended && said.Number == 1213:
		err = tx.Rollback()
	}
	if err != nil {
		t.Fatalf("%s, and then %s: %v", definition, next, err)
	}
	if err := <-defined; err != nil {
		t.Fatalf("%s: %v", definition, err)
	}
	return kept
}

// waiting reports whether a definition waits for somebody's transaction.
func waiting(t *testing.T, root *sql.DB) bool {
	t.Helper()
	return strings.Contains(strings.Join(textOf(t, root, "SHOW PROCESSLIST"), "\n"), "Waiting for table metadata lock")
}
