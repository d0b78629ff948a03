package ddl

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"tunic/internal/racetest"
	"tunic/internal/value"
)

// inFamilies are the columns of a table that are in families, and whether a stored column of a family is there.
func (p *pair) inFamilies(name string) string {
	var names []string
	for _, c := range p.table(name).Columns {
		if c.Family != "" {
			names = append(names, c.Name)
		}
	}
	for _, column := range p.storedColumns("shop", name) {
		if stored := strings.Fields(column)[0]; strings.HasSuffix(stored, "$form") {
			names = append(names, stored)
		}
	}
	return strings.Join(names, " ")
}

// TestFamilyMisfits is TestMisfits for columns of a family: each leaves it with the change of its type, if that is made.
func TestFamilyMisfits(t *testing.T) {
	racetest.InOrder(t)
	onServers(t, func(b *bench) {
		p := b.beside()
		p.both("CREATE TABLE m (id INT AUTO_INCREMENT PRIMARY KEY, n INT COMMENT 'tunic: family f', k INT NOT NULL COMMENT 'tunic: family f', d DECIMAL(10,3) COMMENT 'tunic: family f'," +
			" s VARCHAR(20) COMMENT 'tunic: equality family f', u VARCHAR(10) CHARACTER SET utf8mb4 COMMENT 'tunic: family f', e ENUM('a','b','c') COMMENT 'tunic: family f', KEY (k))")
		p.insert("m", "1", "1", "7", "1.5", "abc", "x", "a")
		p.insert("m", "2", "300", "-7", "123456.789", "abcdefgh", "é😀", "c")
		p.insert("m", "3", "", "70", "", "ab    ", "x", "b")
		p.insert("m", "4", "70000", "700", "-9999999.999", "abcdefghij", "😀", "")
		mode := b.session.Env.Mode
		for _, c := range []struct {
			strict       bool
			change, left string
		}{
			{true, "MODIFY n TINYINT COMMENT 'tunic: family f'", "n k d s u e f$form"},
			{true, "MODIFY s VARCHAR(5), MODIFY d DECIMAL(5,3)", "n k d s u e f$form"},
			{true, "MODIFY u VARCHAR(10) CHARACTER SET latin1", "n k d s u e f$form"},
			{true, "MODIFY d DECIMAL(12,4) AFTER e", "n k s u e f$form"},
			{true, "MODIFY e ENUM('c','b','a','x'), ADD COLUMN z INT DEFAULT 5 COMMENT 'tunic: family f'", "n k s u z f$form"},
			{false, "MODIFY n TINYINT UNSIGNED, DROP COLUMN z", "k s u f$form"},
			{false, "MODIFY s VARCHAR(6) COLLATE utf8mb4_bin", "k u f$form"},
			{false, "CHANGE k kk BIGINT UNSIGNED NOT NULL FIRST", "u f$form"},
			{false, "MODIFY u VARCHAR(10) CHARACTER SET latin1", ""},
		} {
			if b.session.Env.Mode = mode | value.StrictTransTables; !c.strict {
				b.session.Env.Mode = mode &^ (value.StrictTransTables | value.StrictAllTables)
			}
			for _, client := range []*client{b.client, p.plain} {
				if err := client.Exec(t.Context(), "SET SESSION sql_mode = '"+map[bool]string{true: "STRICT_TRANS_TABLES"}[c.strict]+"'"); err != nil {
					t.Fatal(err)
				}
			}
			p.told("ALTER TABLE m " + c.change)
			b.agrees(c.change)
			p.compare("m")
			if in := p.inFamilies("m"); in != c.left {
				t.Errorf("%s: in families are %s", c.change, in)
			}
		}
		b.noTwinLeft()
	})
}

// TestFamilyForms: columns leave a family for another domain, because a foreign key is to change them, and with the table's engine;
// those of an empty table leave for anything.
func TestFamilyForms(t *testing.T) {
	racetest.InOrder(t)
	onServers(t, func(b *bench) {
		p := b.beside()
		const columns = " (id INT AUTO_INCREMENT PRIMARY KEY, a INT COMMENT 'tunic: equality family f', b INT COMMENT 'tunic: family f', s VARCHAR(10) COMMENT 'tunic: sealed family f', KEY (a), KEY (b))"
		p.both("CREATE TABLE above (id INT PRIMARY KEY, v INT, UNIQUE KEY (v))")
		p.both("CREATE TABLE f" + columns)
		p.insert("above", "5", "5")
		p.insert("f", "1", "5", "5", "five")
		p.insert("f", "2", "", "", "")
		for _, c := range [][2]string{
			{"ADD CONSTRAINT fb FOREIGN KEY (b) REFERENCES above (v)", "a s f$form"},
			{"ADD CONSTRAINT fa FOREIGN KEY (a) REFERENCES above (v) ON DELETE SET NULL ON UPDATE CASCADE", "s f$form"},
			{"DROP FOREIGN KEY fa, DROP FOREIGN KEY fb", "s f$form"},
			{"ENGINE=MyISAM", "s f$form"},
			{"ENGINE=MEMORY", ""},
		} {
			p.both("ALTER TABLE f " + c[0])
			b.agrees(c[0])
			p.compare("f")
			if in := p.inFamilies("f"); in != c[1] {
				t.Errorf("%s: in families are %s", c[0], in)
			}
		}
		for i, c := range [][2]string{
			{"MODIFY a INT COMMENT 'tunic: plain'", "b s f$form"}, {"MODIFY b VARCHAR(20) NOT NULL", "a s f$form"}, {"MODIFY s JSON", "a b f$form"},
			{"MODIFY a INT COMMENT 'tunic: plain', MODIFY b INT COMMENT 'tunic: plain'", "s f$form"},
			{"MODIFY a INT COMMENT 'tunic: plain', MODIFY b DATE, MODIFY s INT NOT NULL", ""},
			{"ADD CONSTRAINT FOREIGN KEY (a) REFERENCES above (v) ON UPDATE CASCADE", "b s f$form"},
		} {
			p.both("DROP TABLE f")
			p.both("CREATE TABLE f" + columns)
			p.both("ALTER TABLE f " + c[0])
			b.agrees(c[0])
			p.compare("f")
			if in := p.inFamilies("f"); in != c[1] {
				t.Errorf("%d, %s: in families are %s", i, c[0], in)
			}
		}
		b.noTwinLeft()
	})
}

// TestFamilyLeft: a statement that changes a column which has left its family does not ask for the family, though its annotation
// stands; one that annotates it anew does.
func TestFamilyLeft(t *testing.T) {
	onServers(t, func(b *bench) {
		b.must(orderLine)
		b.must("ALTER TABLE line MODIFY amount DECIMAL(7,3) COMMENT 'tunic: family line'")
		b.must("ALTER TABLE line MODIFY amount DECIMAL(8,3) COMMENT 'tunic: family line', ADD COLUMN z INT COMMENT 'tunic: family line'")
		b.refuses(2066, "ALTER TABLE line MODIFY amount DECIMAL(8,3) COMMENT 'tunic: family other'")
		b.refuses(2066, "ALTER TABLE line MODIFY info CHAR(24) COMMENT 'tunic: family line'")
		var in []string
		for _, c := range b.ledger.Catalog().Table("shop", "line").Columns {
			if c.Family != "" {
				in = append(in, c.Name)
			}
		}
		if !slices.Equal(in, []string{"o", "w", "z"}) {
			b.t.Errorf("in the family are %v", in)
		}
		b.asWritten("a column has left")
	})
}

// TestFamilyNotNull: a column of a family that takes no NULL any more stays in it, if no row is NULL there: the server sees that of a
// layer, and tunic of the values.
func TestFamilyNotNull(t *testing.T) {
	racetest.InOrder(t)
	onServers(t, func(b *bench) {
		p := b.beside()
		b.session.Env.Mode |= value.StrictTransTables
		for _, client := range []*client{b.client, p.plain} {
			if err := client.Exec(t.Context(), "SET SESSION sql_mode = 'STRICT_TRANS_TABLES'"); err != nil {
				t.Fatal(err)
			}
		}
		const columns = "n INT COMMENT 'tunic: family f', m DATE COMMENT 'tunic: family f', e VARCHAR(10) COMMENT 'tunic: equality family f', d INT"
		for _, key := range []string{"id INT AUTO_INCREMENT PRIMARY KEY", "id VARCHAR(5) COMMENT 'tunic: family f', PRIMARY KEY (id)", "id FLOAT COMMENT 'tunic: plain', PRIMARY KEY (id)", "id INT"} {
			p.both("CREATE TABLE m (" + key + ", " + columns + ")")
			p.insert("m", "1", "5", "", "e", "9")
			p.insert("m", "2", "", "2024-02-29", "", "9")
			for _, change := range []string{
				"MODIFY n INT NOT NULL", "MODIFY e VARCHAR(10) NOT NULL", "MODIFY n INT NOT NULL, MODIFY e VARCHAR(10) NOT NULL, DROP COLUMN d",
				"MODIFY n INT NOT NULL, MODIFY m DATE NOT NULL",
			} {
				if strings.HasSuffix(key, "INT") && strings.Contains(change, ",") { // whose rows have no order
					continue
				}
				if !strings.Contains(key, "KEY") || strings.HasPrefix(key, "id VARCHAR") { // whose rows have no order, or another one
					p.both("ALTER TABLE m " + change)
				} else {
					p.told("ALTER TABLE m " + change)
				}
				b.agrees(change)
				p.compare("m")
			}
			p.both("DROP TABLE m")
		}
		for _, changes := range [][]string{
			{"MODIFY n INT NOT NULL DEFAULT 7", "MODIFY e VARCHAR(10) NOT NULL", "MODIFY n INT"},
			{"MODIFY n INT NOT NULL, MODIFY m DATE NOT NULL, MODIFY e VARCHAR(10) NOT NULL, MODIFY d INT NOT NULL"},
			{"MODIFY n INT NOT NULL, ADD CHECK (d < 10)", "MODIFY m DATE NOT NULL, ADD KEY (d)", "MODIFY n INT NOT NULL FIRST, DROP COLUMN e, ALGORITHM=COPY"},
			{"MODIFY n BIGINT NOT NULL, MODIFY m DATETIME NOT NULL", "MODIFY e VARCHAR(200) NOT NULL", "ADD UNIQUE KEY (n)"},
			{"ADD KEY (n), MODIFY n INT NOT NULL"},
			{"ADD PRIMARY KEY (n, m)"},
		} {
			p.both("CREATE TABLE m (id INT AUTO_INCREMENT UNIQUE KEY, " + columns + ")")
			p.insert("m", "1", "5", "2000-01-01", "e", "9")
			p.insert("m", "2", "6", "2024-02-29", "", "9")
			p.insert("m", "3", "7", "2024-02-28", "f", "9")
			for _, change := range changes {
				p.both("ALTER TABLE m " + change)
				b.agrees(change)
				p.compare("m")
			}
			p.both("DROP TABLE m")
		}
		b.noTwinLeft()
	})
}

// TestDomainUnderCheck: a column that a CHECK and a generated column read gets tokens of another domain, whether it is in a family or
// not: its values stay what they are.
func TestDomainUnderCheck(t *testing.T) {
	onServers(t, func(b *bench) {
		p := b.beside()
		p.both("CREATE TABLE above (id INT PRIMARY KEY, v INT, UNIQUE KEY (v))")
		p.insert("above", "1", "5")
		for _, comment := range []string{"", " COMMENT 'tunic: equality family f'"} {
			p.both("CREATE TABLE m (id INT PRIMARY KEY, n INT" + comment + ", g INT AS (n + 1) STORED, KEY (n), CHECK (n > 1))")
			stored, _ := p.row(p.table("m"), []string{"1", "5", "6"})
			if err := b.client.Exec(t.Context(), stored); err != nil {
				t.Fatal(err)
			}
			if err := p.plain.Exec(t.Context(), "INSERT INTO plain.m (id, n) VALUES (1, 5)"); err != nil {
				t.Fatal(err)
			}
			p.both("ALTER TABLE m ADD CONSTRAINT mn FOREIGN KEY (n) REFERENCES above (v)")
			b.agrees("another domain")
			p.compare("m")
			p.both("DROP TABLE m")
		}
	})
}

// TestFamilyLoose: where an UPDATE cannot read rows first any more, columns that nobody has asked to be in a family leave it.
func TestFamilyLoose(t *testing.T) {
	onServers(t, func(b *bench) {
		p := b.beside()
		together := protecting()
		together.Together = true
		b.definer.SetPolicy(together)
		for change, left := range map[string]string{
			"ENGINE=MyISAM": "asked f$form", "DROP PRIMARY KEY": "asked f$form", "DROP PRIMARY KEY, ADD PRIMARY KEY (n)": "n g asked row$form f$form",
		} {
			p.both("CREATE TABLE m (id INT PRIMARY KEY COMMENT 'tunic: plain', n INT NOT NULL, g INT AS (n + 1) STORED, asked VARCHAR(10) COMMENT 'tunic: family f')")
			if err := p.plain.Exec(t.Context(), "INSERT INTO plain.m (id, n, asked) VALUES (1, 5, 'a')"); err != nil {
				t.Fatal(err)
			}
			stored, _ := p.row(p.table("m"), []string{"1", "5", "6", "a"})
			if err := b.client.Exec(t.Context(), stored); err != nil {
				t.Fatal(err)
			}
			p.both("ALTER TABLE m " + change)
			b.agrees(change)
			p.compare("m")
			if in := p.inFamilies("m"); in != left {
				t.Errorf("%s: in families are %s", change, in)
			}
			p.both("DROP TABLE m")
		}
	})
}

// TestFamilyOnlyNull: a column that is NULL in all rows may get any type, and become a plain one, which the server does not see.
func TestFamilyOnlyNull(t *testing.T) {
	onServers(t, func(b *bench) {
		p := b.beside()
		for i, change := range []string{"MODIFY n DATE", "MODIFY n VARCHAR(20) COMMENT 'tunic: plain'", "MODIFY n DATE, MODIFY s INT, MODIFY e POINT", "MODIFY e POINT"} {
			p.both("CREATE TABLE m (id INT AUTO_INCREMENT PRIMARY KEY, n INT COMMENT 'tunic: family f', s VARCHAR(10) COMMENT 'tunic: family f', k INT COMMENT 'tunic: family f', e INT)")
			p.insert("m", "1", "", "", "3", "")
			p.insert("m", "2", "", "", "", "")
			if i == 0 {
				b.refuses(2047, "ALTER TABLE m MODIFY k DATE")
				b.refuses(2047, "ALTER TABLE m MODIFY n DATE, MODIFY k INT COMMENT 'tunic: plain'")
			}
			p.both("ALTER TABLE m " + change)
			b.agrees(change)
			p.compare("m")
			p.both("DROP TABLE m")
		}
		b.noTwinLeft()
	})
}

// TestFamilyCrossed: columns leave their family in statements that do more: give columns the names of others, move them, bring keys
// and layers over them, and copy the table. Each is made on one of the servers, and with TUNIC_LONG on both.
func TestFamilyCrossed(t *testing.T) {
	racetest.InOrder(t)
	onServers(t, func(b *bench) {
		p, long := b.beside(), os.Getenv("TUNIC_LONG") != ""
		for i, change := range []string{
			"CHANGE n m DECIMAL(12,2), CHANGE m n INT",
			"CHANGE n m DECIMAL(12,2), CHANGE m n DECIMAL(10,1)",
			"DROP m, CHANGE n m DECIMAL(12,2) FIRST",
			"CHANGE n x DECIMAL(12,2), ADD COLUMN n INT NOT NULL DEFAULT 4 COMMENT 'tunic: sealed family f'",
			"CHANGE n x DECIMAL(12,2) AFTER s, CHANGE k n VARCHAR(10) COMMENT 'tunic: equality family f', DROP m",
			"MODIFY n DECIMAL(12,2), MODIFY k VARCHAR(30) COLLATE utf8mb4_bin FIRST, MODIFY m BIGINT COMMENT 'mine', ADD KEY (k)",
			"MODIFY k VARCHAR(30) COLLATE utf8mb4_bin, ADD UNIQUE KEY u (k, id), ADD COLUMN late INT NOT NULL DEFAULT 7 COMMENT 'tunic: equality'",
			"CONVERT TO CHARACTER SET latin1",
			"MODIFY n DECIMAL(12,2), ALGORITHM=COPY",
			"MODIFY n INT NOT NULL, MODIFY m DECIMAL(12,2) NOT NULL, ALGORITHM=COPY",
			"MODIFY n DECIMAL(12,2), DROP PRIMARY KEY, ADD PRIMARY KEY (id, u)",
			"MODIFY k VARCHAR(10) NOT NULL, DROP PRIMARY KEY, ADD PRIMARY KEY (k, id)",
			"MODIFY s VARCHAR(300), MODIFY n BIGINT",
			"MODIFY s TEXT, RENAME COLUMN n TO nn",
		} {
			if !long && i%2 == int(b.flavor)%2 {
				continue
			}
			name := fmt.Sprintf("c%d", i)
			p.both("CREATE TABLE " + name + " (id INT PRIMARY KEY COMMENT 'tunic: equality family f', u INT NOT NULL COMMENT 'tunic: equality', n INT COMMENT 'tunic: sealed family f', m INT COMMENT 'tunic: sealed family g'," +
				" k VARCHAR(10) COMMENT 'tunic: equality family f', s VARCHAR(40) COMMENT 'tunic: sealed family g', p INT COMMENT 'tunic: plain')")
			p.insert(name, "1", "10", "2", "3", "four", "5", "6")
			p.insert(name, "2", "11", "20", "30", "FOUR", "50", "")
			p.both("ALTER TABLE " + name + " " + change)
			p.compare(name)
			b.agrees(change)
			p.insert(name, slices.Repeat([]string{"9"}, len(p.table(name).Columns))...)
			p.compare(name)
		}
		b.noTwinLeft()
	})
}
