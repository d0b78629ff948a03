package shape

import (
	"slices"
	"testing"

	"tunic/internal/sql/ast"
)

// TestInnerWhereDecided: an outer join is an inner one only where a condition certainly is of a table that may have no row.
func TestInnerWhereDecided(t *testing.T) {
	for text, inner := range map[string]bool{
		"SELECT * FROM a LEFT JOIN b ON b.k = a.k WHERE b.x = 1":                                  true,
		"SELECT * FROM a RIGHT JOIN b ON b.k = a.k WHERE a.x IN (1, 2) AND b.x = 1":               true,
		"SELECT * FROM a LEFT JOIN (b JOIN c ON c.k = b.k) ON b.k = a.k WHERE c.x > 1":            true,
		"SELECT * FROM a LEFT JOIN b ON b.k = a.k JOIN c ON c.k = b.x WHERE a.x = 1":              true,
		"SELECT * FROM a LEFT JOIN b ON b.k = a.k WHERE a.x = 1":                                  false,
		"SELECT * FROM a LEFT JOIN b ON b.k = a.k WHERE b.x <=> 1":                                false,
		"SELECT * FROM a LEFT JOIN b ON b.k = a.k WHERE b.x IS NULL":                              false,
		"SELECT * FROM a LEFT JOIN b ON b.k = a.k WHERE b.x = 1 OR a.x = 1":                       false,
		"SELECT * FROM a LEFT JOIN b ON b.k = a.k WHERE NOT b.x = 1":                              false,
		"SELECT * FROM a LEFT JOIN b ON b.k = a.k WHERE b.x NOT IN (1, 2)":                        false,
		"SELECT * FROM a LEFT JOIN b ON b.k = a.k WHERE b.x <> ALL (SELECT 1)":                    false,
		"SELECT * FROM a LEFT JOIN (b JOIN c ON c.k = b.k) ON b.k = a.k WHERE d.b.x = 1":          false,
		"SELECT * FROM d.b LEFT JOIN e.b ON e.b.k = d.b.k WHERE b.x = 1":                          false, // of the one that has such a column
		"SELECT * FROM a LEFT JOIN outside ON outside.k = a.k WHERE outside.x = 1":                false, // of the query around, if this one has none
		"SELECT * FROM a JOIN c ON outside.x = c.k, e LEFT JOIN outside ON e.k = 1 WHERE a.x = 1": false,
	} {
		n := parsed(t, text).(*ast.Select)
		made := InnerWhereDecided(n, func(name string) bool { return name == "outside" })
		if outer := slices.ContainsFunc(made.From, hasOuterJoin); outer == inner {
			t.Errorf("%s: an outer join: %t", text, outer)
		}
	}
}
