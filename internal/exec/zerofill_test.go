package exec

import (
	"slices"
	"strings"
	"testing"

	"tunic/internal/local"
	"tunic/internal/value"
	"tunic/internal/wire"
)

// TestZerofill: what is computed of a ZEROFILL column has no zeros before it, but for MIN and MAX in a
// derived table. Where a server's plan decides, text of it is refused.
func TestZerofill(t *testing.T) {
	for _, flavor := range []value.Flavor{value.MySQL, value.MariaDB} {
		m := newMemory(t, flavor)
		m.table("z", []string{"id int NOT NULL", "a int(6) unsigned zerofill", "g int"}, "1,0,1", "2,12,2", "3,13,2")
		for s, want := range map[string]string{
			"SELECT MIN(z.a), CONCAT(MAX(z.a)) FROM z JOIN z y ON y.id = z.id":              "0,13",
			"SELECT a FROM z UNION SELECT a FROM z":                                         "0 12 13",
			"SELECT CONCAT(m) FROM (SELECT MAX(a) AS m FROM z GROUP BY g) x":                "000000 000013",
			"SELECT CONCAT(m) FROM (SELECT LAST_VALUE(a) OVER (ORDER BY id) AS m FROM z) x": "0 12 13",
			"SELECT CONCAT((SELECT a FROM z WHERE id = 2)) FROM z WHERE id = 1":             "12",
			"SELECT z.g FROM z JOIN z y ON y.id = z.id GROUP BY z.g HAVING MAX(z.a) > 12":   "2",
			"SELECT CONCAT(x.a), x.a FROM (SELECT a, id FROM z) x WHERE x.id = 2":           "000012,000012",
		} {
			rows, err := m.query(s)
			slices.Sort(rows)
			if err != nil || strings.Join(rows, " ") != want {
				t.Errorf("%s: %q, %v", s, rows, err)
			}
		}
		for _, s := range []string{
			"SELECT CONCAT(MAX(z.a)) FROM z JOIN z y ON y.id = z.id GROUP BY z.g",
			"SELECT z.g FROM z JOIN z y ON y.id = z.id GROUP BY z.g HAVING MAX(z.a) LIKE '0%'",
		} {
			if rows, err := m.query(s); err == nil || !strings.Contains(err.Error(), "TUNIC-2010") {
				t.Errorf("%s: %q, %v", s, rows, err)
			}
		}
	}
	m := newMemory(t, value.MySQL)
	m.table("z", []string{"id int NOT NULL", "a int(6) unsigned zerofill"}, "1,0", "2,12")
	for _, s := range []string{
		"SELECT CONCAT(IF(z.id = 1, z.a, z.a)) FROM z JOIN z y ON y.id = z.id",
		"SELECT z.a, COUNT(*) FROM z JOIN z y ON y.id = z.id GROUP BY z.a WITH ROLLUP",
	} {
		if rows, err := m.query(s); err == nil || !strings.Contains(err.Error(), "TUNIC-2010") {
			t.Errorf("%s: %q, %v", s, rows, err)
		}
	}
}

// TestZerofillAsText: only clients of the text protocol see whether a number is filled up.
func TestZerofillAsText(t *testing.T) {
	typ := &value.Type{Kind: value.Int, Unsigned: true}
	o := &result{
		items:   []local.Item{{Typ: typ, MayFill: true}},
		columns: []wire.ColumnDefinition{{Type: wire.TypeLong, Flags: value.FlagUnsigned}},
	}
	if o.suits(0) {
		t.Error("MAX of a group is sent as text")
	}
	if o.binary = true; !o.suits(0) {
		t.Error("a number is refused")
	}
}
