package server

import (
	"database/sql"
	"strings"
	"sync"
	"testing"
	"time"

	"tunic/internal/sandbox"
	"tunic/internal/sqlerr"
)

// TestReadOnlyServer: while a server takes no writes, for longer than a lease lasts, protected
// tables are read through tunic, writes are answered with the server's own error, and tunic goes on when it takes them again.
func TestReadOnlyServer(t *testing.T) {
	for _, flavor := range []sandbox.Flavor{sandbox.MariaDB, sandbox.MySQL} {
		t.Run(string(flavor), func(t *testing.T) {
			server, kek, cfg := protecting(t, flavor)
			only := "super_read_only"
			if flavor == sandbox.MariaDB {
				only = "read_only" // which an account passes that may
				if err := server.Exec(t.Context(), "REVOKE READ ONLY ADMIN ON *.* FROM "+sandbox.ServiceUser); err != nil {
					t.Fatal(err)
				}
			}
			proxy, _ := serveWith(t, cfg, kek)
			db := through(t, proxy.Addr().String())
			mustExec(t, db, "CREATE TABLE kept (id INT PRIMARY KEY, n INT)", "INSERT INTO kept VALUES (1, 2)")
			if err := server.Exec(t.Context(), "CREATE TABLE test.free (id INT PRIMARY KEY, n INT)"); err != nil {
				t.Fatal(err)
			}
			ways := waysTo(t, db, "SELECT n FROM free WHERE id = 1", "kept")
			if err := server.Exec(t.Context(), "SET GLOBAL "+only+" = 1"); err != nil {
				t.Fatal(err)
			}
			const longerThanALease = 5 * time.Second
			for end := time.Now().Add(longerThanALease); time.Now().Before(end); time.Sleep(100 * time.Millisecond) {
				is(t, "rows", textOf(t, db, "SELECT n FROM kept WHERE n = 2"), "2")
				is(t, "columns", textOf(t, db, "SELECT DATA_TYPE FROM information_schema.COLUMNS WHERE TABLE_NAME = 'kept' AND COLUMN_NAME = 'n'"), "int")
				failsAs(t, db, 1290, "", "UPDATE kept SET n = 3 WHERE id = 1")
				failsAs(t, db, 1290, "", "INSERT INTO kept VALUES (2, 3)")
			}
			failsAs(t, db, 1290, "", "CREATE TABLE later (id INT PRIMARY KEY, n INT)")
			failsAs(t, db, 1290, "", "ALTER TABLE kept ADD COLUMN m INT")
			var asked sync.WaitGroup
			for way, ask := range ways {
				asked.Go(func() {
					if err := ask(); err == nil || !strings.Contains(err.Error(), sqlerr.LedgerLost().Code.String()) {
						t.Errorf("a plain table that another tunic may have protected, %s: %v", way, err)
					}
				})
			}
			asked.Wait()
			if err := server.Exec(t.Context(), "SET GLOBAL read_only = 0"); err != nil {
				t.Fatal(err)
			}
			mustExec(t, db, "INSERT INTO kept VALUES (2, 3)", "CREATE TABLE later (id INT PRIMARY KEY, n INT)", "INSERT INTO later SELECT id, n FROM kept")
			for way, ask := range ways {
				if err := ask(); err != nil {
					t.Errorf("%s: %v", way, err)
				}
			}
		})
	}
}

// waysTo are the ways in which a client has a query of a plain table done, alone and beside a protected one, all but the text
// prepared now. Each has been gone once.
func waysTo(t *testing.T, db *sql.DB, query, protected string) map[string]func() error {
	t.Helper()
	beside := query + " AND n IN (SELECT n FROM " + protected + ")"
	ways := map[string]func() error{}
	for name, text := range map[string]string{
		"a text":              query,
		"a text with a query": "SET @v = (" + query + ")",
		"a text beside":       beside,
	} {
		ways[name] = func() error {
			_, err := db.ExecContext(t.Context(), text)
			return err
		}
	}
	for name, text := range map[string]string{"prepared": query, "prepared, beside": beside} {
		st, err := db.PrepareContext(t.Context(), text)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = st.Close() })
		ways[name] = func() error {
			rows, err := st.QueryContext(t.Context()) // the driver's Exec waits for ever for columns that MariaDB does not repeat
			if err == nil {
				linesOf(t, rows)
			}
			return err
		}
	}
	conn, err := db.Conn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	if _, err := conn.ExecContext(t.Context(), "PREPARE s FROM '"+query+"'"); err != nil {
		t.Fatal(err)
	}
	ways["by name"] = func() error {
		_, err := conn.ExecContext(t.Context(), "EXECUTE s")
		return err
	}
	for name, ask := range ways {
		if err := ask(); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
	}
	return ways
}
