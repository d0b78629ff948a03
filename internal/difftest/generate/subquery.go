package generate

import "fmt"

// inner writes a query of one column of s inside of another query. Where it is
// correlated, its rows are those that belong to the row of outer around it.
func (w *writer) inner(selected string, s source, outer source) {
	w.add("(SELECT %s FROM %s %s", selected, s.name, s.alias)
	pairs := w.match(outer, s)
	correlated := len(pairs) > 0 && w.chance(1, 2)
	if correlated {
		p := pick(w.generator, pairs...)
		w.add(" WHERE %s = %s", p[1], p[0])
	}
	if w.chance(2, 3) {
		if correlated {
			w.add(" AND ")
		} else {
			w.add(" WHERE ")
		}
		w.over(s, func() { w.condition(0) })
	}
	w.add(")")
}

// bySubquery writes a condition on a row of outer that a query over s decides.
func (w *writer) bySubquery(outer, s source) {
	pairs := w.match(outer, s)
	if len(pairs) == 0 || w.chance(1, 4) {
		w.add("%sEXISTS ", pick(w.generator, "", "NOT "))
		w.inner("1", s, outer)
		return
	}
	p := pick(w.generator, pairs...)
	o, i := p[0], p[1]
	switch n := w.IntN(8); {
	case n < 3:
		w.add("%s %sIN ", o, pick(w.generator, "", "", "NOT "))
		w.inner(i.String(), s, outer)
	case n == 3:
		w.add("%s ", o)
		w.add("%s ", pick(w.generator, "= ANY", "<> ALL", "= SOME"))
		w.inner(i.String(), s, outer)
	case n == 4 && o.nature&ranged != 0:
		w.add("%s %s %s ", o, pick(w.generator, "<", "<=", ">", ">="), pick(w.generator, "ANY", "ALL"))
		w.inner(i.String(), s, outer)
	case n == 5:
		w.add("(%s, %s.pk) IN (SELECT %s, %s.pk FROM %s %s)", o, outer.alias, i, outer.alias, s.name, s.alias)
	case i.nature&(exact|ranged) == exact|ranged:
		w.add("%s %s ", o, comparison(w.generator, o))
		w.inner(fmt.Sprintf(pick(w.generator, "MIN(%s)", "MAX(%s)"), i), s, outer)
	default:
		w.add("%s IN ", o)
		w.inner(i.String(), s, outer)
	}
}

// selectBySubquery selects the rows of a table that a query over another decides.
func (g *generator) selectBySubquery() Statement {
	outer, s := source{g.table, "x"}, source{pick(g, g.tables...), "y"}
	w := g.write("SELECT x.pk, x.%s FROM %s x WHERE ", pick(g, outer.columns...).name, outer.name)
	w.bySubquery(outer, s)
	if g.chance(1, 3) {
		w.add(" %s ", pick(g, "AND", "AND", "OR"))
		if g.chance(1, 3) {
			w.bySubquery(outer, source{pick(g, g.tables...), "z"})
		} else {
			w.over(outer, func() { w.condition(0) })
		}
	}
	if g.chance(1, 2) {
		return w.done()
	}
	w.joinOrder([]source{outer})
	return w.ordered()
}

// selectSubqueries computes a value of another table's rows for each row.
func (g *generator) selectSubqueries() Statement {
	outer := source{g.table, "x"}
	w := g.write("SELECT x.pk")
	for _, alias := range []string{"y", "z"}[:1+g.IntN(2)] {
		s := source{pick(g, g.tables...), alias}
		w.add(", ")
		if g.chance(1, 4) {
			w.add("EXISTS ")
			w.inner("1", s, outer)
			continue
		}
		w.inner(w.aggregated(s), s, outer)
	}
	w.add(" FROM %s x", outer.name)
	if g.chance(1, 2) {
		w.add(" WHERE ")
		w.over(outer, func() { w.condition(0) })
	}
	w.add(" ORDER BY x.pk")
	return w.ordered()
}

// aggregated is an aggregate of a column of s.
func (w *writer) aggregated(s source) string {
	part := &writer{generator: w.generator}
	part.over(s, func() {
		if c := pick(w.generator, s.columns...); c.nature&dated == 0 {
			part.aggregate(c)
		} else { // MySQL has NULL for MIN of a zero date in all rows but the first
			part.add("COUNT(%s)", part.qualifier+c.name)
		}
	})
	return part.sql.String()
}

// selectDerived selects from the rows of a query.
func (g *generator) selectDerived() Statement {
	s := source{g.table, "x"}
	w := g.write("")
	if g.chance(1, 2) {
		by, _ := groupable(g, s)
		w.add("SELECT d.g, d.n FROM ")
		w.grouped(s, by)
		w.add(" d")
		if g.chance(1, 2) {
			w.add(" WHERE d.n > %d", g.IntN(3))
		}
		return w.done()
	}
	y := source{pick(g, g.tables...), "y"}
	w.add("SELECT d.pk, y.pk FROM (SELECT x.pk FROM %s x", s.name)
	w.add(" WHERE ")
	w.over(s, func() { w.condition(1) })
	w.add(") d ")
	w.joinDerived(s, y)
	return w.done()
}

// grouped writes a query that counts the rows of groups.
func (w *writer) grouped(s source, by operand) {
	w.add("(SELECT %s AS g, COUNT(*) AS n FROM %s %s", by, s.name, s.alias)
	if w.chance(1, 2) {
		w.add(" WHERE ")
		w.over(s, func() { w.condition(0) })
	}
	w.add(" GROUP BY %s)", by)
}

// joinDerived joins y with d, which has the keys of s.
func (w *writer) joinDerived(s, y source) {
	for _, o := range y.operands() {
		if o.refers == s.table || o.name == "pk" && o.class() == s.operands()[0].class() && w.chance(1, 2) {
			w.add("%s %s y ON %s = d.pk", pick(w.generator, "JOIN", "LEFT JOIN"), y.name, o)
			return
		}
	}
	w.add("CROSS JOIN %s y", y.name)
}

// selectCommon selects from a common table expression, once or twice.
func (g *generator) selectCommon() Statement {
	s := source{g.table, "x"}
	by, _ := groupable(g, s)
	w := g.write("WITH d AS ")
	w.grouped(s, by)
	switch g.IntN(3) {
	case 0:
		w.add(" SELECT d.g, d.n FROM d WHERE d.n >= %d", 1+g.IntN(2))
	case 1:
		w.add(" SELECT a.g, b.n FROM d a JOIN d b ON a.g = b.g")
	default:
		w.add(" SELECT x.pk, d.n FROM %s x LEFT JOIN d ON d.g = %s", s.name, by)
	}
	return w.done()
}
