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
	fallback value  // DEFAULT; none if its literal is ""
	refers   *table // whose keys it has; nil: it has values of its own
}

// table is a table of a workload. Its primary key is pk.
type table struct {
	name    string
	primary string
	columns []*column
	unique  []*column
	keyed   []*column
	indexes []string // made by CREATE INDEX
	nextPK  int      // the number of the key that was made up last
	added   int      // columns, by ALTER TABLE
}

const (
	columnsMin = 3
	columnsMax = 8
)

// letters begin the names of columns that are in no key, for policies that mix.
var letters = []string{"a", "b", "c", "d", "e", "p"}

// newTable draws a table of columns of these kinds. Their names end in numbers from
// first on.
func newTable(g *generator, name string, from []kind, first int) *table {
	t := &table{name: name, primary: pick(g, primaries...)}
	for i := range columnsMin + g.IntN(columnsMax-columnsMin+1) {
		c := &column{kind: pick(g, from...), notNull: g.chance(1, 5)}
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
		c.name = fmt.Sprintf("%s%d", prefix, first+i)
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
	return "CREATE TABLE " + t.name + " (" + strings.Join(lines, ", ") + ") CHARACTER SET utf8mb4"
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

// keyKind is the kind of the primary key's values.
func (t *table) keyKind() kind {
	if strings.HasPrefix(t.primary, "VARCHAR") {
		return kind{declared: t.primary, nature: exact | ranged | indexed | textual}
	}
	return kind{declared: t.primary, nature: exact | ranged | indexed | numeric}
}
