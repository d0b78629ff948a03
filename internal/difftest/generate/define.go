package generate

import (
	"fmt"
	"slices"
)

// define draws the tables. Where there are several, they share kinds of columns, and
// each has a column of the keys of another, so that joins find something.
func (g *generator) define(count int) {
	if count == 1 {
		g.tables = []*table{newTable(g, "t", kinds, 0)}
		g.table = g.tables[0]
		return
	}
	var some []kind
	for _, i := range g.Perm(len(kinds))[:kindsShared] {
		some = append(some, kinds[i])
	}
	for i, name := range []string{"t", "u", "v"}[:count] {
		g.tables = append(g.tables, newTable(g, name, some, i*columnsOfTable))
	}
	for i, t := range g.tables {
		t.refer(g, g.tables[(i+1)%count], i*columnsOfTable+columnsMax)
	}
	g.table = g.tables[0]
}

const (
	kindsShared    = 7  // of which the tables of a workload are made
	columnsOfTable = 10 // by which the numbers in names of columns differ from table to table
	keysReferred   = 12 // the first keys of a table, which others refer to
)

// refer adds a column with keys of another table.
func (t *table) refer(g *generator, to *table, number int) {
	c := &column{kind: to.keyKind(), refers: to}
	for n := 1; n <= keysReferred; n++ {
		c.values = append(c.values, to.key(n))
	}
	prefix := pick(g, "a", "b", "k", "k")
	if prefix == "k" {
		t.keyed = append(t.keyed, c)
	}
	c.name = fmt.Sprintf("%s%d", prefix, number)
	t.columns = append(t.columns, c)
}

// alter adds a column, which is in no other statement but SELECT *. A transaction is
// ended before.
func (g *generator) alter() Statement {
	if s, first := g.endBefore(); first {
		return s
	}
	return g.addColumn()
}

// endBefore is the COMMIT that goes before a definition while a transaction is open.
func (g *generator) endBefore() (s Statement, first bool) {
	first, g.open = g.open, false
	return Statement{SQL: "COMMIT"}, first
}

func (g *generator) addColumn() Statement {
	g.table.added++
	k, prefix := pick(g, kinds...), pick(g, letters...)
	if k.sealed {
		prefix = "x"
	}
	name := fmt.Sprintf("%s_%d", prefix, g.table.added)
	if len(g.tables) > 1 { // it is used from now on
		g.table.columns = append(g.table.columns, &column{name: name, kind: k})
	}
	return Statement{SQL: fmt.Sprintf("ALTER TABLE %s ADD COLUMN %s %s", g.table.name, name, k.declared)}
}

// change changes a table.
func (g *generator) change() Statement {
	if s, first := g.endBefore(); first {
		return s
	}
	form := pick(g, (*generator).addColumn, (*generator).addColumn, (*generator).dropColumn, (*generator).dropColumn,
		(*generator).createIndex, (*generator).dropIndex, (*generator).rename, (*generator).renameColumn, (*generator).truncate)
	return form(g)
}

// dropColumn takes away a column that is in no key.
func (g *generator) dropColumn() Statement {
	t := g.table
	c := pick(g, t.columns...)
	if len(t.columns) <= columnsMin || c.name[0] == 'k' {
		return g.addColumn()
	}
	t.columns = slices.DeleteFunc(t.columns, func(other *column) bool { return other == c })
	return Statement{SQL: fmt.Sprintf("ALTER TABLE %s DROP COLUMN %s", t.name, c.name)}
}

// createIndex makes a key of columns that already are in one: the others have layers
// that a key cannot stand on under some policy.
func (g *generator) createIndex() Statement {
	t := g.table
	columns := g.some(slices.DeleteFunc(slices.Clone(t.columns), func(c *column) bool { return c.name[0] != 'k' }), 2)
	if len(columns) < 2 || len(t.indexes) > 0 { // servers warn of a key that is there already
		return g.addColumn()
	}
	t.added++
	name := fmt.Sprintf("i_%d", t.added)
	t.indexes = append(t.indexes, name)
	w := g.write("CREATE INDEX %s ON %s (", name, t.name)
	list(w, columns, func(c *column) { w.add("%s", c.name) })
	w.add(")")
	return w.done()
}

func (g *generator) dropIndex() Statement {
	t := g.table
	if len(t.indexes) == 0 {
		return g.createIndex()
	}
	name := t.indexes[0]
	t.indexes = t.indexes[1:]
	return Statement{SQL: fmt.Sprintf(pick(g, "DROP INDEX %[2]s ON %[1]s", "ALTER TABLE %[1]s DROP INDEX %[2]s"), t.name, name)}
}

func (g *generator) rename() Statement {
	t := g.table
	old := t.name
	t.added++
	t.name = fmt.Sprintf("%s_%d", old[:1], t.added)
	return Statement{SQL: fmt.Sprintf(pick(g, "RENAME TABLE %s TO %s", "ALTER TABLE %s RENAME TO %s"), old, t.name)}
}

// renameColumn keeps the first letter, by which policies know the column.
func (g *generator) renameColumn() Statement {
	t := g.table
	c := pick(g, t.columns...)
	old := c.name
	t.added++
	c.name = fmt.Sprintf("%s_%d", old[:1], t.added)
	return Statement{SQL: fmt.Sprintf("ALTER TABLE %s RENAME COLUMN %s TO %s", t.name, old, c.name)}
}

func (g *generator) truncate() Statement {
	if g.chance(2, 3) { // rows are wanted
		return g.renameColumn()
	}
	return Statement{SQL: "TRUNCATE TABLE " + g.table.name}
}
