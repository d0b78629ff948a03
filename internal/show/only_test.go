package show

import (
	"fmt"
	"testing"

	"tunic/internal/sql"
)

// TestOnly: the tables that statements can be told of.
func TestOnly(t *testing.T) {
	for text, want := range map[string]string{
		"SELECT 1 FROM columns WHERE table_name = 'a' AND x = 1":                                     "map[columns:[a]]",
		"SELECT 1 FROM i.columns WHERE columns.table_name IN ('a', 'b')":                             "map[columns:[a b]]",
		"SELECT 1 FROM columns WHERE table_name = 'a' OR x = 1":                                      "map[]",
		"SELECT 1 FROM columns WHERE table_name = x":                                                 "map[]",
		"SELECT 1 FROM columns WHERE table_name LIKE 'a'":                                            "map[]",
		"SELECT 1 FROM columns WHERE NOT table_name = 'a'":                                           "map[]",
		"SELECT 1 FROM columns c JOIN tables t ON c.table_name = 'a' WHERE t.table_name = 'b'":       "map[tables:[b]]",
		"SELECT 1 FROM columns c, tables t WHERE table_name = 'b'":                                   "map[]",
		"SELECT 1 FROM columns c WHERE c.table_name = 'a' AND EXISTS (SELECT 1 FROM columns)":        "map[]",
		"SELECT 1 FROM (SELECT * FROM columns) x WHERE x.table_name = 'a'":                           "map[]",
		"SELECT 1 FROM columns WHERE table_name = 'a' UNION SELECT 2 FROM columns WHERE 1":           "map[]",
		"SELECT 1 FROM columns WHERE table_name = 'a' UNION SELECT 2 FROM statistics s":              "map[columns:[a]]",
		"SELECT (SELECT 1 FROM tables WHERE table_name = 'q') FROM columns WHERE table_name = 'a'":   "map[columns:[a] tables:[q]]",
		"SELECT 1 FROM columns a, columns b WHERE a.table_name = 'x' AND b.table_name = 'y'":         "map[columns:[x y]]",
		"SELECT 1 FROM columns a, columns b WHERE a.table_name = 'x'":                                "map[]",
		"SELECT 1 FROM columns WHERE table_name = 'a' COLLATE utf8mb4_bin":                           "map[]",
		"DELETE FROM t WHERE a IN (SELECT column_name FROM columns WHERE table_name = 'a')":          "map[]",
		"INSERT INTO t SELECT column_name FROM columns WHERE table_name = 'a' AND column_name = 'b'": "map[columns:[a]]",
	} {
		all, err := sql.Parse([]byte(text), 0)
		if err != nil || len(all) != 1 {
			t.Fatalf("%s: %v", text, err)
		}
		tree, err := all[0].Tree()
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		got := onlyOf(tree.Root())
		for _, names := range got {
			if len(names) == 2 && names[0] > names[1] { // of aliases in no order
				names[0], names[1] = names[1], names[0]
			}
		}
		if fmt.Sprint(got) != want {
			t.Errorf("%s: %v, want %s", text, got, want)
		}
	}
}

// TestOnlyHas: names that a server may take for equal are all asked for.
func TestOnlyHas(t *testing.T) {
	o := only{"columns": {"Patient "}, "tables": {"é"}}
	for _, c := range []struct {
		relation, table string
		want            bool
	}{
		{"columns", "patient", true},
		{"columns", "visit", false},
		{"columns", "pätient", true},
		{"tables", "e", true},
		{"statistics", "visit", true},
	} {
		if got := o.has(c.relation, c.table); got != c.want {
			t.Errorf("%s %s: %v", c.relation, c.table, got)
		}
	}
}
