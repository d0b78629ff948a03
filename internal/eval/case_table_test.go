package eval

import (
	"bytes"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	"tunic/internal/eval/characters"
	"tunic/internal/value"
	"tunic/internal/value/charset"
)

// caseEnd is behind the last plane that has letters with case.
const caseEnd = 0x20000

// caseCollations are collations of each table, on the servers that have it.
var caseCollations = []struct {
	table, collation string
	flavor           value.Flavor
}{
	{"default", "utf8mb4_general_ci", value.MariaDB},
	{"mariadb-1400", "utf8mb4_uca1400_ai_ci", value.MariaDB},
	{"mariadb-520", "utf8mb4_unicode_520_ci", value.MariaDB},
	{"mysql-520", "utf8mb4_unicode_520_ci", value.MySQL},
	{"mysql-900", "utf8mb4_0900_ai_ci", value.MySQL},
}

// TestCaseTables compares LOWER and UPPER of every character, alone, in every collation
// of the servers' Unicode character sets; with -rewrite it writes the tables anew.
func TestCaseTables(t *testing.T) {
	tables := map[string]string{}
	var lock sync.Mutex
	t.Run("servers", func(t *testing.T) {
		for _, f := range []value.Flavor{value.MariaDB, value.MySQL} {
			t.Run(f.String(), func(t *testing.T) {
				t.Parallel()
				o := connect(t, f)
				o.makeCharacters(t)
				for _, c := range caseCollations {
					if c.flavor == f && *rewrite {
						lines := o.recordCase(t, c.table, c.collation)
						lock.Lock()
						tables[c.table] = lines
						lock.Unlock()
					}
				}
				if !*rewrite {
					o.compareCaseTables(t)
				}
			})
		}
	})
	if *rewrite && !t.Failed() {
		var all strings.Builder
		for _, c := range caseCollations {
			all.WriteString(tables[c.table])
		}
		if err := os.WriteFile("characters/case.tsv", []byte(all.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// letterRun is a line of a table.
type letterRun struct{ first, last, step, delta rune }

// makeCharacters makes a table with a row for each character.
func (o *oracle) makeCharacters(t *testing.T) {
	t.Helper()
	o.exec(t, "CREATE TABLE IF NOT EXISTS characters (id INT PRIMARY KEY, x VARCHAR(1) CHARACTER SET utf8mb4)")
	o.exec(t, "DELETE FROM characters")
	const batch = 0x1000
	for from := rune(0); from < caseEnd; from += batch {
		var rows []string
		for r := max(from, utf8.RuneSelf); r < from+batch; r++ {
			if utf8.ValidRune(r) {
				rows = append(rows, fmt.Sprintf("(%d,x'%x')", r, string(r)))
			}
		}
		if len(rows) > 0 {
			o.exec(t, "INSERT INTO characters VALUES "+strings.Join(rows, ","))
		}
	}
}

// recordCase reads the table of a collation.
func (o *oracle) recordCase(t *testing.T, table, collation string) string {
	t.Helper()
	var out strings.Builder
	for _, direction := range []string{"LOWER", "UPPER"} {
		r := o.query(t, fmt.Sprintf("SELECT x, %s(x COLLATE %s) FROM characters ORDER BY id", direction, collation))
		if r.err != nil {
			t.Fatal(r.err)
		}
		var runs []letterRun
		for _, row := range r.rows {
			from, _ := utf8.DecodeRune(row[0])
			to, n := utf8.DecodeRune(row[1])
			switch {
			case n < len(row[1]):
				t.Errorf("%s of U+%04X in %s is %q", direction, from, collation, row[1])
			case n == 0:
				runs = addToRuns(runs, from, 0)
			case from != to:
				runs = addToRuns(runs, from, to-from)
			}
		}
		for _, run := range runs {
			fmt.Fprintf(&out, "%s\t%s\t%x\t%x\t%d\t%d\n", table, strings.ToLower(direction[:1]), run.first, run.last, run.step, run.delta)
		}
	}
	return out.String()
}

// addToRuns adds a letter to the last run, if it is one more of it.
func addToRuns(runs []letterRun, r, delta rune) []letterRun {
	if n := len(runs); n > 0 && runs[n-1].delta == delta {
		last := &runs[n-1]
		distance := r - last.last
		if last.first == last.last && distance <= 2 {
			last.step = distance
		}
		if distance == last.step {
			last.last = r
			return runs
		}
	}
	return append(runs, letterRun{r, r, 1, delta})
}

// compareCaseTables compares all collations of UTF-8.
func (o *oracle) compareCaseTables(t *testing.T) {
	t.Helper()
	names := o.query(t, "SELECT COLLATION_NAME, CHARACTER_SET_NAME FROM information_schema.COLLATION_CHARACTER_SET_APPLICABILITY WHERE CHARACTER_SET_NAME LIKE 'utf8%' ORDER BY 1, 2")
	compared := 0
	for i, row := range names.rows {
		name, set := string(row[0]), string(row[1])
		if strings.HasPrefix(name, "uca1400") {
			name = set + "_" + name
		}
		collation, ok := charset.Lookup(o.flavor, name)
		if !ok || *seedFlag != 0 && i%40 > 0 && !isOfTable(name) {
			continue
		}
		end := caseEnd
		if set != "utf8mb4" {
			end = 0x10000
		}
		compared++
		o.compareCaseTable(t, name, set, end, characters.CaseTableOf(o.flavor, collation))
	}
	t.Logf("%d collations", compared)
}

func isOfTable(name string) bool {
	for _, c := range caseCollations {
		if c.collation == name {
			return true
		}
	}
	return false
}

func (o *oracle) compareCaseTable(t *testing.T, name, set string, end int, table *characters.CaseTable) {
	t.Helper()
	if table == nil {
		t.Fatalf("%s has no table", name)
	}
	r := o.query(t, fmt.Sprintf("SELECT x, LOWER(CONVERT(x USING %s) COLLATE %s), UPPER(CONVERT(x USING %s) COLLATE %s) FROM characters WHERE id < %d ORDER BY id", set, name, set, name, end))
	if r.err != nil {
		t.Fatal(r.err)
	}
	failed := 0
	for _, row := range r.rows {
		for i, toUpper := range []bool{false, true} {
			ours, known := table.AppendCase(nil, row[0], toUpper)
			if known && !bytes.Equal(ours, row[1+i]) && failed < 5 {
				failed++
				t.Errorf("%q in upper case %t in %s: server %q, here %q", row[0], toUpper, name, row[1+i], ours)
			}
		}
	}
}
