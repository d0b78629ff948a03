package compilation

import (
	"tunic/internal/eval/program"
)

// Convert makes an evaluator that converts what is not NULL.
func (c *Compilation) Convert(n *program.Node, to func(r *program.Run, in, out *program.Datum) *program.Datum) program.Evaluator {
	slot, ev := c.Slot(), n.Ev
	return func(r *program.Run) *program.Datum {
		in := ev(r)
		if in.Null {
			return program.NullDatum
		}
		out := &r.Slots[slot]
		out.Null = false
		return to(r, in, out)
	}
}

// Once makes an evaluator of a constant compute once a run, when it starts: the
// servers, too, read the constants of a comparison first, and may fail for them.
func (c *Compilation) Once(n *program.Node, ev program.Evaluator) program.Evaluator {
	if !n.Constant || n.Varies {
		return ev
	}
	slot := c.Slot()
	cached := func(r *program.Run) *program.Datum {
		if !r.Cached[slot] {
			before := len(r.Conds)
			d := *ev(r)
			if len(r.Conds) > before {
				return r.Refuse("a constant that warns")
			}
			if len(d.B) > 0 {
				start := len(r.Store)
				r.Store = append(r.Store, d.B...)
				d.B = r.Store[start:]
			}
			r.Slots[slot], r.Cached[slot] = d, r.Err == nil
		}
		return &r.Slots[slot]
	}
	c.AtStart(cached)
	return cached
}

// PerRow makes an evaluator that is asked more than once for a row compute once:
// what warns does so once.
func (c *Compilation) PerRow(n *program.Node, ev program.Evaluator) program.Evaluator {
	if n.Column != nil || n.Constant {
		return ev
	}
	state := c.State()
	return func(r *program.Run) *program.Datum {
		memo, _ := r.States[state].(*rowMemo)
		if memo == nil {
			memo = &rowMemo{row: -1}
			r.States[state] = memo
		}
		if memo.row != r.Number {
			memo.row, memo.d = r.Number, ev(r)
		}
		return memo.d
	}
}

// rowMemo is what was computed for the row of that number.
type rowMemo struct {
	row int
	d   *program.Datum
}

// Quiet refuses where an argument warns: when the servers evaluate it depends on
// the other arguments.
func (c *Compilation) Quiet(ev program.Evaluator, operation string) program.Evaluator {
	return func(r *program.Run) *program.Datum {
		before := len(r.Conds)
		d := ev(r)
		if len(r.Conds) > before {
			r.Conds = r.Conds[:before]
			return r.Refuse(operation)
		}
		return d
	}
}
