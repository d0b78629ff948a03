package eval

import (
	"bytes"

	"tunic/internal/eval/program"
)

// findLabel has FIND_IN_SET of a constant and a column be what servers make of it: they
// look the constant up among the column's labels once, without regard to case, and answer
// with its place among these instead of its place in the value. MySQL does so for
// literals, and cannot for parameters, which here are the same: there a value of which
// the two places differ has a truth alone.
func (c *compiler) findLabel(n *program.Node, name string, what program.Evaluator, of *program.Node) {
	place, slot, labels := n.Ev, c.slot(), of.Column.Labels
	find := func(r *program.Run, exact bool) *program.Datum {
		d := place(r)
		w := what(r)
		if d.Null || w.Null || r.Err != nil {
			return d
		}
		label, ok := labelOf(labels, w.B)
		switch {
		case !ok, label == 0 && d.N != 0, (label != 0 && of.Ev(r).N>>(label-1)&1 != 0) != (d.N != 0):
			return r.Refuse(name)
		case exact && d.N != 0 && d.N != uint64(label):
			return r.Refuse(name)
		case d.N != 0:
			return r.Slots[slot].SetInt(int64(label))
		}
		return d
	}
	n.Ev = func(r *program.Run) *program.Datum { return find(r, !c.session.IsMariaDB()) }
	n.Truth = func(r *program.Run) *program.Datum { return find(r, false) }
}

// labelOf is the number of a label without regard to case, 0 for none; ok is false if
// that is known for ASCII alone.
func labelOf(labels [][]byte, text []byte) (number int, ok bool) {
	if !isASCII(string(text)) {
		return 0, false
	}
	for i, label := range labels {
		if !isASCII(string(label)) {
			return 0, false
		}
		if number == 0 && bytes.EqualFold(label, text) {
			number = i + 1
		}
	}
	return number, true
}
