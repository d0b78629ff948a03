package eval

import (
	"tunic/internal/eval/number"
	"tunic/internal/eval/program"

	"tunic/internal/eval/class"
)

func (c *compiler) arithmeticOfIntegers(name string, a, b *program.Node, x, y class.Class) *program.Node {
	unsigned := x == class.Uint || y == class.Uint
	switch {
	case name == "MOD":
		unsigned = x == class.Uint
	case name == "-" && c.session.NoUnsignedSubtraction:
		unsigned = false
	}
	s := class.Shape{Class: class.Int, Digits: 20, Coercible: class.CoercibleNumber}
	if unsigned {
		s.Class = class.Uint
	}
	op := number.IntegerOperators[name]
	left, right, slot := c.integer(a, name), c.integer(b, name), c.slot()
	ua, ub := x == class.Uint, y == class.Uint
	lowest := name == "DIV" && !ua && b.Constant && !c.session.IsMariaDB()
	negated := name == "-" && !ua && !ub && c.session.IsMariaDB()
	n := program.Derive(s, func(r *program.Run) *program.Datum {
		p, q := left(r), right(r) // both, whatever the first is: the second may warn
		if p.Null || q.Null {
			return program.NullDatum
		}
		if lowest && p.N == 1<<63 { // which MySQL may not divide by a constant 1
			return r.Refuse(name)
		}
		if negated && p.N == 0 && q.N == 1<<63 { // of which MariaDB makes the same again
			return r.Refuse(name)
		}
		v, how := op(number.SignedOf(p.N, ua), number.SignedOf(q.N, ub))
		return r.PutInteger(slot, v, how, unsigned)
	}, a, b)
	n.Nullable = n.Nullable || name == "DIV" || name == "MOD"
	return n
}
