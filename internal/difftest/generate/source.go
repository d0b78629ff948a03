package generate

import (
	"slices"
	"strings"
)

// source is a table under the name that a query gives it.
type source struct {
	*table
	alias string
}

// operand is a column of a source, or its primary key.
type operand struct {
	of   source
	name string
	kind
	refers *table
}

func (o operand) String() string { return o.of.alias + "." + o.name }

// operands are the columns of a source, its primary key first.
func (s source) operands() []operand {
	all := []operand{{of: s, name: "pk", kind: s.keyKind()}}
	for _, c := range s.columns {
		all = append(all, operand{of: s, name: c.name, kind: c.kind, refers: c.refers})
	}
	return all
}

// signed are numbers that servers compare as exact numbers, with a sign.
var signed = []string{"TINYINT", "INT", "BIGINT", "DECIMAL(8,2)", "DECIMAL(40,10)", "DECIMAL(6,0)"}

// class says what values of a kind are compared as. Of kinds of one class servers
// compare values without a conversion that they would warn of.
func (k kind) class() string {
	switch {
	case slices.Contains(signed, k.declared):
		return "number"
	case strings.HasPrefix(k.declared, "VARCHAR") && strings.HasSuffix(k.declared, "utf8mb4_bin"):
		return "text"
	}
	return k.declared
}

// match are operands of both sides that can be compared. Keys and what refers to them
// are there more than once, so that they are drawn more often. Two YEARs are not among them: where another condition says
// what one of them is, MariaDB compares the other with that as a date (docs/local.md, Mistakes of servers).
func (g *generator) match(a, b source) (pairs [][2]operand) {
	for _, x := range a.operands() {
		for _, y := range b.operands() {
			switch {
			case x.refers == b.table && y.name == "pk" || y.refers == a.table && x.name == "pk":
				pairs = append([][2]operand{{x, y}, {x, y}, {x, y}}, pairs...)
			case x.class() == y.class() && x.nature&dated == 0 && x.declared != "YEAR":
				pairs = append(pairs, [2]operand{x, y})
			}
		}
	}
	return pairs
}

// sources are n tables under names of their own, perhaps one of them twice.
func (g *generator) sources(n int) (all []source) {
	for _, alias := range []string{"x", "y", "z"}[:n] {
		all = append(all, source{pick(g, g.tables...), alias})
	}
	return all
}

// over writes something about one source, as what is about the one table of a
// statement is written.
func (w *writer) over(s source, write func()) {
	table, qualifier := w.table, w.qualifier
	w.table, w.qualifier = s.table, s.alias+"."
	write()
	w.table, w.qualifier = table, qualifier
}

// other is a table that a statement may read while it writes another.
func (g *generator) other() *table {
	for {
		if t := pick(g, g.tables...); t != g.table {
			return t
		}
	}
}
