package generate

import (
	"fmt"
	"strings"
)

// from writes a FROM of sources, each joined with one before it.
func (w *writer) from(sources []source) {
	w.add(" FROM %s %s", sources[0].name, sources[0].alias)
	for i, s := range sources[1:] {
		w.join(sources[:i+1], s)
	}
}

// join writes one more source.
func (w *writer) join(before []source, s source) {
	with := pick(w.generator, before...)
	pairs := w.match(with, s)
	if len(pairs) == 0 || len(before) == 1 && w.chance(1, 12) {
		w.add(" CROSS JOIN %s %s", s.name, s.alias)
		return
	}
	w.add(" %s %s %s ON ", pick(w.generator, "JOIN", "JOIN", "INNER JOIN", "LEFT JOIN", "LEFT JOIN", "LEFT OUTER JOIN", "RIGHT JOIN", "STRAIGHT_JOIN"), s.name, s.alias)
	p := pick(w.generator, pairs...)
	w.add("%s %s %s", p[1], pick(w.generator, "=", "=", "=", "=", "=", "<=>"), p[0])
	switch w.IntN(5) {
	case 0:
		p = pick(w.generator, pairs...)
		w.add(" AND %s %s %s", p[0], comparison(w.generator, p[0]), p[1])
	case 1:
		w.add(" AND ")
		w.over(pick(w.generator, with, s), func() { w.condition(0) })
	}
}

// comparison is an operator that the kind of a column allows.
func comparison(g *generator, o operand) string {
	if o.nature&ranged == 0 {
		return pick(g, "=", "<>")
	}
	return pick(g, "=", "<>", "<", "<=", ">", ">=")
}

// joinWhere writes a WHERE about some of the sources.
func (w *writer) joinWhere(sources []source) {
	if w.chance(1, 3) {
		return
	}
	w.add(" WHERE ")
	w.over(pick(w.generator, sources...), func() { w.condition(1) })
	if w.chance(1, 3) {
		w.add(" %s ", pick(w.generator, "AND", "AND", "OR"))
		w.over(pick(w.generator, sources...), func() { w.condition(0) })
	}
}

// keysOf are the primary keys of sources, which tell the rows of a join apart.
func keysOf(sources []source) string {
	var keys []string
	for _, s := range sources {
		keys = append(keys, s.alias+".pk")
	}
	return strings.Join(keys, ", ")
}

// selectJoin selects from two or three tables.
func (g *generator) selectJoin() Statement {
	sources := g.sources(pick(g, 2, 2, 3))
	if g.chance(1, 8) {
		return g.selectUsing(sources[0], sources[1])
	}
	w := g.write("SELECT %s", keysOf(sources))
	for range g.IntN(4) {
		s := pick(g, sources...)
		w.add(", ")
		w.over(s, func() { w.expression(pick(g, s.columns...)) })
	}
	w.from(sources)
	w.joinWhere(sources)
	if g.chance(1, 3) {
		return w.done()
	}
	w.joinOrder(sources)
	return w.ordered()
}

// joinOrder writes an order that is total, and sometimes a limit.
func (w *writer) joinOrder(sources []source) {
	w.add(" ORDER BY ")
	if s := pick(w.generator, sources...); w.chance(1, 2) {
		w.add("%s.%s%s, ", s.alias, pick(w.generator, s.columns...).name, pick(w.generator, "", " DESC"))
	}
	w.add("%s", keysOf(sources))
	if w.chance(1, 3) {
		w.add(" LIMIT %d", w.IntN(8))
	}
}

// selectUsing joins by the primary keys, which have one name.
func (g *generator) selectUsing(a, b source) Statement {
	if a.table == b.table || a.operands()[0].class() != b.operands()[0].class() {
		return g.selectRows()
	}
	w := g.write("SELECT %s FROM %s x ", pick(g, "*", "pk", "pk, "+b.operands()[1].String()), a.name)
	w.add(pick(g, "JOIN %s y USING (pk)", "LEFT JOIN %s y USING (pk)", "NATURAL JOIN %s y", "NATURAL LEFT JOIN %s y"), b.name)
	if g.chance(1, 2) {
		w.add(" WHERE ")
		w.over(a, func() { w.condition(0) })
	}
	return w.done()
}

// selectJoinGroups aggregates what is joined, of all rows or by groups.
func (g *generator) selectJoinGroups() Statement {
	sources := g.sources(pick(g, 2, 2, 3))
	s := pick(g, sources...)
	by, grouped := groupable(g, s)
	w := g.write("SELECT ")
	if grouped {
		w.add("%s, ", by)
	}
	w.add("COUNT(*)")
	for range 1 + g.IntN(2) {
		of := pick(g, sources...)
		w.add(", ")
		w.over(of, func() { w.aggregate(pick(g, of.columns...)) })
	}
	w.from(sources)
	w.joinWhere(sources)
	if !grouped {
		return w.done()
	}
	w.add(" GROUP BY %s", by)
	if g.chance(1, 3) {
		w.add(" HAVING %s", pick(g, "COUNT(*) > 1", "COUNT(*) < 4", fmt.Sprintf("COUNT(DISTINCT %s.pk) > 1", s.alias)))
	}
	if g.chance(1, 2) {
		w.add(" ORDER BY %s", by)
		return w.ordered()
	}
	return w.done()
}

// groupable is a column whose equal values are the same, so that rows may be grouped
// by it, or none: then all rows are one group.
func groupable(g *generator, s source) (by operand, ok bool) {
	var some []operand
	for _, o := range s.operands() {
		if o.nature&exact != 0 && o.nature&dated == 0 {
			some = append(some, o)
		}
	}
	return pick(g, some...), g.chance(2, 3)
}
