package generate

// selectSet is a UNION and its kin, of columns of one kind.
func (g *generator) selectSet() Statement {
	first := source{g.table, "x"}
	o, _ := groupable(g, first)
	w := g.write("SELECT %s FROM %s x", o, first.name)
	w.setWhere(first)
	operation := ""
	for range 1 + g.IntN(2) {
		s := source{pick(g, g.tables...), "y"}
		like, ok := alike(g, o, s)
		if !ok {
			s = source{first.table, "y"}
			like = o
		}
		operation = g.setOperation(operation)
		w.add(" %s SELECT y.%s FROM %s y", operation, like.name, s.name)
		w.setWhere(s)
	}
	if g.chance(1, 2) {
		return w.done()
	}
	w.add(" ORDER BY 1")
	if g.chance(1, 2) {
		w.add(" LIMIT %d", g.IntN(6))
	}
	return w.ordered()
}

// setOperation is one behind another. It is no INTERSECT behind EXCEPT: MySQL 9.7 leaves out a row where
// such an intersection is one of NULL alone.
func (g *generator) setOperation(before string) string {
	operation := pick(g, "UNION", "UNION ALL", "UNION", "UNION ALL", "INTERSECT", "EXCEPT")
	if before == "EXCEPT" && operation == "INTERSECT" {
		return "EXCEPT"
	}
	return operation
}

func (w *writer) setWhere(s source) {
	if w.chance(2, 3) {
		w.add(" WHERE ")
		w.over(s, func() { w.condition(0) })
	}
}

// alike is a column of s that is declared as o is.
func alike(g *generator, o operand, s source) (found operand, ok bool) {
	var some []operand
	for _, other := range s.operands() {
		if other.declared == o.declared {
			some = append(some, other)
		}
	}
	if len(some) == 0 {
		return found, false
	}
	return pick(g, some...), true
}
