package eval

import (
	"tunic/internal/eval/number"

	"tunic/internal/eval/class"
)

func (c *compiler) arithmeticOfIntegers(name string, a, b *node, x, y class.Class) *node {
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
	lowest := name == "DIV" && !ua && b.constant && !c.session.isMariaDB()
	negated := name == "-" && !ua && !ub && c.session.isMariaDB()
	n := derive(s, func(r *Run) *datum {
		p, q := left(r), right(r) // both, whatever the first is: the second may warn
		if p.null || q.null {
			return nullDatum
		}
		if lowest && p.n == 1<<63 { // which MySQL may not divide by a constant 1
			return r.refuse(name)
		}
		if negated && p.n == 0 && q.n == 1<<63 { // of which MariaDB makes the same again
			return r.refuse(name)
		}
		v, how := op(number.SignedOf(p.n, ua), number.SignedOf(q.n, ub))
		return r.putInteger(slot, v, how, unsigned)
	}, a, b)
	n.Nullable = n.Nullable || name == "DIV" || name == "MOD"
	return n
}
