package ddl

import (
	"strings"
	"testing"

	"tunic/internal/ddl/service"
	"tunic/internal/racetest"
)

// TestBesideFulltext: a FULLTEXT key over a plain column, which keeps servers from making a table anew
// beside clients, keeps no plain column of an encryption, and no sealed one of a decryption.
func TestBesideFulltext(t *testing.T) {
	racetest.InOrder(t)
	onServers(t, func(b *bench) {
		t, p := b.t, b.beside()
		p.plainBoth("CREATE TABLE x (id INT AUTO_INCREMENT PRIMARY KEY, f TEXT NOT NULL COMMENT 'tunic: plain', name VARCHAR(20) NOT NULL, n INT, KEY (name), FULLTEXT KEY words (f))",
			"INSERT INTO x (f, name, n) VALUES ('some words', 'bob', 1), ('others', 'eve', NULL)")
		for i, stage := range b.definer.stagesOf(b.encryption("x", "name", "n")) {
			if err := stage(t.Context()); err != nil {
				t.Fatalf("encrypting, stage %d: %v", i, err)
			}
		}
		p.compare("x")
		rows, err := p.plain.Query(t.Context(), "SHOW CREATE TABLE shop.x")
		if err != nil {
			t.Fatal(err)
		}
		if left := service.Text(rows[0][1]); strings.Contains(left, "$plain") || strings.Contains(left, "$copy") {
			t.Errorf("columns are left:\n%s", left)
		}
		p.both("ALTER TABLE x FORCE, ALGORITHM=COPY") // as the report says
		if p.table("x").Unchecked {
			t.Error("a copy has not added the CHECK")
		}
		for i, stage := range b.decrypting() {
			if err := stage(t.Context()); err != nil {
				t.Fatalf("decrypting, stage %d: %v", i, err)
			}
		}
		p.asPlain()
	})
}
