package migrate

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"tunic/internal/ddl"
	"tunic/internal/ddl/decryption"
	"tunic/internal/ddl/pace"
	"tunic/internal/policy"
	"tunic/internal/value"
)

// TestWaysBack: what keeps a table with rows from being decrypted goes by what is said of it, and views and columns come
// back afterwards with all values.
func TestWaysBack(t *testing.T) {
	const columns = " (id INT PRIMARY KEY COMMENT 'tunic: plain', n INT, made TIMESTAMP NOT NULL DEFAULT '2020-02-02 02:02:02', doc JSON," +
		" code INT DEFAULT (1 + 1), seen DATETIME ON UPDATE CURRENT_TIMESTAMP)"
	onServers(t, func(b *bench) {
		b.exec(b.tunics[0], "CREATE TABLE visit"+columns, "INSERT INTO visit (id, n, doc) VALUES (1, 10, '{\"a\": 1}'), (2, 20, '[]')",
			"CREATE VIEW late AS SELECT id, made FROM visit WHERE n > 10",
			"CREATE TABLE keyed (id INT PRIMARY KEY, n INT)", "INSERT INTO keyed VALUES (1, 10), (2, 20)")
		before := b.rows("SELECT id, n, made, doc, code FROM visit ORDER BY id")
		late, keyed := b.rows("SELECT * FROM late"), b.rows("SELECT * FROM keyed ORDER BY n")
		many := map[value.Flavor]int{value.MariaDB: 5, value.MySQL: 4}[b.flavor] // MariaDB's TIMESTAMP
		found := b.decrypted("visit", many)
		b.decrypted("keyed", 1)
		for _, h := range found {
			b.exec(b.tunics[0], h.Remove...)
		}
		b.exec(b.tunics[0], "ALTER TABLE visit MODIFY made TIMESTAMP NULL DEFAULT '2020-02-02 02:02:02', MODIFY code INT, MODIFY seen DATETIME",
			"ALTER TABLE visit ADD COLUMN doctext LONGTEXT AFTER made", "UPDATE visit SET doctext = doc", "ALTER TABLE visit DROP COLUMN doc",
			"ALTER TABLE keyed DROP PRIMARY KEY, ADD COLUMN number INT AUTO_INCREMENT PRIMARY KEY COMMENT 'tunic: plain'")
		b.decrypted("visit", 0)
		b.decrypted("keyed", 0)
		b.exec(b.server, "ALTER TABLE shop.visit MODIFY made TIMESTAMP NOT NULL DEFAULT '2020-02-02 02:02:02', MODIFY code INT DEFAULT (1 + 1), RENAME COLUMN doctext TO doc, MODIFY seen DATETIME ON UPDATE CURRENT_TIMESTAMP",
			"ALTER TABLE shop.keyed DROP COLUMN number, ADD PRIMARY KEY (id)")
		for _, h := range found {
			b.exec(b.tunics[0], h.Restore...)
		}
		after := b.rows("SELECT id, n, made, doc, code FROM visit ORDER BY id")
		if diff := cmp.Diff([][]string{before, late, keyed}, [][]string{after, b.rows("SELECT * FROM late"), b.rows("SELECT * FROM keyed ORDER BY n")}); diff != "" || len(late) != 1 {
			b.t.Error(diff)
		}
	})
}

// decrypted decrypts a table that nothing hinders, and else returns what does.
func (b *bench) decrypted(table string, hindered int) []*decryption.NotBared {
	b.t.Helper()
	w, end := b.work(table)
	defer end()
	plain := ddl.New(ddl.Options{DB: b.options.DB, Ledger: w.Ledger, Policy: &policy.Policy{}, Flavor: b.flavor, Log: b.options.Log})
	defer plain.Close()
	known := w.Ledger.Catalog()
	found, err := decryption.Hindrances(&policy.Policy{}, b.flavor, known, known.Table("shop", table))
	if err != nil || len(found) != hindered {
		b.t.Fatalf("%s: %v, %v", table, found, err)
	}
	err = plain.Decryption.Decrypt(b.t.Context(), "shop", table, pace.Pace{}, nil)
	if (err != nil) != (hindered > 0) {
		b.t.Fatalf("%s: %v", table, err)
	}
	return found
}
