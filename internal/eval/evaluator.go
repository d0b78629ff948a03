package eval

import (
	"tunic/internal/eval/program"
)

// convert makes an evaluator that converts what is not NULL.
func (c *compiler) convert(n *program.Node, to func(r *program.Run, in, out *program.Datum) *program.Datum) program.Evaluator {
	slot, ev := c.slot(), n.Ev
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

// once makes an evaluator of a constant compute once a run, when it starts: the
// servers, too, read the constants of a comparison first, and may fail for them.
func (c *compiler) once(n *program.Node, ev program.Evaluator) program.Evaluator {
	if !n.Constant || n.Varies {
		return ev
	}
	slot := c.slot()
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
	c.atStart(cached)
	return cached
}

// perRow makes an evaluator that is asked more than once for a row compute once:
// what warns does so once.
func (c *compiler) perRow(n *program.Node, ev program.Evaluator) program.Evaluator {
	if n.Column != nil || n.Constant {
		return ev
	}
	state := c.state()
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

// quiet refuses where an argument warns: when the servers evaluate it depends on
// the other arguments.
func (c *compiler) quiet(ev program.Evaluator, operation string) program.Evaluator {
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
