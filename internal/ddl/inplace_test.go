package ddl

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"tunic/internal/racetest"
	"tunic/internal/sqlerr"
	"tunic/internal/value"
)

// TestDroppedInPlace: a column with rows that goes is dropped as a plain server drops it, with its
// errors, whatever is needed to have it out of the way while clients go on.
func TestDroppedInPlace(t *testing.T) {
	racetest.InOrder(t)
	const plain = " COMMENT 'tunic: plain'"
	tables := []struct {
		columns string
		values  []string
	}{
		{"q INT" + plain + ", r INT" + plain + ", CONSTRAINT cq CHECK (q > r)", []string{"7", "6"}},
		{"q INT" + plain + ", CHECK (q > 3)", []string{"7"}},
		{"q INT UNSIGNED NOT NULL" + plain, []string{"7"}},
		{"q INT(5) ZEROFILL NOT NULL" + plain, []string{"7"}},
		{"q FLOAT UNSIGNED NOT NULL" + plain, []string{"7"}},
		{"q DECIMAL(5,2) NOT NULL" + plain, []string{"7"}},
		{"q VARCHAR(9) CHARACTER SET latin1 NOT NULL" + plain, []string{"7"}},
		{"q ENUM('a','b') NOT NULL" + plain, []string{"b"}},
		{"q TIMESTAMP NOT NULL" + plain, []string{"2020-02-03"}},
		{"q DATE NOT NULL" + plain, []string{"2020-02-03"}},
		{"q JSON NOT NULL" + plain, []string{"[]"}},
	}
	onServers(t, func(b *bench) {
		p := b.beside()
		for _, table := range tables {
			p.both("CREATE TABLE d (id INT AUTO_INCREMENT PRIMARY KEY, n INT, " + table.columns + ")")
			p.insert("d", slices.Concat([]string{"1", "5"}, table.values)...)
			p.told("ALTER TABLE d DROP COLUMN q")
			b.agrees("DROP of " + table.columns)
			p.compare("d")
			p.both("ALTER TABLE d ADD COLUMN more INT")
			p.compare("d")
			p.both("DROP TABLE d")
		}
	})
}

// TestCheckComesBack: a table that lacks its CHECK has it again when it is copied, whatever else is asked for.
func TestCheckComesBack(t *testing.T) {
	racetest.InOrder(t)
	onServers(t, func(b *bench) {
		p := b.beside()
		for _, change := range []string{"ALGORITHM=COPY", "FORCE, ALGORITHM=COPY", "ENGINE=InnoDB, ALGORITHM=COPY, LOCK=SHARED", "COMMENT='c', ALGORITHM=COPY"} {
			p.both("CREATE TABLE k (id INT AUTO_INCREMENT PRIMARY KEY, n INT NOT NULL)")
			p.insert("k", "1", "2")
			p.both("ALTER TABLE k ADD m INT")
			if !p.table("k").Unchecked {
				t.Fatal("a column that comes beside clients leaves the CHECK")
			}
			p.both("ALTER TABLE k FORCE")
			if !p.table("k").Unchecked {
				t.Error("there is a CHECK without a copy")
			}
			p.both("ALTER TABLE k " + change)
			if p.table("k").Unchecked {
				t.Errorf("%s leaves the table without its CHECK", change)
			}
			b.agrees(change)
			p.compare("k")
			p.both("DROP TABLE k")
		}
	})
}

// TestUnsealedIsNamed: a change that gives a table its CHECK again names the column in which somebody has written around tunic.
func TestUnsealedIsNamed(t *testing.T) {
	onServers(t, func(b *bench) {
		p := b.beside()
		p.both("CREATE TABLE k (id INT AUTO_INCREMENT PRIMARY KEY COMMENT 'tunic: plain', n INT NOT NULL, s VARCHAR(20))")
		p.insert("k", "1", "2", "ab")
		p.both("ALTER TABLE k ADD m INT")
		if err := b.connect("shop").Exec(t.Context(), "UPDATE k SET m = 'in the clear'"); err != nil {
			t.Fatal(err)
		}
		for _, change := range []string{"FORCE, ALGORITHM=COPY", "ALGORITHM=COPY, MODIFY s VARCHAR(30)"} {
			_, err := b.do("ALTER TABLE k " + change)
			if said, ok := errors.AsType[*sqlerr.Error](err); !ok || said.Code != sqlerr.NotAuthentic("m").Code || !strings.Contains(said.Message, "column m") {
				t.Errorf("%s: %v", change, err)
			}
		}
		b.must("ALTER TABLE k ADD o INT")
	})
}

// TestInPlaceOrCopied: what the server does not do in place, or speaks of otherwise there, is
// as where it copies the table.
func TestInPlaceOrCopied(t *testing.T) {
	onServers(t, func(b *bench) {
		p := b.beside()
		p.both("CREATE TABLE w (id INT AUTO_INCREMENT PRIMARY KEY, a VARCHAR(4000), b VARCHAR(4000), c VARCHAR(4000))")
		p.insert("w", "1", "a", "b", "c")
		p.both("ALTER TABLE w DROP a, DROP b, ADD d VARCHAR(4000), ADD e VARCHAR(4000)")
		b.agrees("columns that have room only without those that go")
		p.compare("w")

		p.both("CREATE TABLE m (id INT AUTO_INCREMENT PRIMARY KEY, n INT, p INT COMMENT 'tunic: plain')")
		p.insert("m", "1", "2", "3")
		p.insert("m", "2", "3", "4")
		p.both("ALTER TABLE m ADD m INT")
		p.told("ALTER TABLE m MODIFY m INT NOT NULL")
		b.agrees("NULL in a column that takes none")
		p.compare("m")

		if err := b.connect("shop").Exec(t.Context(), "ALTER TABLE m ADD COLUMN `n$copy` binary(39)"); err != nil {
			t.Fatal(err)
		}
		p.both("ALTER TABLE m MODIFY p BIGINT COMMENT 'tunic: plain'")
		b.agrees("a copy where a stored column was left")
		p.compare("m")
	})
}

// TestColumnsComeAndGo: a table whose columns come and go for as long as one likes does not become
// too wide, though MariaDB goes on counting columns that were dropped at once.
func TestColumnsComeAndGo(t *testing.T) {
	racetest.InOrder(t)
	onServers(t, func(b *bench) {
		p := b.beside()
		p.both("CREATE TABLE g (id INT AUTO_INCREMENT PRIMARY KEY, n INT)")
		p.insert("g", "1", "2")
		anew := func() bool { return strings.Contains(b.seen.text(), "ALTER TABLE `shop`.`g` FORCE") }
		for n := 0; n < 60 && !anew(); n++ { // a row may have 8,126 bytes, and of such a column some 80 count
			b.must("ALTER TABLE g ADD COLUMN w VARCHAR(50) NOT NULL DEFAULT 'x'", "ALTER TABLE g DROP COLUMN w")
			if n > 10 && b.flavor == value.MySQL { // which makes it anew by itself
				break
			}
		}
		if b.flavor == value.MariaDB && !anew() {
			t.Error("the table has not become too wide")
		}
		p.compare("g")
	})
}
