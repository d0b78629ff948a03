package local

import "tunic/internal/eval"

// streamed is the block of the root if it has the rows of one leaf, which nobody else
// reads: they go through its phases as they come, and nothing is kept of them.
func (t *treeProgram) streamed() *block {
	b, ok := t.root.(*block)
	if !ok || len(t.leaves) != 1 || len(t.leaves[0].readers) != 1 {
		return nil
	}
	if s, ok := b.from.(*source); !ok || s != t.leaves[0].readers[0] || len(s.keys) > 0 {
		return nil
	}
	return b
}

// streamer passes on the rows of the leaf of a streamed block.
type streamer struct {
	*blockRun
	source *sourceRun
	where  *Running
	first  Sink
	last   *Shield
	run    *treeRun
}

func (p *Program) startStream(x *Execution, t *treeRun, b *block, last Sink) (Sink, error) {
	s := &streamer{last: &Shield{To: last}, run: t}
	made, err := b.begin(t)
	if err != nil {
		return nil, err
	}
	s.blockRun, _ = made.(*blockRun)
	s.source, _ = s.from.(*sourceRun)
	if where := p.tree.leaves[0].where; where != nil {
		if s.where, err = where.Begin(x); err != nil {
			return nil, err
		}
	}
	inner := &Execution{Inputs: t.inputs, Account: t.account.Inner(), tree: t, Counted: t.counted, Told: true}
	x.Borrowed = append(x.Borrowed, inner)
	s.first, err = b.start(inner, s.last)
	return s, err
}

func (s *streamer) Row(r eval.Row) error {
	err := s.pass(r[:len(r)-1]) // without the leaf's number
	if err == ErrEnough {       //nolint:errorlint // it is never wrapped
		return err
	}
	return s.last.hide(err)
}

func (s *streamer) pass(r eval.Row) error {
	if s.where != nil && !s.run.sieved() {
		if truth, err := s.where.decide(r); err != nil || truth != eval.True {
			s.run.drop(0)
			return err
		}
	}
	copy(s.blockRun.row, r)
	if goes, err := s.source.goes(); err != nil || !goes {
		return err
	}
	return s.first.Row(s.blockRun.row)
}

func (s *streamer) End() error { return s.last.hide(s.first.End()) }
