package local

import (
	"slices"

	"tunic/internal/eval"
	"tunic/internal/recipe"
	"tunic/internal/sqlerr"
	"tunic/internal/value"
)

// ZEROFILL is of a column. What a server computes of one is a number that nobody fills up with
// zeros, but that a table of the server's own gets a column for MIN and MAX which is made like
// theirs.

// aggregateColumn is the column of the results of an aggregate function. Whether a server has a
// table of its own for groups is its plan's to say; without GROUP BY it has none, unless it is
// MariaDB's for window functions.
func (c *compiler) aggregateColumn(a *eval.Aggregate, hidden bool, g *recipe.Group, rest []recipe.Step) Column {
	t := a.Type()
	mayFill := t.Zerofill && (len(g.By) > 0 || c.program.session.Flavor == value.MariaDB && slices.ContainsFunc(rest, isWindow))
	return Column{Typ: t.Unfilled(), result: true, hidden: hidden, unfilled: t.Zerofill, mayFill: mayFill}
}

// MayFill makes it an eval.Filler.
func (s *Scope) MayFill(index int) bool { return s.Columns[index].mayFill }

func isWindow(s recipe.Step) bool {
	_, is := s.(*recipe.Window)
	return is
}

// rolledUp refuses keys of WITH ROLLUP that MySQL shows without zeros, and computes with others.
func (c *compiler) rolledUp(keys []Item) error {
	fills := func(k Item) bool { return k.Typ.Zerofill }
	if c.program.session.Flavor == value.MySQL && slices.ContainsFunc(keys, fills) {
		return sqlerr.ExpressionRefused("WITH ROLLUP", "a ZEROFILL column")
	}
	return nil
}

// inTable are the types of a block's columns as they are in a derived table.
func inTable(columns []Column, items []Item) {
	for i := range columns {
		if items[i].unfilled {
			filled := *columns[i].Typ
			filled.Zerofill = true
			columns[i].Typ = &filled
		}
	}
}
