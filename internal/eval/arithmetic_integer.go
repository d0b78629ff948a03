package eval

import (
	"math"
	"math/bits"
)

func (c *compiler) arithmeticOfIntegers(name string, a, b *node, x, y class) *node {
	unsigned := x == classUint || y == classUint
	switch {
	case name == "MOD":
		unsigned = x == classUint
	case name == "-" && c.session.NoUnsignedSubtraction:
		unsigned = false
	}
	s := shape{class: classInt, digits: 20, coercible: coercibleNumber}
	if unsigned {
		s.class = classUint
	}
	op := integerOps[name]
	left, right, slot := c.integer(a, name), c.integer(b, name), c.slot()
	ua, ub := x == classUint, y == classUint
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
		v, how := op(signedOf(p.n, ua), signedOf(q.n, ub))
		return r.putInteger(slot, v, how, unsigned)
	}, a, b)
	n.nullable = n.nullable || name == "DIV" || name == "MOD"
	return n
}

// signed is an integer of 64 bits and a sign.
type signed struct {
	negative bool
	n        uint64
}

func signedOf(n uint64, unsigned bool) signed {
	if unsigned || int64(n) >= 0 {
		return signed{n: n}
	}
	return signed{negative: true, n: -n}
}

// outcome says how an operation went.
type outcome uint8

const (
	outcomeOK outcome = iota
	outcomeOverflow
	outcomeByZero
)

var integerOps = map[string]func(a, b signed) (signed, outcome){
	"+":   addSigned,
	"-":   func(a, b signed) (signed, outcome) { b.negative = !b.negative; return addSigned(a, b) },
	"*":   mulSigned,
	"DIV": divSigned,
	"MOD": modSigned,
}

func addSigned(a, b signed) (signed, outcome) {
	if a.negative == b.negative {
		sum, carry := bits.Add64(a.n, b.n, 0)
		return signed{a.negative, sum}, overflowIf(carry != 0)
	}
	if a.n >= b.n {
		return signed{a.negative, a.n - b.n}, outcomeOK
	}
	return signed{b.negative, b.n - a.n}, outcomeOK
}

func overflowIf(is bool) outcome {
	if is {
		return outcomeOverflow
	}
	return outcomeOK
}

func mulSigned(a, b signed) (signed, outcome) {
	high, low := bits.Mul64(a.n, b.n)
	return signed{a.negative != b.negative, low}, overflowIf(high != 0)
}

func divSigned(a, b signed) (signed, outcome) {
	if b.n == 0 {
		return a, outcomeByZero
	}
	return signed{a.negative != b.negative, a.n / b.n}, outcomeOK
}

func modSigned(a, b signed) (signed, outcome) {
	if b.n == 0 {
		return a, outcomeByZero
	}
	return signed{a.negative, a.n % b.n}, outcomeOK
}

// putInteger checks the range of a result.
func (r *Run) putInteger(slot int, v signed, how outcome, unsigned bool) *datum {
	switch {
	case how == outcomeByZero:
		return r.divisionByZero()
	case unsigned && (how == outcomeOverflow || v.negative && v.n > 0):
		return r.overflow("BIGINT UNSIGNED")
	case !unsigned && (how == outcomeOverflow || v.n > math.MaxInt64 && (!v.negative || v.n > math.MaxInt64+1)):
		return r.overflow("BIGINT")
	}
	n := v.n
	if v.negative {
		n = -n
	}
	return r.slots[slot].setUint(n)
}
