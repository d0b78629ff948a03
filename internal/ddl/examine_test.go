package ddl

import (
	"slices"
	"testing"

	"tunic/internal/ddl/examination"
	"tunic/internal/racetest"
)

// asWritten fails unless every stored table is as the catalog says.
func (b *bench) asWritten(after string) {
	b.t.Helper()
	conn, err := b.db.Conn(b.t.Context())
	if err != nil {
		b.t.Fatal(err)
	}
	defer func() { _ = conn.Close() }()
	known := b.ledger.Catalog()
	for t := range known.Tables() {
		found, err := Examine(b.t.Context(), conn, known, t)
		if err != nil || len(found) > 0 {
			b.t.Errorf("after %s: %s: %v, %v", after, t.FullName(), found, err)
		}
	}
}

// TestExamine: a table that was changed around tunic is told of, thing by thing, and
// one that tunic has made and changed is not.
func TestExamine(t *testing.T) {
	racetest.InOrder(t)
	const parent = "CREATE TABLE parent (id INT PRIMARY KEY)"
	const table = "CREATE TABLE t (id INT AUTO_INCREMENT PRIMARY KEY, a INT NOT NULL, s VARCHAR(30) DEFAULT 'x', p INT, n INT COMMENT 'tunic: plain', UNIQUE KEY u (a), KEY k (s), CONSTRAINT f FOREIGN KEY (p) REFERENCES parent (id), CONSTRAINT c CHECK (n > 0))"
	tests := []struct {
		around string
		want   []examination.Mismatch
	}{
		{"", nil},
		{"ALTER TABLE t DROP KEY k", []examination.Mismatch{{Of: "key", Name: "k", Problem: examination.Missing}}},
		{"ALTER TABLE t ADD KEY other (n)", []examination.Mismatch{{Of: "key", Name: "other", Problem: examination.Unknown}}},
		{"ALTER TABLE t DROP KEY u, ADD UNIQUE KEY u (`a$eq`, n)", []examination.Mismatch{{Of: "key", Name: "u", Problem: examination.Different}}},
		{"ALTER TABLE t ADD COLUMN more INT", []examination.Mismatch{{Of: "column", Name: "more", Problem: examination.Unknown}}},
		{"ALTER TABLE t MODIFY COLUMN n BIGINT", []examination.Mismatch{{Of: "column", Name: "n", Problem: examination.Different}}},
		{"ALTER TABLE t DROP FOREIGN KEY f", []examination.Mismatch{{Of: "foreign key", Name: "f", Problem: examination.Missing}}},
		{"ALTER TABLE t DROP CONSTRAINT c", []examination.Mismatch{{Of: "CHECK", Name: "c", Problem: examination.Missing}}},
		{"ALTER TABLE t COMMENT = ''", []examination.Mismatch{{Of: "mark", Name: "", Problem: examination.Different}}},
		{"ALTER TABLE t ROW_FORMAT = COMPRESSED", []examination.Mismatch{{Of: "options", Name: "", Problem: examination.Different}}},
		{"RENAME TABLE t TO u", []examination.Mismatch{{Of: "table", Name: "", Problem: examination.Missing}}},
	}
	onServers(t, func(b *bench) {
		server := b.connect("shop")
		for _, test := range tests {
			b.must(parent)
			b.must(table)
			b.must("ALTER TABLE t ADD COLUMN later DATE, ALGORITHM=DEFAULT")
			if test.around != "" {
				if err := server.Exec(t.Context(), test.around); err != nil {
					b.t.Fatalf("%s: %v", test.around, err)
				}
			}
			conn, err := b.db.Conn(t.Context())
			if err != nil {
				b.t.Fatal(err)
			}
			found, err := Examine(t.Context(), conn, b.ledger.Catalog(), b.ledger.Catalog().Table("shop", "t"))
			_ = conn.Close()
			if err != nil || !slices.Equal(found, test.want) {
				b.t.Errorf("%s: %v, %v, want %v", test.around, found, err, test.want)
			}
			if test.around == "RENAME TABLE t TO u" {
				_ = server.Exec(t.Context(), "RENAME TABLE u TO t")
			}
			b.must("DROP TABLE t, parent")
		}
	})
}
