package exec

import (
	"runtime/debug"
	"strings"
	"testing"

	"tunic/internal/value"
)

// TestHostile: expressions and queries that are long or deep are computed or refused, within a stack
// of 64 MiB.
func TestHostile(t *testing.T) {
	defer debug.SetMaxStack(debug.SetMaxStack(64 << 20))
	nest := func(open, inside, shut string, n int) string {
		return strings.Repeat(open, n) + inside + strings.Repeat(shut, n)
	}
	values := nest("'x', ", "'ANN'", "", 10_000)
	for _, flavor := range []value.Flavor{value.MySQL, value.MariaDB} {
		m := newShop(t, flavor)
		for statement, want := range map[string]string{
			"SELECT p.id FROM p JOIN b ON b.who = p.id WHERE b.id = 1 AND " + nest("(", "p.id = b.who", ")", 900):                    "1",
			"SELECT p.id FROM p JOIN b ON b.who = p.id WHERE b.id = 1 AND " + nest("NOT ", "p.id = 1", "", 5000):                     "1",
			"SELECT p.id FROM p JOIN b ON b.who = p.id WHERE p.id = 3 AND (b.id = 9" + nest(" OR p.id = 3", "", "", 5000) + ")":      "3",
			"SELECT b.who" + nest(" + b.who", "", "", 5000) + " FROM p JOIN b ON b.who = p.id WHERE b.id = 1":                        "5001",
			"SELECT " + nest("ABS(", "b.who", ")", 900) + " FROM p JOIN b ON b.who = p.id WHERE b.id = 1":                            "1",
			"SELECT " + nest("CASE WHEN p.id = b.who THEN ", "b.who", " END", 900) + " FROM p JOIN b ON b.who = p.id WHERE b.id = 1": "1",
			"SELECT p.id FROM p JOIN b ON b.who = p.id WHERE b.id = 1 AND p.name IN (" + values + ")":                                "1",
			"SELECT p.id FROM p WHERE p.id = 1 AND p.id IN (SELECT b.who FROM b WHERE b.name IN (" + values + "))":                   "1",
			nest("SELECT id FROM (", "SELECT id FROM p WHERE id = 1", ") AS x", 20):                                                  "1",
			"SELECT id FROM p WHERE id = 1" + nest(" UNION SELECT id FROM p WHERE id = 1", "", "", 150):                              "1",
			"SELECT 'x" + strings.Repeat("y", 1<<20) + "' = p.name FROM p JOIN b ON b.who = p.id WHERE b.id = 1":                     "0",
		} {
			rows, err := m.query(statement)
			if got := strings.Join(rows, " "); err != nil && want != "" || got != want {
				t.Errorf("%.80s…: %.80s, %v", statement, got, err)
			}
		}
	}
}
