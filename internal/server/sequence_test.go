package server

import (
	"strings"
	"testing"

	"github.com/go-sql-driver/mysql"

	"tunic/internal/config"
	"tunic/internal/racetest"
	"tunic/internal/sandbox"
)

// TestSequenceTakesNoTable: no account puts a sequence in the place of a protected table or of one of the ledger's, nor reaches
// the ledger from within its schema; sequences of other names are the server's, whatever the policy protects.
func TestSequenceTakesNoTable(t *testing.T) {
	racetest.InOrder(t)
	server, kek, cfg := protecting(t, sandbox.MariaDB)
	cfg.Clients.Others = config.OthersPlain
	cfg.Clients.Accounts = []config.ClientAccount{{User: "app", Host: "*"}}
	proxy, _ := serveWith(t, cfg, kek)
	root := client(t, server.Addr, "root", "root", nil)
	t.Cleanup(func() { _ = root.Close() })
	mustExec(t, root, "CREATE USER evil IDENTIFIED BY 'evil'", "GRANT ALL ON *.* TO evil")
	app := client(t, proxy.Addr().String(), "app", "app", func(c *mysql.Config) { c.DBName = "test" })
	t.Cleanup(func() { _ = app.Close() })
	mustExec(t, app, "CREATE TABLE kept (id INT PRIMARY KEY, name VARCHAR(20))", "INSERT INTO kept VALUES (1, 'a')", "CREATE VIEW shown AS SELECT name FROM kept")
	for _, user := range []string{"app", "evil"} {
		db := client(t, proxy.Addr().String(), user, user, func(c *mysql.Config) { c.DBName, c.MultiStatements = "test", true })
		db.SetMaxOpenConns(1)
		t.Cleanup(func() { _ = db.Close() })
		for _, text := range []string{
			"CREATE OR REPLACE SEQUENCE kept", "CREATE OR REPLACE SEQUENCE shown", "CREATE TEMPORARY SEQUENCE kept", "DROP SEQUENCE kept", "ALTER SEQUENCE test.kept RESTART",
			"BEGIN NOT ATOMIC CREATE OR REPLACE SEQUENCE kept; END", "EXECUTE IMMEDIATE 'CREATE OR REPLACE SEQUENCE kept'", "DO 1; CREATE OR REPLACE SEQUENCE kept",
			"/*M!100300 CREATE OR REPLACE SEQUENCE kept */", "CREATE PROCEDURE p() CREATE OR REPLACE SEQUENCE kept", "CREATE OR REPLACE SEQUENCE _tunic.object",
		} {
			for _, prepared := range []bool{false, true} {
				if err := called(t, db, text, prepared); err == nil || !strings.Contains(err.Error(), "TUNIC-") && !prepared {
					t.Errorf("%s, %s, prepared %t: %v", user, text, prepared, err)
				}
			}
		}
		mustExec(t, db, "CREATE SEQUENCE numbers", "CREATE OR REPLACE SEQUENCE numbers START WITH 7", "DO NEXTVAL(numbers)", "ALTER SEQUENCE numbers RESTART", "DROP SEQUENCE numbers", "USE _tunic")
		for _, text := range []string{"CREATE OR REPLACE SEQUENCE object", "DELETE FROM quiesce", "BEGIN NOT ATOMIC DELETE FROM quiesce; END", "CREATE VIEW v AS SELECT 1"} {
			if err := called(t, db, text, false); err == nil || !strings.Contains(err.Error(), "TUNIC-2051") {
				t.Errorf("%s within the schema: %v", text, err)
			}
		}
	}
	var name string
	if err := app.QueryRowContext(t.Context(), "SELECT name FROM kept").Scan(&name); err != nil || name != "a" {
		t.Errorf("%q, %v", name, err)
	}
}
