package server

import (
	"database/sql"
	"fmt"
	"strings"

	"github.com/go-sql-driver/mysql"

	"tunic/internal/config"
)

// tokenMoved gives a row the token of another one.
func (a *attack) tokenMoved() {
	a.t.Helper()
	var column string
	err := a.root.QueryRowContext(a.t.Context(), "SELECT COLUMN_NAME FROM information_schema.COLUMNS WHERE TABLE_SCHEMA = 'test' AND TABLE_NAME = 'person' AND COLUMN_NAME LIKE 'name$%'").Scan(&column)
	if err != nil {
		a.t.Fatal(err)
	}
	mustExec(a.t, a.root, "UPDATE person a JOIN person b ON b.id = 2 SET a.`"+column+"` = b.`"+column+"` WHERE a.id = 1")
	for _, text := range []string{
		"SELECT name FROM person WHERE name = 'bob kanari'",
		"SELECT * FROM person WHERE id > 0 AND name IN ('zoe kanari', 'bob kanari')",
		"SELECT UPPER(name) FROM person WHERE name = 'bob kanari' AND id < 9",
		"SELECT a.name, b.note FROM person a JOIN person b ON b.id = a.id WHERE a.name = 'bob kanari'",
		"UPDATE person SET name = CONCAT(name, 'x') WHERE name = 'bob kanari'",
	} {
		a.refused("a token moved", a.app, text, "TUNIC-7006")
	}
	for _, text := range []string{
		"SELECT name FROM person WHERE name = 'BOB kanari' AND id = 2", "SELECT name FROM person WHERE name IN ('x', 'Bob kanari', 'y') AND id = 2",
		"SELECT note FROM person WHERE name = 'bob kanari' OR id = 1", "SELECT MIN(name) FROM person WHERE name = 'nobody'",
	} {
		for _, prepared := range []bool{false, true} {
			a.believed("a token of its value", a.app, text, prepared)
		}
	}
	mustExec(a.t, a.app, "UPDATE person SET name = 'alice kanari' WHERE id = 1")
}

// believed has a statement answered: what the enemy has done is not noticed, as
// docs/security.md says.
func (a *attack) believed(what string, db *sql.DB, text string, prepared bool) {
	a.t.Helper()
	if err := called(a.t, db, text, prepared); err != nil {
		a.t.Errorf("%s: %s, prepared %t: %v; docs/security.md says otherwise", what, text, prepared, err)
	}
}

// accountMade logs in with an account that the owner of the server has made.
func (a *attack) accountMade() {
	a.t.Helper()
	mustExec(a.t, a.root, "CREATE USER evil IDENTIFIED BY 'evil'", "GRANT ALL ON *.* TO evil")
	evil := client(a.t, a.proxy.Addr().String(), "evil", "evil", func(c *mysql.Config) { c.DBName = "test" })
	defer evil.Close()
	a.believed("an account of the enemy's", evil, "SELECT name FROM person", false)
	for others, code := range map[config.ClientOthers]string{config.OthersRefuse: "TUNIC-6005", config.OthersPlain: "TUNIC-6006"} {
		listed := *a.cfg
		listed.Project.StateFile = ""
		listed.Clients = config.Clients{Accounts: []config.ClientAccount{{User: "app", Host: "*"}}, Others: others}
		proxy, stop := serveKnown(a.t, &listed, a.kek)
		evil := client(a.t, proxy.Addr().String(), "evil", "evil", func(c *mysql.Config) { c.DBName = "test" })
		a.refused("an account of the enemy's that is not listed", evil, "SELECT name FROM person", code)
		_ = evil.Close()
		stop()
	}
}

// tableReplaced puts a plain table in the place of a protected one, before a running tunic and
// before one that starts.
func (a *attack) tableReplaced() {
	a.t.Helper()
	mustExec(a.t, a.root, "RENAME TABLE person TO aside", "CREATE TABLE person (id INT PRIMARY KEY, name VARCHAR(40), note VARCHAR(40), KEY (name))")
	for range 2 {
		for _, prepared := range []bool{false, true} {
			for _, text := range []string{"INSERT INTO person VALUES (9, 'nora kanari', 'nine kanari')", "UPDATE person SET note = 'x kanari' WHERE name = 'y kanari'", "SELECT id FROM person WHERE name = 'z kanari'"} {
				wantNumber(a.t, called(a.t, a.app, text, prepared), 1054) // the columns of a protected table are not there
			}
		}
		a.stop()
		a.serve()
	}
	mustExec(a.t, a.root, "DROP TABLE person", "RENAME TABLE aside TO person")
}

// ofLedger are the tables of a ledger that say what there is.
var ofLedger = []string{"project", "master", "object", "journal", "job"}

// ledgerRolledBack puts back the ledger of before a table.
func (a *attack) ledgerRolledBack() {
	a.t.Helper()
	mustExec(a.t, a.root, "CREATE DATABASE kept")
	for _, table := range ofLedger {
		mustExec(a.t, a.root, fmt.Sprintf("CREATE TABLE kept.%[1]s AS SELECT * FROM _tunic.%[1]s", table))
	}
	mustExec(a.t, a.app, "CREATE TABLE second (id INT PRIMARY KEY COMMENT 'tunic: plain', name VARCHAR(40))")
	for _, table := range ofLedger {
		mustExec(a.t, a.root, "DELETE FROM _tunic."+table, fmt.Sprintf("INSERT INTO _tunic.%[1]s SELECT * FROM kept.%[1]s", table))
	}
	a.running("an older ledger")
	a.stop()
	wantStart(a.t, "an older ledger", a.starts(), 1610)
}

// running has a running tunic, whose ledger was taken away, write no value: it knows the table, or
// refuses what names it.
func (a *attack) running(what string) {
	a.t.Helper()
	for id, prepared := range []bool{false, true} {
		err := called(a.t, a.app, fmt.Sprintf("INSERT INTO second VALUES (%d, 'olga kanari')", id), prepared)
		if err != nil && !strings.Contains(err.Error(), "TUNIC-") {
			a.t.Errorf("%s: %v", what, err)
		}
	}
}

// ledgerDropped drops the ledger.
func (a *attack) ledgerDropped() {
	a.t.Helper()
	a.cfg.Project.StateFile = ""
	a.serve()
	mustExec(a.t, a.root, "DROP DATABASE _tunic")
	a.running("no ledger")
	a.stop()
	wantStart(a.t, "no ledger", a.starts(), 1608)
	other := *a.cfg
	other.Project.ID = [16]byte{}
	wantStart(a.t, "a new ledger beside stored tables", tryInit(a.t, &other, a.kek), 1613)
	for _, table := range []string{"person", "second"} { // as an enemy can
		mustExec(a.t, a.root, "ALTER TABLE test."+table+" COMMENT = ''")
	}
	initLedger(a.t, &other, a.kek)
	wantStart(a.t, "a ledger of the enemy's", a.starts(), 1609)
}
