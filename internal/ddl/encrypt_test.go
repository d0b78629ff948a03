package ddl

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tunic/internal/catalog"
	"tunic/internal/ddl/service"
	"tunic/internal/ddl/showcreate"
	"tunic/internal/racetest"
)

// plainBoth runs statements on both sides around tunic: the table is a plain one on both.
func (p *pair) plainBoth(statements ...string) {
	p.t.Helper()
	for _, s := range statements {
		for _, c := range []*client{p.client, p.plain} {
			if err := c.Exec(p.t.Context(), s); err != nil {
				p.t.Fatalf("%s: %v", s, err)
			}
		}
	}
}

func (b *bench) encryption(table string, columns ...string) *Encryption {
	return &Encryption{Schema: "shop", Table: table, Columns: columns, Session: b.session, Client: b.client}
}

// stagesOf are the steps of an encryption, in their order.
func (d *Definer) stagesOf(e *Encryption) []func(context.Context) error {
	stage := func(do func(context.Context, *Encryption) error) func(context.Context) error {
		return func(ctx context.Context) error { return do(ctx, e) }
	}
	return []func(context.Context) error{stage(d.Adopt), stage(d.Fence), stage(d.BackfillShadows), stage(d.SwapShadows), stage(d.Purge)}
}

const encryptedTable = "CREATE TABLE x (id INT AUTO_INCREMENT PRIMARY KEY, k INT NOT NULL DEFAULT '0' COMMENT 'of it', c CHAR(120) NOT NULL DEFAULT '', pad VARCHAR(60), " +
	"n DECIMAL(10,2), d DATE, at DATETIME(3), h TIME(2), y YEAR COMMENT 'tunic: plain', b VARBINARY(20) NOT NULL, bb BINARY(5), big BIGINT UNSIGNED, l VARCHAR(9) CHARACTER SET latin1, t TEXT NOT NULL, bl BLOB, " +
	"f FLOAT COMMENT 'tunic: plain', KEY k_1 (k), KEY two (k, pad), UNIQUE KEY u (big), KEY onlyplain (f)) COMMENT='all of it'"

var encryptedRows = []string{
	"SET sql_mode = ''",
	"INSERT INTO x (k, c, pad, n, d, at, h, y, b, bb, big, l, t, bl, f) VALUES (1, 'one  ', 'x ', 1.5, '2020-02-29', '2020-01-01 10:11:12.345', '-10:11:12.5', 1999, x'00ff', 'ab', 18446744073709551615, 'é', 'täxt', x'ff00', 0.1), " +
		"(-5, '', NULL, NULL, NULL, NULL, NULL, NULL, '', NULL, NULL, NULL, '', NULL, NULL), (2147483647, 'ü', '', -99999999.99, '0000-00-00', '0000-00-00', '838:59:59', 0, 'b', '', 0, '', '\\'', '', 7), (1, 'One', 'y', 0, '1000-01-01', '9999-12-31 23:59:59.999', '0:0:0', 2155, 'B', 'zzzzz', 1, 'z', 'z', 'z', 1)",
	"INSERT INTO x (k, c, b, t) SELECT k, c, b, t FROM x",
	"INSERT INTO x (k, c, b, t, pad) SELECT k, c, b, t, id FROM x",
}

// TestEncrypted: a plain table that is encrypted is what one is that was protected from the
// beginning, in its definition and with all of its rows, and has nothing of what was in
// the clear.
func TestEncrypted(t *testing.T) { onServers(t, (*bench).encrypted) }

// TestEncryptedTogether: so is one whose columns come into families, which are those that CREATE TABLE makes.
func TestEncryptedTogether(t *testing.T) {
	onFamilies(t, func(b *bench) {
		b.encrypted()
		b.must(strings.Replace(encryptedTable, "TABLE x", "TABLE y", 1), "CREATE INDEX later ON y (n)",
			"ALTER TABLE y ADD COLUMN more INT NOT NULL DEFAULT 3, DROP KEY two")
		want, got := b.storedColumns("shop", "y"), b.storedColumns("shop", "x")
		slices.Sort(want) // a layer that is added online is behind all others
		slices.Sort(got)
		if diff := cmp.Diff(want, got); diff != "" {
			b.t.Errorf("the stored columns (-CREATE TABLE +encrypted):\n%s", diff)
		}
		of := b.ledger.Catalog().Table("shop", "x")
		if len(of.Families) != 1 || of.Columns[of.Column("k")].Family != "row$form" || of.Columns[of.Column("t")].Family != "" {
			b.t.Errorf("families %+v", of.Families)
		}
	})
}

// onFamilies is onServers where short columns of new tables are in one family.
func onFamilies(t *testing.T, test func(b *bench)) {
	t.Helper()
	onServers(t, func(b *bench) {
		b.together()
		test(b)
	})
}

// together has short columns be in one family.
func (b *bench) together() {
	policy := protecting()
	policy.Together = true
	b.definer.SetPolicy(policy)
}

func (b *bench) encrypted() {
	t, p := b.t, b.beside()
	p.plainBoth(encryptedTable)
	p.plainBoth(encryptedRows...)
	for i, stage := range b.definer.stagesOf(b.encryption("x")) {
		if err := stage(t.Context()); err != nil {
			t.Fatalf("stage %d: %v", i, err)
		}
	}
	p.compare("x")
	p.asEncrypted(p.table("x"))
	p.insert("x", "100", "7", "new", "", "", "", "", "", "2000", "q", "", "5", "", "text", "", "1.5")
	p.compare("x")
	p.both("CREATE INDEX later ON x (n)")
	p.both("ALTER TABLE x ADD COLUMN more INT NOT NULL DEFAULT 3, DROP KEY two")
	p.compare("x")
	p.both("ALTER TABLE x COMMENT = 'copied', ALGORITHM = COPY")
	p.compare("x")
	if p.table("x").Unchecked {
		t.Error("a change that copies the table has not added the CHECK")
	}
}

// asEncrypted looks for what is to be gone from a stored table.
func (p *pair) asEncrypted(t *catalog.Table) {
	p.t.Helper()
	rows, err := p.client.Query(p.t.Context(), "SHOW CREATE TABLE shop."+t.Name)
	if err != nil {
		p.t.Fatal(err)
	}
	account, err := showcreate.Read(service.Text(rows[0][1]))
	if err != nil || !account.TakeFence(t.Fence()) {
		p.t.Fatalf("the table has no fence: %v", err)
	}
	for i := range account.Columns {
		c := &account.Columns[i]
		kind := t.StoredColumn(c.Name).Kind
		if kind == catalog.NotStored || showcreate.PartsOf(c.Text).Invisible != (kind == catalog.StoredMember) {
			p.t.Errorf("the stored table has %s", c.Text)
		}
	}
	for i := range account.Keys {
		if strings.HasPrefix(account.Keys[i].Name, "tunic$") {
			p.t.Errorf("the stored table has the key %s", account.Keys[i].Name)
		}
	}
	if len(account.Keys) != len(t.Keys) {
		p.t.Errorf("%d keys of %d", len(account.Keys), len(t.Keys))
	}
}

// TestEncryptedAgain: whoever goes on after each stage, with another process or after a
// kill, begins with the first and comes to the same end.
func TestEncryptedAgain(t *testing.T) {
	racetest.InOrder(t)
	onServers(t, encryptedAgain)
}

// TestEncryptedAgainTogether: so does who brings columns into a family.
func TestEncryptedAgainTogether(t *testing.T) {
	racetest.InOrder(t)
	onFamilies(t, encryptedAgain)
}

func encryptedAgain(b *bench) {
	t, p := b.t, b.beside()
	for n := range 6 {
		p.plainBoth("DROP TABLE IF EXISTS plain.x")
		if n > 0 {
			p.must("DROP TABLE shop.x")
		}
		p.plainBoth(encryptedTable)
		p.plainBoth(encryptedRows...)
		for i, stage := range b.definer.stagesOf(b.encryption("x", "k", "c", "pad")) {
			if i == n {
				b.ledger.Close()
				b.hold()
				if err := b.definer.Upkeep.Sweep(t.Context()); err != nil {
					t.Fatalf("before stage %d: %v", i, err)
				}
				break
			}
			if err := stage(t.Context()); err != nil {
				t.Fatalf("stage %d: %v", i, err)
			}
		}
		for i, stage := range b.definer.stagesOf(b.encryption("x", "k", "c", "pad")) {
			if err := stage(t.Context()); err != nil {
				t.Fatalf("stopped before stage %d: stage %d: %v", n, i, err)
			}
		}
		p.compare("x")
		p.asEncrypted(p.table("x"))
	}
}

// TestReferredMeanwhile: while a column is encrypted or decrypted, no table comes to refer to it,
// a plain one neither: the key would stay with the form that goes, and the server carry out its
// actions by that.
func TestReferredMeanwhile(t *testing.T) {
	onServers(t, func(b *bench) {
		t := b.t
		refers := func(word string) {
			t.Helper()
			for _, s := range []string{
				"CREATE TABLE child (id INT PRIMARY KEY COMMENT 'tunic: plain', k INT COMMENT 'tunic: " + word + "', FOREIGN KEY (k) REFERENCES x (k) ON UPDATE CASCADE)",
				"ALTER TABLE other ADD COLUMN k INT COMMENT 'tunic: plain', ADD FOREIGN KEY (k) REFERENCES x (k)",
			} {
				if _, err := b.do(s); !refused(err) {
					t.Errorf("%s: %v", s, err)
				}
			}
		}
		if err := b.client.Exec(t.Context(), "CREATE TABLE x (id INT PRIMARY KEY, k INT, UNIQUE KEY (k))"); err != nil {
			t.Fatal(err)
		}
		b.must("CREATE TABLE other (id INT PRIMARY KEY COMMENT 'tunic: plain')")
		for i, step := range b.definer.stagesOf(b.encryption("x", "k")) {
			if err := step(t.Context()); err != nil {
				t.Fatalf("encrypting, step %d: %v", i, err)
			}
			if i < 3 { // the swap is not done
				refers("plain")
			}
		}
		for i, step := range b.decrypting()[:2] {
			if err := step(t.Context()); err != nil {
				t.Fatalf("decrypting, step %d: %v", i, err)
			}
		}
		refers("equality")
		b.must("CREATE TABLE of_a_row (id INT PRIMARY KEY COMMENT 'tunic: plain', FOREIGN KEY (id) REFERENCES x (id))")
	})
}

// TestEncryptedBesideATransaction: a transaction that is open keeps the swap waiting, and
// nobody else behind it.
func TestEncryptedBesideATransaction(t *testing.T) {
	onServers(t, func(b *bench) {
		t, p := b.t, b.beside()
		p.plainBoth(encryptedTable)
		p.plainBoth(encryptedRows...)
		other, third := b.connect("shop"), b.connect("shop")
		begin := func(c *client) {
			for _, s := range []string{"START TRANSACTION", "SELECT COUNT(*) FROM shop.x"} {
				if _, err := c.Query(t.Context(), s); err != nil {
					t.Fatal(err)
				}
			}
		}
		for i, stage := range b.definer.stagesOf(b.encryption("x")) {
			begin(other)
			ended := make(chan error, 1)
			go func() { ended <- stage(t.Context()) }()
			for range 20 { // of somebody else, one after the other
				if _, err := third.Query(t.Context(), "SELECT COUNT(*) FROM shop.x"); err != nil {
					t.Fatal(err)
				}
			}
			if _, err := other.Query(t.Context(), "COMMIT"); err != nil {
				t.Fatal(err)
			}
			if err := <-ended; err != nil {
				t.Fatalf("stage %d: %v", i, err)
			}
		}
		p.compare("x")
		p.asEncrypted(p.table("x"))
	})
}
