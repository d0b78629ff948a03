package eval

import (
	"bytes"
)

// findLabel has FIND_IN_SET of a constant and a column be what servers make of it: they
// look the constant up among the column's labels once, without regard to case, and answer
// with its place among these instead of its place in the value. MySQL does so for
// literals, and cannot for parameters, which here are the same: there a value of which
// the two places differ has a truth alone.
func (c *compiler) findLabel(n *node, name string, what evaluator, of *node) {
	place, slot, labels := n.ev, c.slot(), of.column.Labels
	find := func(r *Run, exact bool) *datum {
		d := place(r)
		w := what(r)
		if d.null || w.null || r.err != nil {
			return d
		}
		label, ok := labelOf(labels, w.b)
		switch {
		case !ok, label == 0 && d.n != 0, (label != 0 && of.ev(r).n>>(label-1)&1 != 0) != (d.n != 0):
			return r.refuse(name)
		case exact && d.n != 0 && d.n != uint64(label):
			return r.refuse(name)
		case d.n != 0:
			return r.slots[slot].setInt(int64(label))
		}
		return d
	}
	n.ev = func(r *Run) *datum { return find(r, !c.session.isMariaDB()) }
	n.truth = func(r *Run) *datum { return find(r, false) }
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
