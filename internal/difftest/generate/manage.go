package generate

import "strings"

// written are the sources of a statement that changes the rows of one table and reads
// another.
func (g *generator) written() (target, read source) {
	return source{g.table, g.table.name}, source{g.other(), "y"}
}

// updateBySubquery changes the rows that a query over another table decides.
func (g *generator) updateBySubquery() Statement {
	target, read := g.written()
	w := g.write("UPDATE %s SET ", target.name)
	c := pick(g, g.table.columns...)
	w.add("%s = ", c.name)
	w.value(g.draw(c))
	w.add(" WHERE ")
	w.bySubquery(target, read)
	if g.table.isUnique(c) {
		w.add(" ORDER BY pk")
	}
	return w.done()
}

func (g *generator) removeBySubquery() Statement {
	target, read := g.written()
	w := g.write("DELETE FROM %s WHERE ", target.name)
	w.bySubquery(target, read)
	w.add(" AND ")
	w.over(target, func() { w.condition(0) })
	return w.done()
}

// updateJoined changes rows of one of two tables that are joined, to values, or to
// those of the one row of the other that they refer to.
func (g *generator) updateJoined() Statement {
	x := source{g.table, "x"}
	for _, o := range x.operands() {
		if o.refers == nil || o.refers == g.table {
			continue
		}
		y := source{o.refers, "y"}
		w := g.write("UPDATE %s x JOIN %s y ON y.pk = %s SET ", x.name, y.name, o)
		c := pick(g, x.plainly()...)
		w.add("x.%s = ", c.name)
		w.valueOf(c, y)
		w.add(" WHERE ")
		w.over(pick(g, x, y), func() { w.condition(1) })
		return w.done()
	}
	return g.updateBySubquery()
}

// plainly are the columns that no unique key is on, so that the order of rows does
// not matter.
func (s source) plainly() (columns []*column) {
	for _, c := range s.columns {
		if !s.isUnique(c) {
			columns = append(columns, c)
		}
	}
	if len(columns) == 0 {
		return s.columns
	}
	return columns
}

// valueOf writes what a column of this kind can be set to: a column of y, or a value.
func (w *writer) valueOf(c *column, y source) {
	if like, ok := alike(w.generator, operand{kind: c.kind}, y); ok && !c.notNull && w.chance(1, 2) {
		w.add("%s", like)
		return
	}
	w.value(w.draw(c))
}

// removeJoined deletes rows of one table, or of both, that are joined with others.
func (g *generator) removeJoined() Statement {
	x, y := source{g.table, "x"}, source{g.other(), "y"}
	pairs := g.match(x, y)
	if len(pairs) == 0 {
		return g.removeBySubquery()
	}
	p := pick(g, pairs...)
	w := g.write("DELETE %s FROM %s x %s %s y ON %s = %s WHERE ", pick(g, "x", "x", "x, y"), x.name, pick(g, "JOIN", "JOIN", "LEFT JOIN"), y.name, p[0], p[1])
	w.over(x, func() { w.condition(0) })
	w.add(" AND ")
	w.over(y, func() { w.condition(0) })
	return w.done()
}

// insertSelect inserts rows that a query makes, in one order, under keys of their own.
func (g *generator) insertSelect() Statement {
	from := source{pick(g, g.tables...), "y"}
	if from.operands()[0].class() != (source{g.table, "x"}).operands()[0].class() {
		return g.insert()
	}
	columns := g.given()
	w := g.write("%s INTO %s (pk", pick(g, "INSERT", "INSERT", "INSERT IGNORE", "REPLACE"), g.table.name)
	for _, c := range columns {
		w.add(", %s", c.name)
	}
	w.add(") SELECT %s", g.movedKey(from))
	for _, c := range columns {
		w.add(", ")
		w.valueOf(c, from)
	}
	w.add(" FROM %s y WHERE ", from.name)
	w.over(from, func() { w.condition(1) })
	w.add(" ORDER BY y.pk LIMIT %d", 1+g.IntN(5))
	return w.done()
}

// movedKey is a key made of one of from, which the table mostly has not.
func (g *generator) movedKey(from source) string {
	if strings.HasPrefix(from.primary, "VARCHAR") {
		return pick(g, "CONCAT(y.pk, '+')", "CONCAT(y.pk, 's')", "y.pk")
	}
	return pick(g, "y.pk + 100", "y.pk + 200", "y.pk")
}
