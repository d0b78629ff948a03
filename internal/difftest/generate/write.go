package generate

// draw is a value for a column that fits, or NULL.
func (g *generator) draw(c *column) value {
	if !c.notNull && g.chance(1, 6) {
		return null
	}
	return pick(g, c.values...)
}

// misfit is one of the columns, with a value that does not fit it; mostly none. Of
// several such values servers report some.
func (g *generator) misfit(columns []*column) (*column, value) {
	for _, c := range g.some(columns, 1) {
		if len(c.bad) > 0 && g.chance(1, 4) {
			return c, pick(g, c.bad...)
		}
	}
	return nil, value{}
}

// newKey is a key that no row has, or sometimes one that was there before.
func (g *generator) newKey() value {
	if g.table.nextPK > 0 && g.chance(1, 12) {
		return g.oldKey()
	}
	g.table.nextPK++
	return g.table.key(g.table.nextPK)
}

func (g *generator) oldKey() value { return g.table.key(1 + g.IntN(g.table.nextPK+1)) }

// given are the columns that an INSERT names. Those without a default have to be
// among them.
func (g *generator) given() (columns []*column) {
	for _, c := range g.table.columns {
		if c.notNull && c.fallback.literal == "" || g.chance(5, 6) {
			columns = append(columns, c)
		}
	}
	return columns
}

// rows writes the columns and rows of an INSERT or REPLACE. Only a single row has
// values that may not fit: of several, a server has done those before it.
func (w *writer) rows() {
	columns := w.given()
	w.add("(pk")
	for _, c := range columns {
		w.add(", %s", c.name)
	}
	w.add(") VALUES ")
	count := pick(w.generator, 1, 1, 2, 5)
	misfit, bad := w.misfit(columns)
	list(w, make([]struct{}, count), func(struct{}) {
		w.add("(")
		w.value(w.newKey())
		for _, c := range columns {
			w.add(", ")
			if count == 1 && c == misfit {
				w.value(bad)
			} else {
				w.value(w.draw(c))
			}
		}
		w.add(")")
	})
}

func (g *generator) insert() Statement {
	w := g.write("INSERT %sINTO ", pick(g, "", "", "", "IGNORE "))
	w.add("%s ", g.table.name)
	w.rows()
	return w.done()
}

func (g *generator) replace() Statement {
	w := g.write("REPLACE INTO %s ", g.table.name)
	w.rows()
	return w.done()
}

// upsert is an INSERT of one row, which may be there already.
func (g *generator) upsert() Statement {
	w := g.write("INSERT INTO %s (pk", g.table.name)
	columns := g.given()
	for _, c := range columns {
		w.add(", %s", c.name)
	}
	w.add(") VALUES (")
	w.value(g.oldKey())
	for _, c := range columns {
		w.add(", ")
		w.value(g.draw(c))
	}
	w.add(") ON DUPLICATE KEY UPDATE ")
	c := pick(g, g.table.columns...)
	w.add("%s = ", c.name)
	if g.chance(1, 3) {
		w.add("VALUES(%s)", c.name)
	} else {
		w.value(g.draw(c))
	}
	return w.done()
}

// update changes rows. Where rows could get into each other's way, they do so in
// one order.
func (g *generator) update() Statement {
	w := g.write("UPDATE %s SET ", g.table.name)
	columns := g.some(g.table.columns, 1+g.IntN(2))
	computed := false
	list(w, columns, func(c *column) { computed = w.assign(c) || computed })
	if !g.chance(1, 10) {
		w.add(" WHERE ")
		w.condition(2)
	}
	if g.chance(1, 3) || computed || g.touchesUnique(columns) {
		w.add(" ORDER BY pk%s", pick(g, "", " DESC"))
		if g.chance(1, 2) {
			w.add(" LIMIT %d", 1+g.IntN(4))
		}
	}
	return w.done()
}

func (g *generator) touchesUnique(columns []*column) bool {
	for _, c := range columns {
		if g.table.isUnique(c) {
			return true
		}
	}
	return false
}

// assign writes one assignment, mostly of a value. One that is computed may fail at a
// row, of which an error tells the number.
func (w *writer) assign(c *column) (computed bool) {
	w.add("%s = ", c.name)
	switch {
	case c.nature&numeric != 0 && w.chance(1, 3):
		w.add("%s %s ", c.name, pick(w.generator, "+", "-", "*"))
		w.value(number(int64(w.IntN(3))))
	case c.nature&(textual|exact) == textual|exact && w.chance(1, 5):
		w.add("CONCAT(%s, '!')", c.name)
	default:
		w.value(w.draw(c))
		return false
	}
	return true
}

func (g *generator) remove() Statement {
	w := g.write("DELETE FROM %s WHERE ", g.table.name)
	w.condition(1)
	if g.chance(2, 3) {
		w.add(" ORDER BY pk LIMIT %d", 1+g.IntN(3))
	}
	return w.done()
}

// some are up to n different columns.
func (g *generator) some(from []*column, n int) (columns []*column) {
	for _, i := range g.Perm(len(from))[:min(n, len(from))] {
		columns = append(columns, from[i])
	}
	return columns
}
