package ddl

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"
	"testing"

	"tunic/internal/catalog"
	"tunic/internal/ddl/decryption"
	"tunic/internal/ddl/examination"
	"tunic/internal/ddl/pace"
	"tunic/internal/policy"
	"tunic/internal/racetest"
	"tunic/internal/value"
)

// decrypting are the steps of a decryption of shop.x, in their order.
func (b *bench) decrypting() []func(context.Context) error {
	b.definer.SetPolicy(&policy.Policy{})
	of := func(do func(context.Context, catalog.ID) error) func(context.Context) error {
		return func(ctx context.Context) error {
			if t := b.ledger.Catalog().Table("shop", "x"); t != nil {
				return do(ctx, t.ID)
			}
			return nil // it has left
		}
	}
	d := b.definer
	return []func(context.Context) error{
		of(d.Decryption.Solidify), of(d.Decryption.Bare), of(func(ctx context.Context, id catalog.ID) error { return d.Decryption.Backfill(ctx, id, pace.Pace{}) }), of(d.Decryption.Shape), of(d.Decryption.Swap), of(d.Decryption.Purge),
		func(ctx context.Context) error { return d.Decryption.Leave(ctx, "shop", "x") },
	}
}

// encrypted makes the table of TestEncrypted a protected one.
func (p *pair) encrypted() {
	p.t.Helper()
	p.plainBoth(encryptedTable)
	p.plainBoth(encryptedRows...)
	p.plainBoth("ALTER TABLE x AUTO_INCREMENT = 1000") // which is above all numbers there are
	p.encrypt()
}

// together makes the table x one with families, of whose columns some are NULL, beside a column that is sealed by itself and a family
// of one.
func (p *pair) together() {
	p.t.Helper()
	p.both("CREATE TABLE x (id INT AUTO_INCREMENT PRIMARY KEY, k INT NOT NULL DEFAULT '0' COMMENT 'of it; tunic: order family f', c CHAR(120) NOT NULL DEFAULT '' COMMENT 'tunic: sealed family f', pad VARCHAR(60) COMMENT 'tunic: equality family f', " +
		"n DECIMAL(10,2) COMMENT 'tunic: sealed family f', d DATE COMMENT 'tunic: sealed', at DATETIME(3) COMMENT 'tunic: equality family f', y YEAR COMMENT 'tunic: plain', b VARBINARY(20) NOT NULL COMMENT 'tunic: sealed family f', " +
		"big BIGINT UNSIGNED COMMENT 'tunic: equality family g', l VARCHAR(9) CHARACTER SET latin1 COMMENT 'tunic: sealed family f', t TEXT NOT NULL COMMENT 'tunic: sealed family h', " +
		"f FLOAT COMMENT 'tunic: plain', KEY k_1 (k), KEY two (k, pad), UNIQUE KEY u (big), KEY onlyplain (f)) COMMENT='all of it'")
	for i := range 40 {
		n := strconv.Itoa(i + 1)
		p.insert("x", n, n, "c"+n, []string{"", "x " + n}[i%2], []string{"1.5", ""}[i%3/2], "2020-02-29", []string{"", "2020-01-01 10:11:12.345"}[i%2], "1999", "b", n, []string{"é", ""}[i%2], "text "+n, "0.5")
	}
	p.plainBoth("ALTER TABLE x AUTO_INCREMENT = 1000")
}

// written is a row that a client writes meanwhile, into the table of together.
func (p *pair) written(n int) {
	p.t.Helper()
	id := strconv.Itoa(700 + n)
	p.insert("x", id, "7", "new", "", "2.25", "", "", "2000", "q", id, "ü", "text", "1.5")
}

// isBetween holds what differs of a stored table to what steps leave for each other.
func (p *pair) isBetween(table string) {
	p.t.Helper()
	conn, err := p.db.Conn(p.t.Context())
	if err != nil {
		p.t.Fatal(err)
	}
	defer func() { _ = conn.Close() }()
	found, err := Examine(p.t.Context(), conn, p.ledger.Catalog(), p.table(table))
	if err != nil || slices.ContainsFunc(found, func(m examination.Mismatch) bool { return !m.Between() }) {
		p.t.Errorf("%s: %v, %v", table, found, err)
	}
}

// TestFamiliesDecrypted is TestDecrypted of a table with families, TestDecryptedInOrder and TestDecryptedAgain.
func TestFamiliesDecrypted(t *testing.T) {
	racetest.InOrder(t)
	onServers(t, func(b *bench) {
		t, p := b.t, b.beside()
		p.together()
		p.around = true // by what the steps leave for each other
		for i, step := range b.decrypting() {
			if err := step(t.Context()); err != nil {
				t.Fatalf("step %d: %v", i, err)
			}
			if i < 3 { // what a client writes meanwhile
				p.written(i)
				p.compare("x")
				p.isBetween("x")
			}
		}
		p.asPlain()
	})
	t.Run("in order", func(t *testing.T) {
		onServers(t, func(b *bench) {
			t, p := b.t, b.beside()
			p.together()
			p.both("ALTER TABLE x ADD COLUMN late INT NOT NULL DEFAULT 3 COMMENT 'tunic: sealed family f' AFTER id, ADD COLUMN first DATE COMMENT 'tunic: sealed family g' FIRST, ADD COLUMN open INT COMMENT 'tunic: plain' AFTER c, DROP COLUMN l")
			p.both("ALTER TABLE x MODIFY n DECIMAL(12,3)")
			for n := range b.decrypting() {
				for i, step := range b.decrypting()[:n+1] {
					if err := step(t.Context()); err != nil {
						t.Fatalf("stopped before step %d: step %d: %v", n, i, err)
					}
				}
				b.ledger.Close()
				b.hold()
				if err := b.definer.Upkeep.Sweep(t.Context()); err != nil {
					t.Fatalf("after step %d: %v", n, err)
				}
			}
			p.asPlain()
		})
	})
}

// encrypt makes the table x a protected one.
func (p *pair) encrypt() {
	p.t.Helper()
	protects := p.definer.Policy()
	p.definer.SetPolicy(&policy.Policy{Default: policy.Protection{Protected: true, Allowed: policy.Equality | policy.Order}})
	for i, stage := range p.definer.stagesOf(p.encryption("x")) {
		if err := stage(p.t.Context()); err != nil {
			p.t.Fatalf("encrypting, stage %d: %v", i, err)
		}
	}
	p.definer.SetPolicy(protects)
}

// asPlain compares the table that was protected with the one that never was: the definition that
// the server has of it, and its rows.
func (p *pair) asPlain() {
	p.t.Helper()
	if p.ledger.Catalog().Table("shop", "x") != nil {
		p.t.Fatal("the table is in the catalog")
	}
	var of [2]string
	for i, schema := range []string{"plain", "shop"} {
		for _, question := range []string{"SHOW CREATE TABLE " + schema + ".x", "CHECKSUM TABLE " + schema + ".x EXTENDED", "SELECT * FROM " + schema + ".x ORDER BY id"} {
			rows, err := p.plain.Query(p.t.Context(), question)
			if err != nil {
				p.t.Fatalf("%s: %v", question, err)
			}
			for _, r := range rows {
				for _, cell := range r {
					of[i] += strings.ReplaceAll(shownCell(cell), schema+".x", "x") + "\n"
				}
			}
		}
	}
	if of[0] != of[1] {
		p.t.Errorf("the table is not what it was:\n%s\nwas\n%s", of[1], of[0])
	}
}

// TestDecrypted: a table that was encrypted and is decrypted again is what it was, in what the
// server has of it and with all of its rows.
func TestDecrypted(t *testing.T) {
	onServers(t, func(b *bench) {
		t, p := b.t, b.beside()
		p.encrypted()
		for i, step := range b.decrypting() {
			if err := step(t.Context()); err != nil {
				t.Fatalf("step %d: %v", i, err)
			}
			if i < 3 { // what a client writes meanwhile
				p.insert("x", string(rune('7'+i))+"00", "7", "new", "", "", "", "", "", "2000", "q", "", string(rune('7'+i)), "", "text", "", "1.5")
			}
		}
		p.asPlain()
	})
}

// TestDecryptedInOrder: columns that came while clients went on, which stand behind the others at
// the server, are in their places when the table is plain; whoever goes on after a step as well.
func TestDecryptedInOrder(t *testing.T) {
	racetest.InOrder(t)
	onServers(t, func(b *bench) {
		t, p := b.t, b.beside()
		p.encrypted()
		p.both("ALTER TABLE x ADD COLUMN late INT NOT NULL DEFAULT 3 AFTER id, ADD COLUMN first DATE FIRST, ADD COLUMN open INT COMMENT 'tunic: plain' AFTER c")
		for i := range b.decrypting() {
			for j, step := range b.decrypting()[:i+1] {
				if err := step(t.Context()); err != nil {
					t.Fatalf("after step %d: step %d: %v", i, j, err)
				}
			}
		}
		p.asPlain()
	})
}

// TestDecryptedAgain: whoever goes on after each step, with another process or after a kill,
// begins with the first and comes to the same end.
func TestDecryptedAgain(t *testing.T) {
	racetest.InOrder(t)
	onServers(t, func(b *bench) {
		t, p := b.t, b.beside()
		p.encrypted()
		for n := range b.decrypting() {
			for i, step := range b.decrypting()[:n+1] {
				if err := step(t.Context()); err != nil {
					t.Fatalf("stopped before step %d: step %d: %v", n, i, err)
				}
			}
			b.ledger.Close()
			b.hold()
			if err := b.definer.Upkeep.Sweep(t.Context()); err != nil {
				t.Fatalf("after step %d: %v", n, err)
			}
		}
		p.asPlain()
	})
}

// TestBesideACheckOfText: MySQL copies a table with a CHECK over long text for each new name of a column. The table is
// encrypted and decrypted all the same, and the copies take what is there, a date that is none as well.
func TestBesideACheckOfText(t *testing.T) {
	onServers(t, func(b *bench) {
		t, p := b.t, b.beside()
		p.plainBoth("CREATE TABLE x (id INT PRIMARY KEY COMMENT 'tunic: plain', note MEDIUMTEXT COMMENT 'tunic: plain', d DATE COMMENT 'tunic: plain', n INT, KEY (n), CHECK (length(note) < 100))",
			"SET sql_mode = ''", "INSERT INTO x VALUES (1, 'one', '0000-00-00', 10), (2, NULL, NULL, NULL)")
		p.encrypt()
		for i, step := range b.decrypting() {
			if err := step(t.Context()); err != nil {
				t.Fatalf("step %d: %v", i, err)
			}
		}
		p.asPlain()
	})
}

// TestDecryptable: what cannot be made plain, or must not, is refused before anything is done.
func TestDecryptable(t *testing.T) {
	onServers(t, func(b *bench) {
		t := b.t
		b.must("CREATE TABLE good (id INT PRIMARY KEY, n INT COMMENT 'tunic: order', KEY (n))",
			"CREATE TABLE document (id INT PRIMARY KEY COMMENT 'tunic: plain', d JSON COMMENT 'tunic: sealed')",
			"CREATE TABLE moment (id INT PRIMARY KEY COMMENT 'tunic: plain', at TIMESTAMP NOT NULL COMMENT 'tunic: sealed')",
			"CREATE TABLE keyed (id INT PRIMARY KEY COMMENT 'tunic: equality', s INT COMMENT 'tunic: sealed')",
			"CREATE TABLE keyless (id INT COMMENT 'tunic: plain', n INT COMMENT 'tunic: sealed')",
			"CREATE TABLE checked (id INT PRIMARY KEY, n INT COMMENT 'tunic: sealed' CHECK (n > 5))",
			"CREATE TABLE child (id INT PRIMARY KEY, n INT COMMENT 'tunic: equality', FOREIGN KEY (n) REFERENCES keyed (id))",
			"CREATE TABLE ruled (id INT COMMENT 'tunic: plain' PRIMARY KEY, n INT)")
		notNull := map[value.Flavor]string{value.MariaDB: "makes no TIMESTAMP NOT NULL"}[b.flavor]
		for table, why := range map[string]string{
			"moment": notNull, "good": "", "document": "do not come back exactly", "keyed": "foreign key", "keyless": "tells its rows apart", "checked": "CHECK", "child": "foreign key", "ruled": "the policy",
		} {
			at := b.ledger.Catalog().Table("shop", table)
			before := at.Revision
			err := decryption.Allowed(b.definer.Policy(), b.flavor, b.ledger.Catalog(), at)
			if why == "" && err == nil {
				continue
			}
			if refusal, ok := errors.AsType[*decryption.NotBared](err); !ok || !strings.Contains(refusal.Why, why) || refusal.Fix == "" {
				t.Errorf("%s: %v", table, err)
			}
			if err := b.definer.Decryption.Bare(t.Context(), at.ID); err == nil || b.ledger.Catalog().ByID(at.ID).Revision != before {
				t.Errorf("%s: plain forms are made: %v", table, err)
			}
		}
	})
}
