package build

import (
	"slices"

	"tunic/internal/catalog"
	"tunic/internal/plan/columns"
	"tunic/internal/policy"
	"tunic/internal/recipe"
	"tunic/internal/sql/ast"
)

// Rows that meet none of another table are of no use, whoever says which rows of that table are left. Where the server does
// (reduce), they are not sent. Where tunic does, by a condition that the server cannot decide, their tokens tell as soon as they
// come, and they are not opened:
//
//	SELECT … FROM part, lineitem WHERE p_partkey = l_partkey AND p_brand = 'Brand#23'
//
//	remote   select …, p_partkey$eq … from part union all select …, l_partkey$eq … from lineitem
//	local    of lineitem only the rows whose l_partkey$eq is the p_partkey$eq of a part of this brand
//
// So the rows of a table come behind those of the tables that they have to meet, where that can be.

// heldTo is a meeting of rows that come with rows that have come before.
type heldTo struct {
	*meeting
	own, other int // the cells of the tokens
}

// mayMeetHere reports whether rows may be left out by their tokens when they come.
func (t *treeBuilder) mayMeetHere() bool {
	locks := func(f *fetched) bool { return f.lock != ast.NoLock } // which are found again by what has come
	return len(t.fetched) > 1 && !t.withoutTokens && !t.secret && t.writes == nil && !t.inserted && !slices.ContainsFunc(t.fetched, locks)
}

// arrange puts the fetched rows in the order in which they are to come, and finds those that are held to others.
func (t *treeBuilder) arrange(all []meeting) {
	if !t.mayMeetHere() {
		return
	}
	if all = byTokens(all); len(all) > meetingsMost {
		return
	}
	if !slices.ContainsFunc(t.fetched, func(f *fetched) bool { return f.limited != nil }) {
		t.fetched = inOrder(t.fetched, all)
	}
	for i, f := range t.fetched {
		for at := range all {
			m := &all[at]
			if m.of == f && slices.Index(t.fetched, m.by) < i && t.choosesHere(m) {
				t.held = append(t.held, heldTo{meeting: m})
			}
		}
	}
}

// meetingsMost bounds the meetings by which rows are put in order: there is one for each equality in most statements.
const meetingsMost = 200

// byTokens are the meetings of rows that come with tokens of both columns, each once.
func byTokens(all []meeting) (found []meeting) {
	for _, m := range all {
		same := func(o meeting) bool {
			return o.ofLeaf == m.ofLeaf && o.byLeaf == m.byLeaf && o.ofColumn == m.ofColumn && o.byColumn == m.byColumn
		}
		if len(found) > meetingsMost {
			break
		}
		if m.ofLeaf.tokenOf(m.ofColumn) != 0 && m.byLeaf.tokenOf(m.byColumn) != 0 && !slices.ContainsFunc(found, same) {
			found = append(found, m)
		}
	}
	return found
}

// choosesHere reports whether rows that are met are fewer than the server knows: tunic leaves out some, or the server was not
// asked to regard them.
func (t *treeBuilder) choosesHere(m *meeting) bool {
	if m.by.source.Where != nil || slices.ContainsFunc(t.held, func(h heldTo) bool { return h.of == m.by }) {
		return true
	}
	return m.by.chosen() && !slices.ContainsFunc(m.of.semijoins, func(j semijoin) bool { return j.by == m.by })
}

// inOrder are fetched rows so that those that choose come before those that are chosen by them. What is left open stays as it is.
func inOrder(fetches []*fetched, all []meeting) (order []*fetched) {
	chosen := choosing(fetches, all)
	rest := slices.Clone(fetches)
	for len(rest) > 0 {
		at := slices.IndexFunc(rest, func(f *fetched) bool {
			return !slices.ContainsFunc(rest, func(g *fetched) bool { return g != f && chosen[g] && goesBefore(g, f, all) })
		})
		at = max(at, 0) // each waits for another
		order = append(order, rest[at])
		rest = slices.Delete(rest, at, at+1)
	}
	return order
}

// choosing are the fetched rows of which tunic may leave out some, by a condition or as others are left out.
func choosing(fetches []*fetched, all []meeting) map[*fetched]bool {
	chosen := map[*fetched]bool{}
	for _, f := range fetches {
		if f.source.Where != nil {
			chosen[f] = true
		}
	}
	for more := true; more; {
		more = false
		for i := range all {
			if m := &all[i]; chosen[m.by] && !chosen[m.of] && goesBefore(m.by, m.of, all) {
				chosen[m.of], more = true, true
			}
		}
	}
	return chosen
}

// goesBefore reports whether rows of one are to come before those of another one, which meet them: those of a table of which one
// is met, or else those that a condition chooses, or that stand first in the statement.
func goesBefore(first, second *fetched, all []meeting) bool {
	return slices.ContainsFunc(all, func(m meeting) bool {
		if m.by != first || m.of != second {
			return false
		}
		back := slices.ContainsFunc(all, func(o meeting) bool { return o.by == second && o.of == first })
		one, other := m.byLeaf.isUnique(m.byColumn), m.ofLeaf.isUnique(m.ofColumn)
		if one == other {
			one, other = first.source.Where != nil, second.source.Where != nil
		}
		return !back || one && !other || one == other && !m.backward
	})
}

// isUnique reports whether a column is a unique key of its own.
func (l *leaf) isUnique(column int) bool {
	return slices.ContainsFunc(l.table.Keys, func(k catalog.Key) bool {
		whole := len(k.Parts) == 1 && k.Parts[0].Prefix == 0 && l.table.Column(k.Parts[0].Column) == column
		return whole && k.Distinct()
	})
}

// fetchMet adds the tokens to the cells of a table's rows by which they are held to others, or others to them.
func (t *treeBuilder) fetchMet(f *fetched) {
	for i := range t.held {
		h := &t.held[i]
		if h.of == f {
			h.own = t.tokenCell(f, h.ofLeaf, h.ofColumn)
		}
		if h.by == f {
			h.other = t.tokenCell(f, h.byLeaf, h.byColumn)
		}
	}
}

// tokenCell is the cell with a token of a column, which is added where there is none.
func (t *treeBuilder) tokenCell(f *fetched, l *leaf, column int) int {
	of := recipe.Cell{Column: l.base + column, Layer: l.tokenOf(column)}
	if at := slices.Index(t.Run.Cells[f.cells:], of); at >= 0 {
		return f.cells + at
	}
	return t.Run.AddCell(of)
}

// holdLeaves says of the leaves which others their rows are held to.
func (t *treeBuilder) holdLeaves() {
	for _, h := range t.held {
		to := &t.Run.Tree.Leaves[slices.Index(t.fetched, h.of)]
		to.Meets = append(to.Meets, recipe.Meet{Own: h.own, Leaf: slices.Index(t.fetched, h.by), Other: h.other})
	}
}

// tokenOf is the layer of a column's tokens of equality; 0 if it has none, or they do not come beside the form of the column's
// family, which they are compared with.
func (l *leaf) tokenOf(column int) policy.Capabilities {
	c := &l.table.Columns[column]
	layer := columns.Ready(c.Layer(policy.Equality))
	if !c.Protected() || layer == nil || !recipe.CellOf(l.table, column).Record {
		return 0
	}
	return layer.Capability
}
