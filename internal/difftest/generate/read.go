package generate

import "strings"

// condition writes a condition, of depth conditions inside each other at most.
func (w *writer) condition(depth int) {
	if depth > 0 && w.chance(1, 3) {
		if w.chance(1, 4) {
			w.add("NOT ")
		}
		w.add("(")
		w.condition(depth - 1)
		w.add(" %s ", pick(w.generator, "AND", "OR"))
		w.condition(depth - 1)
		w.add(")")
		return
	}
	if w.chance(1, 6) {
		w.add("%spk %s ", w.qualifier, pick(w.generator, "=", "=", "<", ">", "<>"))
		w.value(w.oldKey())
		return
	}
	w.predicate(pick(w.generator, w.table.columns...))
}

// predicate writes a condition on one column.
func (w *writer) predicate(c *column) {
	name := w.qualifier + c.name
	v := func() value { return pick(w.generator, c.values...) }
	switch n := w.IntN(12); {
	case n == 0:
		w.add("%s IS %sNULL", name, pick(w.generator, "", "NOT "))
	case n == 1:
		w.add("%s <=> ", name)
		if w.table.isUnique(c) { // MySQL takes a unique NULL for one row, and leaves out the order
			w.value(v())
		} else {
			w.value(w.draw(c))
		}
	case n == 2 || n == 3:
		w.add("%s %sIN (", name, pick(w.generator, "", "", "NOT "))
		list(w, make([]struct{}, 1+w.IntN(4)), func(struct{}) { w.value(v()) })
		w.add(")")
	case n < 6 && c.nature&textual != 0:
		w.add("%s %sLIKE ", name, pick(w.generator, "", "", "NOT "))
		w.value(text(pick(w.generator, "a%", "%o%", "%e", "_ob", "alice", "%", "", "%\\_%")))
	case n < 8 && c.nature&ranged != 0:
		w.add("%s %sBETWEEN ", name, pick(w.generator, "", "", "NOT "))
		w.value(v())
		w.add(" AND ")
		w.value(v())
	case n < 10 && c.nature&ranged != 0:
		w.add("%s %s ", name, pick(w.generator, "<", "<=", ">", ">="))
		w.value(v())
	default:
		w.add("%s %s ", name, pick(w.generator, "=", "=", "=", "<>"))
		w.value(v())
	}
}

// where writes a WHERE, mostly.
func (w *writer) where() {
	if w.chance(4, 5) {
		w.add(" WHERE ")
		w.condition(2)
	}
}

// orderBy writes an order that is total, and sometimes a limit.
func (w *writer) orderBy() {
	w.add(" ORDER BY ")
	for _, c := range w.some(w.table.columns, w.IntN(3)) {
		w.add("%s%s, ", c.name, pick(w.generator, "", " DESC"))
	}
	w.add("pk%s", pick(w.generator, "", " DESC"))
	switch w.IntN(4) {
	case 0:
		w.add(" LIMIT %d", w.IntN(5))
	case 1:
		w.add(" LIMIT %d OFFSET %d", 1+w.IntN(5), w.IntN(4))
	}
}

// selected are the names of some columns.
func (g *generator) selected() string {
	if g.chance(1, 4) {
		return "*"
	}
	names := []string{"pk"}
	for _, c := range g.some(g.table.columns, 1+g.IntN(3)) {
		names = append(names, c.name)
	}
	return strings.Join(names, ", ")
}

func (g *generator) selectRows() Statement {
	w := g.write("SELECT %s FROM %s", g.selected(), g.table.name)
	w.where()
	if g.chance(1, 2) {
		return w.done()
	}
	w.orderBy()
	return w.ordered()
}

// selectExpressions computes something of each row.
func (g *generator) selectExpressions() Statement {
	w := g.write("SELECT pk")
	for _, c := range g.some(g.table.columns, 2) {
		w.add(", ")
		w.expression(c)
	}
	w.add(" FROM %s", g.table.name)
	w.where()
	w.add(" ORDER BY pk")
	return w.ordered()
}

func (w *writer) expression(c *column) {
	switch {
	case c.nature&whole != 0 && w.chance(1, 3):
		w.add(pick(w.generator, "%[1]s DIV 3", "%[1]s %% 3"), w.qualifier+c.name)
	case c.nature&numeric != 0 && w.chance(2, 3):
		w.add(pick(w.generator, "%[1]s + 1", "%[1]s * 2", "-%[1]s", "ABS(%[1]s)"), w.qualifier+c.name)
	case c.nature&dated != 0:
		w.add("%s IS NULL", w.qualifier+c.name)
	case c.nature&textual != 0 && w.chance(2, 3):
		w.add(pick(w.generator, "UPPER(%[1]s)", "LENGTH(%[1]s)", "CHAR_LENGTH(%[1]s)", "CONCAT(%[1]s, '-', %[1]s)", "LEFT(%[1]s, 2)"), w.qualifier+c.name)
	default:
		w.add(pick(w.generator, "%[1]s IS NULL", "COALESCE(%[1]s, NULL)", "IF(%[1]s IS NULL, 0, 1)", "%[1]s"), w.qualifier+c.name)
	}
}

// aggregate writes an aggregate of a column, whose outcome no order of rows changes.
func (w *writer) aggregate(c *column) {
	forms := []string{"COUNT(%s)"}
	if c.nature&exact != 0 {
		forms = append(forms, "COUNT(DISTINCT %s)")
	}
	// MariaDB writes MIN of a BIT as a number, or as bits where it groups by a temporary table, and of the year 0000 as one digit or four.
	if c.nature&(exact|ranged) == exact|ranged && !strings.HasPrefix(c.declared, "BIT") && c.declared != "YEAR" {
		forms = append(forms, "MIN(%s)", "MAX(%s)")
	}
	if c.nature&numeric != 0 {
		forms = append(forms, "SUM(%s)", "AVG(%s)")
	}
	w.add(pick(w.generator, forms...), w.qualifier+c.name)
}

func (g *generator) selectAggregates() Statement {
	w := g.write("SELECT COUNT(*)")
	for _, c := range g.some(g.table.columns, 1+g.IntN(3)) {
		w.add(", ")
		w.aggregate(c)
	}
	w.add(" FROM %s", g.table.name)
	w.where()
	return w.done()
}

// selectGroups groups by, or is DISTINCT over, a column whose equal values are the
// same.
func (g *generator) selectGroups() Statement {
	columns := g.table.having(exact)
	if len(columns) == 0 {
		return g.selectAggregates()
	}
	by := pick(g, columns...)
	if g.chance(1, 3) {
		w := g.write("SELECT DISTINCT %s FROM %s", by.name, g.table.name)
		w.where()
		return w.done()
	}
	w := g.write("SELECT %s, COUNT(*), ", by.name)
	w.aggregate(pick(g, g.table.columns...))
	w.add(" FROM %s", g.table.name)
	w.where()
	w.add(" GROUP BY %s", by.name)
	if g.chance(1, 3) {
		w.add(" HAVING COUNT(*) > 1")
	}
	if g.chance(1, 2) {
		w.add(" ORDER BY %s", by.name)
		return w.ordered()
	}
	return w.done()
}
