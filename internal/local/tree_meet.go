package local

import (
	"tunic/internal/arena"
	"tunic/internal/recipe"
)

// Rows of a leaf may have to meet rows of another one that have come before (recipe.Leaf.Meets). The tokens of these are kept as
// long as rows come, and one whose token is not among them is left out before anything of it is opened.

// Sent are the cells of a row, as the server has sent them.
type Sent interface {
	// Bytes are those of a cell, nil for NULL.
	Bytes(cell int) []byte
}

// met is what is looked at of the rows of a leaf, in one execution.
type met struct {
	meets []recipe.Meet // that its rows are held to
	among []*tokens     // those of the others, by the same number
	own   []*tokens     // that others are held to
}

// tokens are those of a cell of the rows that have come and are kept.
type tokens struct {
	cell int
	now  []byte // that of the row that has come last
	null bool   // which has none
	arena.Keys
}

// newMet makes what is looked at of the rows of all leaves; nil if there is nothing.
func newMet(leaves []recipe.Leaf) []met {
	var all []met
	for i := range leaves {
		for _, m := range leaves[i].Meets {
			if all == nil {
				all = make([]met, len(leaves))
			}
			all[i].meets = append(all[i].meets, m)
			all[i].among = append(all[i].among, all[m.Leaf].tokensOf(m.Other))
		}
	}
	return all
}

// tokensOf are those of a cell, which others are held to.
func (m *met) tokensOf(cell int) *tokens {
	for _, t := range m.own {
		if t.cell == cell {
			return t
		}
	}
	t := &tokens{cell: cell}
	m.own = append(m.own, t)
	return t
}

// Follows reports whether a row of a leaf comes where it has to: behind those of the leaves before, as servers send the parts of
// a UNION ALL. A row that is held to others which came later would be left out.
func (s *Sieve) Follows(leaf int) bool {
	if s.met == nil {
		return true
	}
	before := s.leaf
	s.leaf = leaf
	return leaf >= before
}

// Misses reports whether a row of a leaf meets none of those that it has to.
func (s *Sieve) Misses(leaf int, cells Sent) bool {
	if s.met == nil {
		return false
	}
	m := &s.met[leaf]
	for i := range m.meets {
		if token := cells.Bytes(m.meets[i].Own); token == nil || m.among[i].Number(token) < 0 {
			return true
		}
	}
	for _, t := range m.own {
		token := cells.Bytes(t.cell)
		t.now, t.null = append(t.now[:0], token...), token == nil
	}
	return false
}

// keepMet notes that the row that has come last is kept.
func (x *treeRun) keepMet(leaf int) error {
	if x.sieve == nil || x.sieve.met == nil {
		return nil
	}
	for _, t := range x.sieve.met[leaf].own {
		if t.null {
			continue
		}
		if _, added := t.Add(t.now); added {
			if err := x.account.Keep(arena.KeyBytes + len(t.now)); err != nil {
				return err
			}
		}
	}
	return nil
}
