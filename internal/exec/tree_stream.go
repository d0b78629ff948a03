package exec

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
	where  *running
	first  taker
	last   *shield
	run    *treeRun
}

func (p *program) startStream(x *execution, t *treeRun, b *block, last taker) (taker, error) {
	s := &streamer{last: &shield{to: last}, run: t}
	made, err := b.begin(t)
	if err != nil {
		return nil, err
	}
	s.blockRun, _ = made.(*blockRun)
	s.source, _ = s.from.(*sourceRun)
	if where := p.tree.leaves[0].where; where != nil {
		if s.where, err = where.start(x); err != nil {
			return nil, err
		}
	}
	inner := &execution{inputs: t.inputs, account: t.account.inner(), tree: t, counted: t.counted, told: true}
	x.lent = append(x.lent, inner)
	s.first, err = b.start(inner, s.last)
	return s, err
}

func (s *streamer) row(r eval.Row) error {
	err := s.pass(r[:len(r)-1]) // without the leaf's number
	if err == errEnough {       //nolint:errorlint // it is never wrapped
		return err
	}
	return s.last.hide(err)
}

func (s *streamer) pass(r eval.Row) error {
	if s.where != nil {
		if truth, err := s.where.decide(r); err != nil || truth != eval.True {
			s.run.drop(0)
			return err
		}
	}
	copy(s.blockRun.row, r)
	if goes, err := s.source.goes(); err != nil || !goes {
		return err
	}
	return s.first.row(s.blockRun.row)
}

func (s *streamer) end() error { return s.last.hide(s.first.end()) }
