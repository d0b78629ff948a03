package local

import (
	"tunic/internal/arena"
	"tunic/internal/eval"
	"tunic/internal/recipe"
	"tunic/internal/sqlerr"
)

// sharedRelation is a compiled recipe.Shared.
type sharedRelation struct {
	of     relation
	number int
}

// sharedRelation compiles a relation whose rows are made once, however often it is
// named.
func (t *treeCompiler) sharedRelation(s *recipe.Shared) (compiledRelation, error) {
	if known, ok := t.shared[s]; ok {
		return known, nil
	}
	if len(recipe.OuterOf(s.Of)) > 0 {
		return compiledRelation{}, sqlerr.StatementUnread()
	}
	of, err := t.relation(s.Of, nil, false)
	if err != nil {
		return of, err
	}
	made := compiledRelation{&sharedRelation{of.relation, t.tree.shared}, of.columns}
	t.tree.shared++
	t.shared[s] = made
	return made, nil
}

func (s *sharedRelation) begin(x *treeRun) (relationRun, error) {
	if known := x.shared[s.number]; known != nil {
		return known, nil
	}
	of, err := s.of.begin(x)
	if err != nil {
		return nil, err
	}
	x.shared[s.number] = &sharedRun{x: x, of: of}
	return x.shared[s.number], nil
}

// sharedRun is a shared relation in one execution.
type sharedRun struct {
	x    *treeRun
	of   relationRun
	made bool
	rows []eval.Row
	kept arena.Rows
}

func (s *sharedRun) feed(_ eval.Row, to Sink) error {
	if !s.made {
		if err := s.of.feed(nil, (*sharedKeeper)(s)); err != nil {
			return err
		}
		s.made = true
	}
	for _, r := range s.rows {
		if err := s.x.step(); err != nil {
			return err
		}
		if err := to.Row(r); err != nil {
			return ended(err)
		}
	}
	return to.End()
}

// sharedKeeper keeps the rows of a shared relation.
type sharedKeeper sharedRun

func (k *sharedKeeper) Row(r eval.Row) error {
	kept := k.kept.Keep(r)
	k.rows = append(k.rows, kept)
	return k.x.account.Keep(arena.RowBytes(kept) + arena.ValueBytes)
}

func (k *sharedKeeper) End() error { return nil }
