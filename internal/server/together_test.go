package server

import (
	"context"
	"database/sql"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/go-sql-driver/mysql"

	"tunic/internal/config"
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

// TestTogetherWithReferred: so it does where the definition is of a protected table alone, and the server keeps what a foreign key
// refers to, or what refers to it, from changes as well: MariaDB the one, MySQL the other, and both where a key comes.
func TestTogetherWithReferred(t *testing.T) {
	throughAndDirectly(t, func(t *testing.T, db, root *sql.DB) {
		const (
			plain     = " (id INT PRIMARY KEY COMMENT 'tunic: plain', v INT COMMENT 'tunic: plain')"
			protected = " (id INT PRIMARY KEY COMMENT 'tunic: plain', v INT)"
			child     = " (id INT PRIMARY KEY COMMENT 'tunic: plain', v INT, p INT COMMENT 'tunic: plain', FOREIGN KEY f (p) REFERENCES `left`(id))"
			referring = " (id INT PRIMARY KEY COMMENT 'tunic: plain', v INT COMMENT 'tunic: plain', FOREIGN KEY f (v) REFERENCES `right`(id))"
		)
		cases := []struct{ left, right, definition string }{
			{plain, child, "ALTER TABLE `right` ADD COLUMN w INT"},
			{plain, child, "ALTER TABLE `right` DROP FOREIGN KEY f"},
			{plain, child, "CREATE INDEX i ON `right` (v)"},
			{protected, child, "ALTER TABLE `right` MODIFY v BIGINT"},
		}
		if !strings.Contains(strings.Join(textOf(t, root, "SELECT VERSION()"), ""), "MariaDB") {
			cases = []struct{ left, right, definition string }{
				{referring, protected, "ALTER TABLE `right` ADD COLUMN w INT"},
				{referring, protected, "ALTER TABLE `right` MODIFY v BIGINT"},
				{protected, protected, "ALTER TABLE `right` ADD FOREIGN KEY g (id) REFERENCES `left`(id)"},
			}
		}
		conn, err := db.Conn(t.Context()) // a table that refers to another one may come before it
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = conn.Close() }()
		for _, c := range cases {
			for _, text := range []string{"SET foreign_key_checks = 0", "CREATE TABLE `left`" + c.left, "CREATE TABLE `right`" + c.right} {
				if _, err := conn.ExecContext(t.Context(), text); err != nil {
					t.Fatal(err)
				}
			}
			goesOnAfter(t, db, root, c.definition, func(ctx context.Context, tx *sql.Tx) error {
				return errors.Join(doneBy(tx.ExecContext(ctx, "SET foreign_key_checks = 0")), doneBy(tx.ExecContext(ctx, "INSERT INTO `left` (id) VALUES (7)")))
			}, "INSERT INTO `right` (id) VALUES (7)")
			if err := doneBy(conn.ExecContext(t.Context(), "DROP TABLE `left`, `right`")); err != nil {
				t.Fatal(err)
			}
		}
	})
}

// TestTogetherSkipped: where the server answers no question about a plain table, since a definition has it and waits for the
// transaction, the client is told what servers say of a lock.
func TestTogetherSkipped(t *testing.T) {
	throughAndDirectly(t, func(t *testing.T, db, root *sql.DB) {
		mustExec(t, db, "CREATE TABLE `left` (id INT PRIMARY KEY COMMENT 'tunic: plain', v INT COMMENT 'tunic: plain')",
			"CREATE TABLE `right` (id INT PRIMARY KEY COMMENT 'tunic: plain', v INT)")
		err := meanwhile(t, db, root, "DROP TABLE `left`, `right`", func(ctx context.Context, tx *sql.Tx) error {
			return doneBy(tx.ExecContext(ctx, "INSERT INTO `right` VALUES (7, 3)"))
		}, "INSERT INTO `left` VALUES (8, 4)")
		if !isNumbered(err, 1205) && !isNumbered(err, 1213) {
			t.Fatalf("a table that is being dropped: %v", err)
		}
	})
}

// TestSkippedIsNotGuarded: a text that may name a guarded table is refused where the server leaves that out of its answer, for
// the same reason.
func TestSkippedIsNotGuarded(t *testing.T) {
	for _, flavor := range []sandbox.Flavor{sandbox.MariaDB, sandbox.MySQL} {
		t.Run(string(flavor), func(t *testing.T) {
			server, kek, cfg := protecting(t, flavor)
			cfg.Policy.Default = config.PolicyPlain
			cfg.Policy.Rules = []config.Rule{{Columns: "test.*.ssn", Protection: "equality"}}
			proxy, _ := serveWith(t, cfg, kek)
			db := through(t, proxy.Addr().String())
			root := client(t, server.Addr, "root", "root", nil)
			t.Cleanup(func() { _ = root.Close() })
			mustExec(t, db, "CREATE TABLE free (id INT PRIMARY KEY)")
			mustExec(t, root, "CREATE TABLE test.bare (id INT PRIMARY KEY, ssn VARCHAR(20))")
			tx, err := db.BeginTx(t.Context(), nil)
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = tx.Rollback() }()
			if err := doneBy(tx.ExecContext(t.Context(), "INSERT INTO free VALUES (1)")); err != nil {
				t.Fatal(err)
			}
			defined := make(chan error, 1)
			go func() {
				defined <- doneBy(root.ExecContext(t.Context(), "RENAME TABLE test.bare TO test.other, test.free TO test.aside"))
			}()
			waittest.Until(t, "the definition waits", func() bool { return waiting(t, root) })
			if err := doneBy(tx.ExecContext(t.Context(), "DO (SELECT MAX(id) FROM bare WHERE ssn = 'canary')")); !isNumbered(err, 1205) {
				wantPlain(t, "a guarded table that is being renamed", err)
			}
			if err := errors.Join(tx.Rollback(), <-defined); err != nil {
				t.Fatal(err)
			}
		})
	}
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
		return doneBy(tx.ExecContext(ctx, "INSERT INTO `"+used+"` VALUES (7, 3)"))
	}, next)
}

// goesOnAfter defines something while a transaction has done something, and then has that do the next.
func goesOnAfter(t *testing.T, db, root *sql.DB, definition string, do func(context.Context, *sql.Tx) error, next string) (kept bool) {
	t.Helper()
	err := meanwhile(t, db, root, definition, do, next)
	if err != nil && !isNumbered(err, 1213) {
		t.Fatalf("%s, and then %s: %v", definition, next, err)
	}
	return err == nil
}

// meanwhile defines something while a transaction has done something, and is what that is then told of the next. It is committed
// if it can be.
func meanwhile(t *testing.T, db, root *sql.DB, definition string, do func(context.Context, *sql.Tx) error, next string) (told error) {
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
	go func() { defined <- doneBy(db.ExecContext(ctx, definition)) }()
	waittest.Until(t, definition+" waits", func() bool { return waiting(t, root) })
	told = doneBy(tx.ExecContext(ctx, next))
	end := tx.Commit
	if told != nil {
		end = tx.Rollback
	}
	if err := end(); err != nil {
		t.Fatalf("%s, and then %s: %v, %v", definition, next, told, err)
	}
	if err := <-defined; err != nil {
		t.Fatalf("%s: %v", definition, err)
	}
	return told
}

// doneBy is the error of a statement.
func doneBy(_ sql.Result, err error) error { return err }

// waiting reports whether a definition waits for somebody's transaction.
func waiting(t *testing.T, root *sql.DB) bool {
	t.Helper()
	return strings.Contains(strings.Join(textOf(t, root, "SHOW PROCESSLIST"), "\n"), "Waiting for table metadata lock")
}
