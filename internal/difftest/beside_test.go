package difftest

import (
	"database/sql"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tunic/internal/sandbox"
)

// besides is a policy under which every table of the corpus is plain, and others are
// not: tunic has to know each time that a statement touches none of these.
var besides = &Policy{Name: "beside", Settings: "[policy]\ndefault = \"plain\"\n" + ruleLines("*.vault*.*", "equality")}

// vaults make a protected table that no statement of the corpus names.
var vaults = []string{
	"CREATE DATABASE IF NOT EXISTS vaults",
	"DROP TABLE IF EXISTS vaults.vault",
	"CREATE TABLE vaults.vault (pk INT PRIMARY KEY, a VARCHAR(20), b DECIMAL(10,2))",
	"INSERT INTO vaults.vault VALUES (1, 'kept', 2.50)",
}

// TestPlainBesideProtected runs the corpus of plain tables beside protected ones: all of
// it is answered as the plain server does, and none of it is refused.
func TestPlainBesideProtected(t *testing.T) {
	for _, flavor := range flavors {
		t.Run(flavor, func(t *testing.T) {
			t.Parallel()
			pair, pins := startPair(t, flavor), loadPins(t, "pins-beside.txt")
			own := len(pins.List)
			pins.List = slices.Concat(pins.List, loadPins(t, "pins.txt").List)
			proxied := protecting(t, pair.servers[1], besides, sandbox.TunicOptions{})
			prepareThrough(t, proxied.Target, vaults)
			counted := &Protected{Policy: besides, Refusals: Allowance{}, Accounts: true}
			r := &Runner{Flavor: flavor, Direct: pair.direct(0), Proxied: proxied, Pins: pins, Protected: counted}
			check(t, run(t, r, corpus(t), configs(t, "text", "prepared")))
			// What has the key of a cipher in it, and is not all computed here, is kept from
			// the server whatever it touches. A text that is computed may come to any statement.
			counted.Refused = slices.DeleteFunc(counted.Refused, func(s string) bool {
				return strings.Contains(s, "AES_ENCRYPT(") || strings.Contains(s, "EXECUTE IMMEDIATE CONCAT(")
			})
			if len(counted.Refused) > 0 {
				t.Errorf("%d statements that touch only plain tables are refused, there are to be none:\n%s",
					len(counted.Refused), strings.Join(counted.Refused, "\n"))
			}
			for _, pin := range stale(&Pins{List: pins.List[:own]}, flavor) {
				t.Errorf("testdata/pins-beside.txt:%d: the difference is gone: %s", pin.Line, pin.Reason)
			}
		})
	}
}

func loadPins(t *testing.T, file string) *Pins {
	t.Helper()
	pins, err := LoadPins(filepath.Join("testdata", file))
	if err != nil {
		t.Fatal(err)
	}
	return pins
}

// prepareThrough runs statements by way of a target, as its administrator.
func prepareThrough(t *testing.T, target Target, statements []string) {
	t.Helper()
	db, err := sql.Open("mysql", "root:root@tcp("+target.Addr+")/")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	for _, s := range statements {
		if _, err := db.ExecContext(t.Context(), s); err != nil {
			t.Fatalf("%s: %v", s, err)
		}
	}
}
