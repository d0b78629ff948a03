package generate

import (
	"fmt"
	"strings"
)

// column is a column of the table.
type column struct {
	name string
	kind
	notNull  bool
	fallback value // DEFAULT; none if its literal is ""
}

// table is the one table of a workload. Its name is t, its primary key pk.
type table struct {
	primary string
	columns []*column
	unique  []*column
	keyed   []*column
}

const (
	columnsMin = 3
	columnsMax = 8
)

// letters begin the names of columns that are in no key, for policies that mix.
var letters = []string{"a", "b", "c", "d", "e", "p"}

func newTable(g *generator) *table {
	t := &table{primary: pick(g, primaries...)}
	for i := range columnsMin + g.IntN(columnsMax-columnsMin+1) {
		c := &column{kind: pick(g, kinds...), notNull: g.chance(1, 5)}
		if g.chance(1, 3) {
			c.fallback = pick(g, c.values...)
		}
		prefix := pick(g, letters...)
		switch {
		case c.sealed:
			prefix, c.fallback = "x", value{}
		case c.nature&indexed != 0 && g.chance(1, 4):
			prefix = "k"
			t.keyed = append(t.keyed, c)
		case c.nature&indexed != 0 && g.chance(1, 8):
			prefix = "k"
			t.unique = append(t.unique, c)
		}
		c.name = fmt.Sprintf("%s%d", prefix, i)
		t.columns = append(t.columns, c)
	}
	return t
}

func (c *column) definition() string {
	d := c.name + " " + c.declared
	if c.notNull {
		d += " NOT NULL"
	}
	if c.fallback.literal != "" {
		d += " DEFAULT " + c.fallback.literal
	}
	return d
}

func (t *table) definition() string {
	lines := []string{"pk " + t.primary + " NOT NULL PRIMARY KEY"}
	for _, c := range t.columns {
		lines = append(lines, c.definition())
	}
	for _, c := range t.keyed {
		lines = append(lines, "KEY ("+c.name+")")
	}
	for _, c := range t.unique {
		lines = append(lines, "UNIQUE KEY ("+c.name+")")
	}
	return "CREATE TABLE t (" + strings.Join(lines, ", ") + ") CHARACTER SET utf8mb4"
}

// having are the columns of a nature.
func (t *table) having(n nature) (found []*column) {
	for _, c := range t.columns {
		if c.nature&n == n {
			found = append(found, c)
		}
	}
	return found
}

// key is the n-th value of the primary key.
func (t *table) key(n int) value {
	if strings.HasPrefix(t.primary, "VARCHAR") {
		return text(fmt.Sprintf("key %03d", n))
	}
	return number(int64(n))
}

func (t *table) isUnique(c *column) bool {
	for _, u := range t.unique {
		if u == c {
			return true
		}
	}
	return false
}
