package ddl

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tunic/internal/catalog"
	"tunic/internal/crypt"
	"tunic/internal/ddl/definition"
	"tunic/internal/ddl/service"
	"tunic/internal/identifier"
	"tunic/internal/racetest"
	"tunic/internal/sqlerr"
	"tunic/internal/value"
	"tunic/internal/value/charset"
)

// TestBackfilled: a change that gives the rows of a table something gives them what the
// plain server would, in every form, and leaves the definition that it would.
func TestBackfilled(t *testing.T) {
	onServers(t, func(b *bench) {
		p := b.beside()
		p.both("CREATE TABLE f (id INT AUTO_INCREMENT PRIMARY KEY, a INT, s VARCHAR(10), d DATE, n DECIMAL(10,2) NOT NULL, " +
			"at TIMESTAMP NOT NULL DEFAULT '2001-01-01 00:00:00' ON UPDATE CURRENT_TIMESTAMP COMMENT 'tunic: plain')")
		p.insert("f", "1", "-5", "Ab ", "2024-02-29", "1.50", "2002-02-02 02:02:02")
		p.insert("f", "2", "", "", "", "2.50", "2002-02-02 02:02:02")
		p.insert("f", "3", "7", "ab", "1000-01-01", "1.50", "2002-02-02 02:02:02")
		for _, change := range []string{
			"CREATE INDEX i ON f (a)",
			"CREATE UNIQUE INDEX u ON f (n, id, s)",
			"ALTER TABLE f MODIFY d DATE COMMENT 'tunic: order', ADD KEY (d)",
			"ALTER TABLE f ADD COLUMN c1 INT NOT NULL, ADD COLUMN c2 VARCHAR(5) NOT NULL DEFAULT 'xy' AFTER a, ADD COLUMN c3 DATETIME(3) DEFAULT CURRENT_TIMESTAMP(3) FIRST, ADD KEY (c2)",
			"ALTER TABLE f RENAME COLUMN a TO aa, MODIFY s VARCHAR(40), ADD UNIQUE KEY (c1, id), DROP KEY u, ADD PRIMARY KEY (id, c1), DROP PRIMARY KEY",
			"ALTER TABLE f ADD COLUMN c4 TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP ON UPDATE CURRENT_TIMESTAMP, ADD COLUMN c5 ENUM('x','y') NOT NULL, ADD COLUMN c6 TEXT NOT NULL",
			"ALTER TABLE f ADD COLUMN c7 BIGINT UNSIGNED NOT NULL, ADD COLUMN c8 DOUBLE NOT NULL DEFAULT 0.5, ADD COLUMN c9 BIT(3) NOT NULL, ADD COLUMN c10 YEAR NOT NULL",
			"ALTER TABLE f ADD COLUMN c11 BINARY(4) NOT NULL, ADD COLUMN c12 SET('a','b') NOT NULL, ADD COLUMN c13 CHAR(3) NOT NULL, ADD COLUMN c14 DECIMAL(40,3) NOT NULL, ADD COLUMN c15 BLOB NOT NULL",
			"ALTER TABLE f ADD COLUMN c16 INT NOT NULL DEFAULT 9 COMMENT 'tunic: order', ALGORITHM=INPLACE",
			"ALTER TABLE f ADD COLUMN c17 VARCHAR(9) NOT NULL DEFAULT 'x' COMMENT 'tunic: equality'",
			"ALTER TABLE f MODIFY c17 VARCHAR(9) NOT NULL DEFAULT 'x' COMMENT 'tunic: order'", // above the ceiling that was
			"ALTER TABLE f MODIFY c16 INT NOT NULL DEFAULT 9 COMMENT 'tunic: sealed'",
			"ALTER TABLE f MODIFY c16 BIGINT NOT NULL DEFAULT 9 COMMENT 'tunic: order'",
		} {
			p.both(change)
			p.compare("f")
		}
	})
}

// TestBackfilledKeys: rows are found again whatever their key is.
func TestBackfilledKeys(t *testing.T) {
	racetest.InOrder(t)
	onServers(t, func(b *bench) {
		p := b.beside()
		for i, key := range []struct {
			columns, key string
			values       [2][]string
		}{
			{"x BIGINT UNSIGNED COMMENT 'tunic: plain'", "PRIMARY KEY (x)", [2][]string{{"18446744073709551615"}, {"0"}}},
			{"x DECIMAL(20,5) COMMENT 'tunic: plain'", "PRIMARY KEY (x)", [2][]string{{"-1.00001"}, {"3"}}},
			{"x DATETIME(3) NOT NULL COMMENT 'tunic: plain'", "UNIQUE KEY (x)", [2][]string{{"2024-03-31 02:30:00.125"}, {"2024-03-31 02:30:00.126"}}},
			{"x TIMESTAMP NOT NULL COMMENT 'tunic: plain'", "UNIQUE KEY (x)", [2][]string{{"2024-10-27 00:30:00"}, {"2024-10-27 01:30:00"}}},
			{"x TIME COMMENT 'tunic: plain', y DATE COMMENT 'tunic: plain', z YEAR COMMENT 'tunic: plain'", "PRIMARY KEY (x, y, z)", [2][]string{{"-800:00:01", "2024-01-01", "1999"}, {"-800:00:01", "2024-01-01", "2000"}}},
			{"x VARCHAR(9) CHARACTER SET latin1 COLLATE latin1_german1_ci COMMENT 'tunic: plain', y CHAR(3) COLLATE utf8mb4_bin COMMENT 'tunic: plain'", "PRIMARY KEY (x, y)", [2][]string{{"ö'\\", "日本"}, {"ö'\\", ""}}},
			{"x VARBINARY(9) COMMENT 'tunic: plain', y INT COMMENT 'tunic: plain'", "PRIMARY KEY (x, y)", [2][]string{{"'\x01", "1"}, {"", "1"}}},
			{"x VARCHAR(9), y INT", "PRIMARY KEY (x, y)", [2][]string{{"one", "1"}, {"two", "1"}}},
			{"x INT COMMENT 'tunic: order', y INT COMMENT 'tunic: plain'", "PRIMARY KEY (y DESC, x)", [2][]string{{"5", "1"}, {"6", "1"}}},
		} {
			name := fmt.Sprintf("k%d", i)
			p.both(fmt.Sprintf("CREATE TABLE %s (%s, v INT, %s)", name, key.columns, key.key))
			for n, values := range key.values {
				p.insert(name, append(values, fmt.Sprint(n))...)
			}
			p.both("CREATE INDEX iv ON " + name + " (v)")
			p.compare(name)
		}
	})
}

// TestBackfilledForeignKeys: tokens of a column that comes to refer to another are equal
// where the values are.
func TestBackfilledForeignKeys(t *testing.T) {
	onServers(t, func(b *bench) {
		p := b.beside()
		p.both("CREATE TABLE mother (id INT AUTO_INCREMENT PRIMARY KEY, code CHAR(5) NOT NULL UNIQUE)")
		p.both("CREATE TABLE daughter (id INT AUTO_INCREMENT PRIMARY KEY, code CHAR(5))")
		p.insert("mother", "1", "a")
		p.insert("daughter", "1", "a")
		p.insert("daughter", "2", "")
		p.both("ALTER TABLE daughter ADD CONSTRAINT fk FOREIGN KEY (code) REFERENCES mother (code)")
		p.compare("daughter")
		p.both("ALTER TABLE daughter DROP FOREIGN KEY fk, DROP KEY fk, ADD KEY (code)")
		p.both("ALTER TABLE daughter ADD CONSTRAINT fk FOREIGN KEY (code) REFERENCES mother (code)") // its tokens were of another domain
		p.compare("daughter")
		if mother, daughter := p.table("mother"), p.table("daughter"); mother.Columns[1].Domain != daughter.Columns[1].Domain {
			t.Error("the two columns have tokens of two domains")
		}
		p.both("CREATE TABLE other (id INT AUTO_INCREMENT PRIMARY KEY, code CHAR(5))")
		p.insert("other", "1", "z")
		p.both("ALTER TABLE other ADD CONSTRAINT fk2 FOREIGN KEY (code) REFERENCES mother (code)") // 1452
		if t := p.table("other"); t.Backfills() || len(t.Columns[1].Layers) > 0 {
			p.t.Error("what was added for a foreign key that does not hold is still there")
		}
		p.compare("other")
	})
}

// TestResealed: a column whose type changes has the values that the plain server makes
// of them.
func TestResealed(t *testing.T) {
	racetest.InOrder(t)
	onServers(t, func(b *bench) {
		p := b.beside()
		p.both("CREATE TABLE r (id INT AUTO_INCREMENT PRIMARY KEY, n INT COMMENT 'tunic: order', s VARCHAR(20) NOT NULL, d DATETIME, m DECIMAL(8,2) NOT NULL, " +
			"e ENUM('a','b','c'), f SET('x','y'), h TIME(1), w DATE, l CHAR(5) CHARACTER SET latin1, ts TIMESTAMP NULL, big BIGINT UNSIGNED, KEY (s), KEY (n), UNIQUE KEY both_ (m, s))")
		p.insert("r", "1", "-7", "Ünï ", "2024-02-29 23:59:59", "-1.50", "b", "x,y", "-800:00:01.5", "1000-01-01", "é", "2024-03-31 01:30:00", "18446744073709551615")
		p.insert("r", "2", "", "", "", "2.50", "", "", "", "", "", "", "")
		p.insert("r", "3", "2147483647", "abc", "0001-01-01 00:00:00", "0.00", "c", "y", "00:00:00.0", "9999-12-31", "ab", "2038-01-01 00:00:00", "0")
		for _, change := range []string{
			"ALTER TABLE r MODIFY n BIGINT COMMENT 'tunic: order'",
			"ALTER TABLE r MODIFY s VARCHAR(20) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL",
			"ALTER TABLE r MODIFY d DATETIME(3), MODIFY m DECIMAL(30,4) NOT NULL, CHANGE e ee ENUM('c','z','b','a') FIRST",
			"ALTER TABLE r MODIFY f SET('y','x'), MODIFY h TIME(6), MODIFY w DATETIME, MODIFY l VARCHAR(40) CHARACTER SET utf8mb4, MODIFY ts TIMESTAMP(6) NULL, MODIFY big DECIMAL(22,1)",
			"ALTER TABLE r CONVERT TO CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci",
			"ALTER TABLE r MODIFY s TEXT, DROP KEY s, DROP KEY both_",
			"ALTER TABLE r MODIFY n DECIMAL(20,0), DROP COLUMN w, ADD COLUMN late INT",
			"ALTER TABLE r MODIFY n DECIMAL(22,1), ADD KEY (big), ADD COLUMN later INT NOT NULL DEFAULT 4, ADD KEY (later)",
		} {
			p.both(change)
			p.compare("r")
		}
		for change, want := range map[string]error{
			"ALTER TABLE r MODIFY n INT UNSIGNED":       sqlerr.NeedsRewrite("", ""),
			"ALTER TABLE r MODIFY big TINYINT UNSIGNED": sqlerr.NeedsRewrite("", ""),
			"ALTER TABLE r MODIFY d DATE":               sqlerr.NeedsRewrite("", ""),
			"ALTER TABLE r MODIFY n VARCHAR(30)":        sqlerr.NeedsRewrite("", ""),
		} {
			if _, err := b.do(change); !errors.Is(err, want) {
				t.Errorf("%s: %v", change, err)
			}
			b.agrees(change)
			p.compare("r")
		}
	})
}

// TestConvertJSON: a JSON column stays one. MariaDB would make a LONGTEXT with a CHECK of
// it, which no later change could read; MySQL converts none.
func TestConvertJSON(t *testing.T) {
	onServers(t, func(b *bench) {
		p := b.beside()
		p.both("CREATE TABLE j (id INT AUTO_INCREMENT PRIMARY KEY, j JSON, p JSON COMMENT 'tunic: plain', c VARCHAR(5))")
		p.insert("j", "1", `{"a": 1}`, `[2]`, "x")
		const latin1 = "ALTER TABLE j CONVERT TO CHARACTER SET latin1"
		if b.flavor == value.MySQL {
			p.both(latin1)
		} else if _, err := b.do(latin1); !errors.Is(err, sqlerr.DefinitionForm("", "")) {
			t.Errorf("to latin1: %v", err)
		}
		p.both("ALTER TABLE j CONVERT TO CHARACTER SET utf8mb4 COLLATE utf8mb4_bin")
		p.both("ALTER TABLE j MODIFY c VARCHAR(9) CHARACTER SET latin1, DEFAULT CHARACTER SET latin1")
		p.both("CREATE INDEX i ON j (c)")
		p.compare("j")
	})
}

// TestBareDefaults: DEFAULT (3) is DEFAULT 3 to MariaDB, and an expression to MySQL.
func TestBareDefaults(t *testing.T) {
	onServers(t, func(b *bench) {
		const create = "CREATE TABLE x (id INT AUTO_INCREMENT PRIMARY KEY, n INT DEFAULT (3), m TINYINT DEFAULT (-3), s VARCHAR(9) DEFAULT ('it''s')" +
			", at DATETIME DEFAULT (now()), at3 TIMESTAMP(3) NULL DEFAULT (CURRENT_TIMESTAMP(3)), none INT DEFAULT (NULL), yes BOOL DEFAULT (TRUE)" +
			", p INT DEFAULT (1 + 1) COMMENT 'tunic: plain')"
		if b.flavor == value.MySQL {
			if _, err := b.do(create); !errors.Is(err, sqlerr.DefaultExpression("", "")) {
				t.Errorf("MySQL: %v", err)
			}
			return
		}
		p := b.beside()
		p.both(create)
		p.compare("x")
		p.both("ALTER TABLE x ALTER n SET DEFAULT (7), ADD COLUMN late DATE DEFAULT ('2000-01-01')")
		p.compare("x")
		for _, statement := range []string{"CREATE TABLE y (n INT DEFAULT ('x'))", "ALTER TABLE x ALTER m SET DEFAULT (300)"} {
			if _, err := b.do(statement); numberOf(err) != definition.InvalidDefault {
				t.Errorf("%s: %v", statement, err)
			}
		}
	})
}

// TestDuplicates: a unique key that does not hold leaves the table as it was.
func TestDuplicates(t *testing.T) {
	onServers(t, func(b *bench) {
		p := b.beside()
		p.both("CREATE TABLE d (id INT AUTO_INCREMENT PRIMARY KEY, s VARCHAR(10), k INT)")
		p.insert("d", "1", "alice", "1")
		p.insert("d", "2", "ALICE", "2")
		before := p.table("d")
		_, err := b.do("ALTER TABLE d ADD UNIQUE KEY name (s), ADD COLUMN n INT NOT NULL")
		if numberOf(err) != service.DuplicateEntry || strings.Contains(strings.ToLower(err.Error()), "alice") || !strings.Contains(err.Error(), "name'") ||
			strings.Contains(err.Error(), "$") {
			t.Errorf("said %v", err)
		}
		if after := p.table("d"); after.Definition != before.Definition || len(after.Columns) != 3 || after.Backfills() || len(after.Columns[1].Layers) > 0 {
			t.Errorf("the table is %+v", after)
		}
		b.agrees("a unique key that does not hold")
		p.compare("d")
		p.both("CREATE UNIQUE INDEX kk ON d (k)")
		p.compare("d")
	})
}

// TestCannotBackfill: what stands against filling is said, and the table is as it was.
func TestCannotBackfill(t *testing.T) {
	onServers(t, func(b *bench) {
		p := b.beside()
		p.both("CREATE TABLE nokey (a INT, k INT)")
		p.both("CREATE TABLE c (id INT AUTO_INCREMENT PRIMARY KEY, a INT, k INT)")
		p.insert("nokey", "1", "1")
		p.insert("c", "1", "1", "1")
		p.insert("c", "2", "2", "2")
		cannot := func(change, why string) {
			t.Helper()
			_, err := b.do(change)
			if !errors.Is(err, sqlerr.CannotBackfill("", "")) || !strings.Contains(err.Error(), why) {
				t.Errorf("%s: %v", change, err)
			}
			b.agrees(change)
			for table := range b.ledger.Catalog().Tables() {
				if table.Backfills() {
					t.Errorf("%s: table %s is still being filled", change, table.Name)
				}
			}
		}
		cannot("CREATE INDEX i ON nokey (k)", "primary key")
		if err := b.server.Exec(t.Context(), "UPDATE shop.c SET k = a WHERE id = 2"); err != nil { // another column's cell
			t.Fatal(err)
		}
		cannot("CREATE INDEX i ON c (k)", "has not written")
		b.session.Locked = true
		if _, err := b.do("CREATE INDEX i ON c (a)"); !errors.Is(err, sqlerr.DefinitionForm("", "")) {
			t.Errorf("under LOCK TABLES: %v", err)
		}
		b.session.Locked = false
		p.both("CREATE INDEX i ON c (a)")
	})
}

// TestMeanwhile: while a table is filled others are defined; what concerns the table
// itself waits.
func TestMeanwhile(t *testing.T) {
	onServers(t, func(b *bench) {
		other := b.connect("shop")
		for i, statement := range []string{"ALTER TABLE m ADD COLUMN b INT", "RENAME TABLE m TO m2", "DROP TABLE m2", "DROP DATABASE shop"} {
			name := "m"
			if i == 2 {
				name = "m2"
			}
			if b.ledger.Catalog().Table("shop", name) == nil {
				b.must("CREATE TABLE " + name + " (id INT AUTO_INCREMENT PRIMARY KEY, a INT)")
			}
			b.whileBackfilled(b.ledger.Catalog().Table("shop", name), other, statement, fmt.Sprintf("CREATE TABLE other%d (a INT, KEY (a))", i))
		}
	})
}

// whileBackfilled runs a statement that waits for a table, and one that does not.
func (b *bench) whileBackfilled(table *catalog.Table, other *client, waits, passes string) {
	b.t.Helper()
	do := func(c *client, statement string) error {
		_, err := b.definer.Do(b.t.Context(), parse(b.t, statement, b.session.Modes).Root(), b.session, c)
		return err
	}
	w := &work{Definer: b.definer, session: b.session, client: b.client}
	end, err := w.begin(b.t.Context(), func() []*catalog.Table { return nil })
	if err != nil {
		b.t.Fatal(err)
	}
	done := make(chan error, 1)
	err = w.aside(table, func() error {
		go func() { done <- do(other, waits) }()
		return do(b.client, passes)
	})
	if err != nil {
		b.t.Errorf("%s: %v", passes, err)
	}
	select {
	case err := <-done:
		b.t.Errorf("%s does not wait: %v", waits, err)
	default:
	}
	end()
	if err := <-done; err != nil {
		b.t.Errorf("%s: %v", waits, err)
	}
}

// pair is a plain server's schema beside the one through tunic.
type pair struct {
	*bench
	plain *client
}

func (b *bench) beside() *pair {
	p := &pair{bench: b, plain: b.connect("plain")}
	for _, c := range []*client{b.client, p.plain} {
		if err := c.Exec(b.t.Context(), "SET timestamp = 1700000000.25, time_zone = '+00:00'"); err != nil {
			b.t.Fatal(err)
		}
	}
	return p
}

func (p *pair) table(name string) *catalog.Table {
	p.t.Helper()
	t := p.ledger.Catalog().Table("shop", name)
	if t == nil {
		p.t.Fatalf("no table %s", name)
	}
	return t
}

// both runs a statement on both sides, which have to agree.
func (p *pair) both(statement string) {
	p.t.Helper()
	result, err := p.do(statement)
	copied, want := p.plain.conn.ExecContext(p.t.Context(), statement)
	if want == nil && result.Rowless {
		if n, _ := copied.RowsAffected(); n > 0 {
			p.t.Errorf("%s: the plain server has copied %d rows", statement, n)
		}
	}
	want = service.Error(want)
	if numberOf(err) != numberOf(want) {
		p.t.Fatalf("%s\nthrough tunic: %v\nplain: %v", statement, err, want)
	}
}

// insert adds a row on both sides; "" is NULL where the column may be.
func (p *pair) insert(name string, values ...string) {
	p.t.Helper()
	stored, plain := p.row(p.table(name), values)
	if err := p.client.Exec(p.t.Context(), stored); err != nil {
		p.t.Fatal(err)
	}
	if err := p.plain.Exec(p.t.Context(), plain); err != nil {
		p.t.Fatal(err)
	}
}

// row is the INSERT of a row, as it is stored and as a plain server has it.
func (p *pair) row(t *catalog.Table, values []string) (stored, plain string) {
	p.t.Helper()
	var columns, cells, literals []string
	of := map[catalog.ID][]byte{} // values of families
	for i, v := range values {
		c := &t.Columns[i]
		literal := literalFor(c, v)
		literals = append(literals, literal)
		if c.Family != "" {
			of[c.ID] = p.canonical(c, v, literal)
			for j, cell := range p.formsOf(c, v, literal)[1:] {
				columns, cells = append(columns, identifier.Quoted(c.Layers[j].Stored)), append(cells, cell)
			}
			continue
		}
		columns = append(columns, identifier.Quoted(c.Stored()))
		if !c.Protected() {
			cells = append(cells, literal)
			continue
		}
		for _, l := range c.Layers {
			columns = append(columns, identifier.Quoted(l.Stored))
		}
		cells = append(cells, p.formsOf(c, v, literal)...)
	}
	for i := range t.Families {
		columns, cells = append(columns, identifier.Quoted(t.Families[i].Stored)), append(cells, p.familyForm(t, &t.Families[i], of))
	}
	stored = fmt.Sprintf("INSERT INTO %s (%s) VALUES (%s)", t.QuotedName(), strings.Join(columns, ", "), strings.Join(cells, ", "))
	return stored, fmt.Sprintf("INSERT INTO plain.%s VALUES (%s)", t.Name, strings.Join(literals, ", "))
}

// familyForm is the form of a family with values of its members by their IDs, as a literal.
func (p *pair) familyForm(t *catalog.Table, f *catalog.Family, of map[catalog.ID][]byte) string {
	p.t.Helper()
	family, err := crypt.NewRing(p.ledger.Tree()).Family(t, f)
	if err != nil {
		p.t.Fatal(err)
	}
	values := make([][]byte, len(family.Columns()))
	for i, id := range family.Columns() {
		values[i] = of[id]
	}
	sealed, err := family.AppendSealed(nil, values)
	if err != nil {
		p.t.Fatal(err)
	}
	return "x'" + hex.EncodeToString(sealed) + "'"
}

func literalFor(c *catalog.Column, v string) string {
	digits := "x'" + hex.EncodeToString([]byte(v)) + "'"
	switch {
	case v == "" && !c.Type.NotNull:
		return "NULL"
	case c.Type.Kind.IsBytes():
		return digits
	}
	return "CONVERT(" + digits + " USING utf8mb4)"
}

// formsOf are all forms of a value that is written as text, as literals.
func (p *pair) formsOf(c *catalog.Column, v, literal string) (cells []string) {
	p.t.Helper()
	if literal == "NULL" {
		for range 1 + len(c.Layers) {
			cells = append(cells, literal)
		}
		return cells
	}
	return p.forms(c, p.canonical(c, v, literal))
}

// canonical is the canonical form of a value that is written as text, nil of NULL.
func (p *pair) canonical(c *catalog.Column, v, literal string) []byte {
	p.t.Helper()
	if literal == "NULL" {
		return nil
	}
	utf8, _ := charset.Lookup(p.flavor, "utf8mb4_general_ci")
	source := value.StringSource([]byte(v), utf8)
	canonical, outcome := value.Assign([]byte{}, &c.Type, &source, &p.session.Env)
	if len(outcome.Conditions()) > 0 {
		p.t.Fatalf("%q for column %s: %v", v, c.Name, outcome.Conditions())
	}
	return canonical
}

func (p *pair) column(c *catalog.Column) *crypt.Column {
	p.t.Helper()
	col, err := crypt.NewRing(p.ledger.Tree()).Column(c)
	if err != nil {
		p.t.Fatal(err)
	}
	return col
}

// forms are all forms of a value, as literals.
func (p *pair) forms(c *catalog.Column, canonical []byte) []string {
	p.t.Helper()
	all := []string{""} // of a member nothing
	if c.Family == "" {
		sealed, err := p.column(c).AppendSealed(nil, canonical)
		if err != nil {
			p.t.Fatal(err)
		}
		all[0] = "x'" + hex.EncodeToString(sealed) + "'"
	}
	for _, l := range c.Layers {
		if l.Bare() {
			digits := "x'" + hex.EncodeToString(value.AppendText(nil, &c.Type, canonical, &value.Env{})) + "'"
			switch {
			case c.Type.Kind.IsText():
				digits = "_" + c.Type.Collation.Charset.Name + " x'" + hex.EncodeToString(canonical) + "'"
			case !c.Type.Kind.IsBytes():
				digits = "CONVERT(" + digits + " USING utf8mb4)"
			}
			all = append(all, digits)
			continue
		}
		token, err := p.column(c).AppendToken(nil, l.Capability, canonical)
		if err != nil {
			p.t.Fatal(err)
		}
		all = append(all, "x'"+hex.EncodeToString(token)+"'")
	}
	return all
}

// compare compares definition and rows of a table with the plain server's, and each
// token with the value that it stands for.
func (p *pair) compare(name string) {
	p.t.Helper()
	t := p.table(name)
	p.compareTable(p.plain, name, t, false)
	p.checkStored(t)
	if !p.around {
		p.asWritten("the changes of " + name)
	}
	want, err := p.plain.Query(p.t.Context(), "SELECT * FROM plain."+name)
	if err != nil {
		p.t.Fatal(err)
	}
	bag := func(rows [][]string) map[string]int {
		all := map[string]int{}
		for _, r := range rows {
			all[strings.Join(r, "|")]++
		}
		return all
	}
	var plain [][]string
	for _, r := range want {
		var row []string
		for _, cell := range r {
			row = append(row, shownCell(cell))
		}
		plain = append(plain, row)
	}
	if diff := cmp.Diff(bag(plain), bag(p.opened(t))); diff != "" {
		p.t.Errorf("%s: rows (-plain +tunic):\n%s", name, diff)
	}
}

func shownCell(cell *string) string {
	if cell == nil {
		return "NULL"
	}
	return fmt.Sprintf("%q", *cell)
}

// opened reads the stored rows and opens them.
func (p *pair) opened(t *catalog.Table) (rows [][]string) {
	p.t.Helper()
	var names []string // a job adds layers behind all others
	for s := range t.StoredColumns() {
		names = append(names, identifier.Quoted(s.Name))
	}
	stored, err := p.client.Query(p.t.Context(), "SELECT "+strings.Join(names, ", ")+" FROM "+t.QuotedName())
	if err != nil {
		p.t.Fatal(err)
	}
	sealedOnce := map[string]bool{}
	for _, r := range stored {
		var row []string
		of := p.openedFamilies(t, r[len(r)-len(t.Families):])
		at := 0
		for i := range t.Columns {
			c := &t.Columns[i]
			cell := r[at]
			at++
			if c.Family != "" {
				if cell != nil {
					p.t.Errorf("%s: column %s of a family has a value", t.Name, c.Name)
				}
				cell = p.shown(c, of[c.ID], r[at:at+len(c.Layers)])
			} else if c.Protected() && cell != nil {
				if sealedOnce[*cell] {
					p.t.Errorf("%s: two cells of column %s have one sealed form", t.Name, c.Name)
				}
				sealedOnce[*cell] = true
				cell = p.open(c, *cell, r[at:at+len(c.Layers)])
			}
			at += len(c.Layers)
			row = append(row, shownCell(cell))
		}
		rows = append(rows, row)
	}
	return rows
}

// openedFamilies are the values of members, by their IDs, in the cells of a row's families.
func (p *pair) openedFamilies(t *catalog.Table, cells []*string) map[catalog.ID][]byte {
	p.t.Helper()
	of := map[catalog.ID][]byte{}
	for i := range t.Families {
		family, err := crypt.NewRing(p.ledger.Tree()).Family(t, &t.Families[i])
		if err != nil {
			p.t.Fatal(err)
		}
		if cells[i] == nil {
			p.t.Errorf("%s: a form of a family is NULL", t.Name)
			continue
		}
		_, record, err := family.AppendOpened([]byte{}, []byte(*cells[i]))
		if err != nil {
			p.t.Errorf("%s: %v", t.Name, err)
			continue
		}
		for j, id := range family.Columns() {
			value, _, ok := record.Value(nil, j)
			if !ok {
				p.t.Errorf("%s: a row of a layout that lacks column %s", t.Name, id)
			}
			of[id] = value
		}
	}
	return of
}

// open opens a cell and compares its tokens.
func (p *pair) open(c *catalog.Column, cell string, tokens []*string) *string {
	p.t.Helper()
	canonical, err := p.column(c).AppendOpened(nil, []byte(cell))
	if err != nil {
		p.t.Errorf("column %s: %v", c.Name, err)
		return nil
	}
	return p.shown(c, canonical, tokens)
}

// shown is a value as it is shown, nil of NULL; its tokens are compared with it.
func (p *pair) shown(c *catalog.Column, canonical []byte, tokens []*string) *string {
	p.t.Helper()
	if canonical == nil {
		for i := range c.Layers {
			if tokens[i] != nil {
				p.t.Errorf("column %s: a token of NULL", c.Name)
			}
		}
		return nil
	}
	for i, l := range c.Layers {
		if l.Bare() { // it is compared when it has taken the column's place
			continue
		}
		want, err := p.column(c).AppendToken(nil, l.Capability, canonical)
		if err != nil || tokens[i] == nil || !bytes.Equal(want, []byte(*tokens[i])) {
			p.t.Errorf("column %s: a token of another value, or none: %v", c.Name, err)
		}
	}
	env := p.session.Env
	env.Results, _ = charset.CharsetByName(p.flavor, "utf8mb4")
	shown := string(value.AppendText(nil, &c.Type, canonical, &env))
	if c.Type.Kind == value.Year { // the driver of the tests reads it as a number
		shown = strings.TrimPrefix(shown, "000")
	}
	return &shown
}
