package ddl

import (
	"testing"

	"tunic/internal/racetest"
)

// implicitTable has foreign keys for which the server makes indexes by itself: of one column and of two, before a key
// over a protected column and behind it.
const implicitTable = "CREATE TABLE x (id INT PRIMARY KEY COMMENT 'tunic: plain', a INT COMMENT 'tunic: plain', b INT COMMENT 'tunic: plain', " +
	"c VARCHAR(40), d INT COMMENT 'tunic: plain', CONSTRAINT first FOREIGN KEY (d) REFERENCES parent (n), KEY (c), KEY more (a, c), " +
	"CONSTRAINT one FOREIGN KEY (b) REFERENCES parent (n), CONSTRAINT two FOREIGN KEY (a, b) REFERENCES parent (m, n), CONSTRAINT served FOREIGN KEY (a) REFERENCES parent (n))"

// implicit encrypts the table on one side.
func (p *pair) implicit() {
	p.t.Helper()
	p.plainBoth("CREATE TABLE parent (n INT NOT NULL PRIMARY KEY, m INT NOT NULL, UNIQUE KEY (m, n))", "INSERT INTO parent VALUES (1, 1), (2, 1)",
		implicitTable, "INSERT INTO x VALUES (1, 1, 1, 'one', 2), (2, 1, 2, 'two', NULL), (3, NULL, NULL, NULL, 1)")
	for i, stage := range p.definer.stagesOf(p.encryption("x", "c")) {
		if err := stage(p.t.Context()); err != nil {
			p.t.Fatalf("encrypting, stage %d: %v", i, err)
		}
	}
}

// hasKeys reports how many of some keys the stored table has.
func (b *bench) hasKeys(names string) (n int) {
	b.t.Helper()
	err := b.db.QueryRowContext(b.t.Context(), "SELECT COUNT(DISTINCT INDEX_NAME) FROM information_schema.STATISTICS WHERE TABLE_SCHEMA = 'shop' AND TABLE_NAME = 'x' AND INDEX_NAME IN ("+names+")").Scan(&n)
	if err != nil {
		b.t.Fatal(err)
	}
	return n
}

// TestDecryptedImplicit: indexes that the server has made for foreign keys, and would drop for others over the same columns, stay
// while a table is decrypted, and are there afterwards as before.
func TestDecryptedImplicit(t *testing.T) {
	onServers(t, func(b *bench) {
		t, p := b.t, b.beside()
		p.implicit()
		for i, step := range b.decrypting() {
			if err := step(t.Context()); err != nil {
				t.Fatalf("step %d: %v", i, err)
			}
			if n := b.hasKeys("'first', 'one', 'two'"); n != 3 {
				t.Errorf("after step %d the table has %d of its 3 indexes", i, n)
			}
		}
		p.asPlain()
	})
}

// TestDecryptedWithoutImplicit: a decryption goes on where the server has dropped such indexes for those that were added
// over the same columns.
func TestDecryptedWithoutImplicit(t *testing.T) {
	racetest.InOrder(t)
	onServers(t, func(b *bench) {
		t, p := b.t, b.beside()
		p.implicit()
		const swap = 4
		for i, step := range b.decrypting() {
			if i == swap {
				if err := p.client.Exec(t.Context(), "ALTER TABLE shop.x DROP KEY one, DROP KEY two"); err != nil {
					t.Fatal(err)
				}
			}
			if err := step(t.Context()); err != nil {
				t.Fatalf("step %d: %v", i, err)
			}
		}
		p.asPlain()
	})
}

// TestAlteredImplicit: an index that the server has made for a foreign key stays when a key comes that begins with its
// columns, for the catalog has it.
func TestAlteredImplicit(t *testing.T) {
	onServers(t, func(b *bench) {
		t, p := b.t, b.beside()
		p.implicit()
		for _, statement := range []string{
			"ALTER TABLE x ADD KEY wider (b, id)", "CREATE INDEX later ON x (a, b, c)", "ALTER TABLE x ADD KEY same (d), ALGORITHM=COPY", "ALTER TABLE x DROP KEY wider, DROP KEY one, ADD KEY one (b)",
		} {
			if _, err := b.do(statement); err != nil {
				t.Fatalf("%s: %v", statement, err)
			}
			if n := b.hasKeys("'first', 'one', 'two'"); n != 3 {
				t.Errorf("%s: the table has %d of its 3 indexes", statement, n)
			}
			b.checkStored(p.table("x"))
			b.asWritten(statement)
		}
	})
}
