package eval

import (
	"tunic/internal/eval/class"
	"tunic/internal/value"
)

// text evaluates a node as characters: text itself, labels, and numbers and dates
// as the server writes them.
func (c *compiler) text(n *node, operation string) (evaluator, error) {
	switch {
	case n.Class == class.Null, n.Class == class.Text, n.Class == class.Bytes, n.Class == class.Hex:
		return n.ev, nil
	case n.Class == class.Other, n.mayFill, n.NumberOnly && !c.isUneven(n), n.column == nil && (n.Class == class.Float || n.Class == class.Year):
		return nil, refuse(operation)
	case n.column != nil:
		return c.textOfColumn(n, operation), nil
	}
	t, err := c.resultType(n)
	if err != nil {
		return nil, err
	}
	inexact := n.Class.IsReal()
	signed := inexact && !c.session.isMariaDB()
	return c.convert(n, func(r *Run, in, out *datum) *datum {
		if signed && in.n == 1<<63 { // -0, of which MySQL makes either text
			return r.refuse(operation)
		}
		var room [32]byte
		canonical, ok := appendCanonical(room[:0], &t, n.Class, in)
		if !ok {
			return r.refuse(operation)
		}
		start := len(r.arena)
		r.arena = value.AppendText(r.arena, &t, canonical, r.in.Env)
		if inexact && len(r.arena)-start > doubleCharsMax {
			return r.refuse(operation)
		}
		return out.setBytes(r.arena[start:])
	}), nil
}

// isUneven reports whether a node is a decimal that is written with the digits that it
// happens to have: MariaDB's of several types.
func (c *compiler) isUneven(n *node) bool { return n.Class == class.Decimal && c.session.isMariaDB() }

// doubleCharsMax is the longest text of a double in an expression. For longer ones
// the servers weigh digits against the room that they give to it.
const doubleCharsMax = 15

// textOfColumn writes a column as the server sends it: ZEROFILL, the digits of
// FLOAT(M,D) and labels are its type's.
func (c *compiler) textOfColumn(n *node, operation string) evaluator {
	inexact := n.Class.IsReal()
	slot, index, t := c.slot(), n.index, n.column
	return func(r *Run) *datum {
		b := r.row[index]
		if b == nil {
			return nullDatum
		}
		start := len(r.arena)
		r.arena = value.AppendText(r.arena, t, b, r.in.Env)
		if inexact && len(r.arena)-start > doubleCharsMax {
			return r.refuse(operation)
		}
		return r.slots[slot].setBytes(r.arena[start:])
	}
}
