package generate

// selectWindows computes functions over windows. What depends on the order of rows has
// an order that is total.
func (g *generator) selectWindows() Statement {
	s := source{g.table, "x"}
	w := g.write("SELECT x.pk")
	for range 1 + g.IntN(2) {
		w.add(", ")
		w.window(s)
	}
	w.add(" FROM %s x", s.name)
	w.setWhere(s)
	w.add(" ORDER BY x.pk")
	return w.ordered()
}

func (w *writer) window(s source) {
	c := pick(w.generator, s.columns...)
	switch n := w.IntN(6); {
	case n == 0:
		w.add("%s", pick(w.generator, "RANK()", "DENSE_RANK()", "CUME_DIST()"))
		w.add(" OVER (")
		w.partition(s)
		w.add("ORDER BY x.%s)", c.name)
		return
	case n == 1 && c.nature&numeric != 0:
		w.add("SUM(x.%s) OVER (", c.name)
	case n == 2 && c.nature&(exact|ranged) == exact|ranged:
		w.add(pick(w.generator, "MIN(x.%s)", "MAX(x.%s)"), c.name)
		w.add(" OVER (")
	case n == 3:
		w.add(pick(w.generator, "LAG(x.%s)", "LEAD(x.%s)", "FIRST_VALUE(x.%s)"), c.name)
		w.add(" OVER (")
	case n == 4:
		w.add("COUNT(x.%s) OVER (", c.name)
	default:
		w.add("ROW_NUMBER() OVER (")
	}
	w.partition(s)
	w.add("ORDER BY x.pk%s)", pick(w.generator, "", " DESC"))
}

func (w *writer) partition(s source) {
	if by, grouped := groupable(w.generator, s); grouped {
		w.add("PARTITION BY %s ", by)
	}
}
