package ddl

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"testing"

	"tunic/internal/racetest"
	"tunic/internal/sqlerr"
)

// TestCrossedNames: a column that gets the name of another one has its own values under it, and
// the keys are over the columns that they were over, as on a plain server. Each change is made on
// one of the servers, and with TUNIC_LONG on both.
func TestCrossedNames(t *testing.T) {
	racetest.InOrder(t)
	onServers(t, func(b *bench) {
		p, long := b.beside(), os.Getenv("TUNIC_LONG") != ""
		for i, change := range []string{
			"RENAME COLUMN n TO m, RENAME COLUMN m TO n",
			"CHANGE n m INT, CHANGE m n INT",
			"CHANGE n m INT, CHANGE m k INT, CHANGE k n VARCHAR(10)",
			"RENAME COLUMN n TO k, RENAME COLUMN k TO s, RENAME COLUMN s TO n",
			"CHANGE n m INT, CHANGE m x INT, CHANGE x n INT",
			"RENAME COLUMN n TO m, DROP COLUMN m",
			"DROP COLUMN m, RENAME COLUMN n TO m",
			"DROP COLUMN k, CHANGE n k BIGINT",
			"DROP m, ADD m INT",
			"ADD m INT, DROP m",
			"ADD m INT, RENAME COLUMN m TO x",
			"RENAME COLUMN k TO x, ADD k VARCHAR(20) FIRST, ADD KEY (k)",
			"RENAME COLUMN n TO p, RENAME COLUMN p TO n",
			"RENAME COLUMN p TO q, RENAME COLUMN q TO p",
			"RENAME COLUMN n TO m, RENAME COLUMN m TO n, ADD KEY (n), DROP KEY kk",
			"RENAME COLUMN s TO k, RENAME COLUMN k TO s, ALTER COLUMN n SET DEFAULT 7",
			"CHANGE n m INT FIRST, CHANGE m n INT AFTER k",
			"CHANGE k s VARCHAR(10) AFTER n, CHANGE s k VARCHAR(40) FIRST, DROP n, ADD n INT AFTER m",
			"RENAME COLUMN id TO u, RENAME COLUMN u TO id",
			"CHANGE n s BIGINT, CHANGE s n VARCHAR(20) COLLATE utf8mb4_bin",
			"RENAME COLUMN n TO N, RENAME COLUMN m TO M",
			"ADD x INT, ALTER x SET DEFAULT 1",
			"MODIFY n BIGINT, RENAME COLUMN n TO m, DROP m",
			"RENAME COLUMN n TO m, ALTER COLUMN n SET DEFAULT 5, RENAME COLUMN m TO n",
			"ADD x INT, MODIFY x VARCHAR(10)",
			"ADD x INT, CHANGE y x VARCHAR(10)",
			"ADD x INT, RENAME COLUMN x TO y",
			"RENAME COLUMN n TO m, RENAME COLUMN n TO k",
			"DROP n, MODIFY n INT",
		} {
			if !long && i%2 == int(b.flavor)%2 { // each on one of the servers
				continue
			}
			name := fmt.Sprintf("c%d", i)
			p.both("CREATE TABLE " + name + " (id INT PRIMARY KEY, u INT NOT NULL, n INT, m INT, k VARCHAR(10), s VARCHAR(40), p INT COMMENT 'tunic: plain', q INT COMMENT 'tunic: plain', KEY kn (n), KEY kk (k, m), UNIQUE KEY both_ (m, u), KEY (p, n))")
			p.insert(name, "1", "10", "2", "3", "4", "5", "6", "7")
			p.insert(name, "2", "11", "20", "30", "40", "50", "60", "70")
			p.both("ALTER TABLE " + name + " " + change)
			p.insert(name, slices.Repeat([]string{"9"}, len(p.table(name).Columns))...) // the CHECK is over the right columns
			p.compare(name)
			b.asWritten(change)
		}
	})
}

// TestCrossedTexts: names that cross are refused where something else is about one of them,
// before anything is done.
func TestCrossedTexts(t *testing.T) {
	onServers(t, func(b *bench) {
		p := b.beside()
		p.both("CREATE TABLE other (id INT PRIMARY KEY, v INT)")
		for i, with := range []string{
			"CHECK (n > 0)", "CHECK (p > 0)", "g INT AS (n + 1)", "g INT AS (p + 1) COMMENT 'tunic: plain'", "FOREIGN KEY (n) REFERENCES other (id)",
		} {
			name := fmt.Sprintf("r%d", i)
			b.must("CREATE TABLE " + name + " (id INT PRIMARY KEY, n INT, m INT, p INT COMMENT 'tunic: plain', q INT COMMENT 'tunic: plain', KEY (m), " + with + ")")
			for _, change := range []string{"RENAME COLUMN n TO m, RENAME COLUMN m TO n, RENAME COLUMN p TO q, RENAME COLUMN q TO p", "DROP COLUMN n, RENAME COLUMN m TO n, DROP COLUMN p, RENAME COLUMN q TO p"} {
				_, err := b.do("ALTER TABLE " + name + " " + change)
				if said, ok := errors.AsType[*sqlerr.Error](err); !ok || said.Code != sqlerr.DefinitionForm("", "").Code {
					t.Errorf("%s, %s: %v", with, change, err)
				}
			}
			b.asWritten(with)
		}
		b.must("CREATE TABLE child (id INT PRIMARY KEY, o INT, FOREIGN KEY (o) REFERENCES other (id))")
		for _, change := range []string{"RENAME COLUMN id TO v, RENAME COLUMN v TO id", "DROP COLUMN id, CHANGE v id INT PRIMARY KEY"} {
			if _, err := b.do("ALTER TABLE other " + change); !refused(err) {
				t.Errorf("%s of what is referred to: %v", change, err)
			}
		}
	})
}

// TestConvertedPlain: plain columns of text follow the character set of their table where a
// statement says so, and not where only the default is another.
func TestConvertedPlain(t *testing.T) {
	onServers(t, func(b *bench) {
		p := b.beside()
		p.both("CREATE TABLE v (id INT PRIMARY KEY, n INT, p VARCHAR(10) COMMENT 'tunic: plain', e ENUM('a','b') COMMENT 'tunic: plain', q TEXT CHARACTER SET ascii COMMENT 'tunic: plain', k CHAR(3) COLLATE latin1_bin COMMENT 'tunic: plain', KEY (p)) DEFAULT CHARSET=latin1")
		p.insert("v", "1", "2", "à", "b", "q", "é")
		for _, change := range []string{
			"DEFAULT CHARACTER SET utf8mb4",
			"DEFAULT CHARACTER SET latin1 COLLATE latin1_german1_ci, RENAME COLUMN p TO r",
			"CONVERT TO CHARACTER SET utf8mb4",
			"DEFAULT CHARACTER SET latin1, CHANGE r p VARCHAR(10) COMMENT 'tunic: plain'",
			"CONVERT TO CHARACTER SET utf8mb4",
			"DEFAULT CHARACTER SET latin1",
		} {
			before := p.table("v").Definition
			p.both("ALTER TABLE v " + change)
			if p.table("v").Definition == before {
				t.Errorf("%s: nothing has changed", change)
			}
			p.compare("v")
			b.asWritten(change)
		}
		p.insert("v", "2", "3", "日", "b", "q", "é")
		p.compare("v")
	})
}
