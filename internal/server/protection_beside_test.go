package server

import (
	"database/sql"
	"errors"
	"fmt"
	"testing"

	"tunic/internal/config"
	"tunic/internal/sandbox"
)

// TestPlainTableChanges: a plain table beside a protected one is what it is when the
// statement runs, whoever has changed it, also for a statement that is prepared.
func TestPlainTableChanges(t *testing.T) {
	for _, flavor := range []sandbox.Flavor{sandbox.MariaDB, sandbox.MySQL} {
		t.Run(string(flavor), func(t *testing.T) {
			server, kek, cfg := protecting(t, flavor)
			cfg.Policy.Rules = []config.Rule{{Columns: "*.plain_*.*", Protection: "plain"}}
			proxy, _ := serveWith(t, cfg, kek)
			db := through(t, proxy.Addr().String())
			mustExec(t, db,
				"CREATE TABLE who (id INT PRIMARY KEY, town VARCHAR(20), n INT)", "INSERT INTO who VALUES (1, 'Rome', 5), (2, 'Bern', 7)",
				"CREATE TABLE plain_town (name VARCHAR(20), size INT)", "INSERT INTO plain_town VALUES ('rome', 28), ('Bern', 13)")
			root := client(t, server.Addr, "root", "root", nil)
			root.SetMaxOpenConns(1)
			t.Cleanup(func() { _ = root.Close() })
			const query = "SELECT t.size FROM who w JOIN plain_town t ON t.name = w.town WHERE w.n = ?"
			prepared, err := db.PrepareContext(t.Context(), query)
			if err != nil {
				t.Fatal(err)
			}
			is := func(when, want string) {
				t.Helper()
				for what, ask := range map[string]func() error{
					"text":     func() error { return expect(db.QueryRowContext(t.Context(), query, 5), want) },
					"prepared": func() error { return expect(prepared.QueryRowContext(t.Context(), 5), want) },
				} {
					if err := ask(); err != nil {
						t.Errorf("%s, %s: %v", when, what, err)
					}
				}
			}
			is("at first", "28")
			mustExec(t, root, "ALTER TABLE test.plain_town MODIFY size VARCHAR(20)", "UPDATE test.plain_town SET size = 'big' WHERE size = '28'", "SET sql_mode = ''")
			is("after another type", "big")
			mustExec(t, root, "ALTER TABLE test.plain_town MODIFY size INT UNSIGNED NOT NULL FIRST") // which holds no 'big'
			is("after another place", "0")
			mustExec(t, root, "RENAME TABLE test.plain_town TO test.plain_other", "CREATE VIEW test.plain_town AS SELECT 3 AS size, name FROM test.plain_other")
			is("after a view has taken its place", "3")
		})
	}
}

// expect compares the one value of a query, "none" without a row.
func expect(row *sql.Row, want string) error {
	got := "none"
	if err := row.Scan(&got); err != nil && !errors.Is(err, sql.ErrNoRows) {
		return err
	}
	if got != want {
		return fmt.Errorf("%s, want %s", got, want)
	}
	return nil
}
