package arithmetic

import (
	"tunic/internal/eval/class"
	"tunic/internal/eval/coercion"
	"tunic/internal/eval/compilation"
	"tunic/internal/eval/decimal"
	"tunic/internal/eval/number"
	"tunic/internal/eval/program"
)

func arithmeticOfDecimals(c *compilation.Compilation, name string, a, b *program.Node) *program.Node {
	if name == "DIV" {
		return integerDivision(c, a, b)
	}
	s := c.Rules().DecimalShape(name, &a.Shape, &b.Shape)
	left, right, slot := coercion.Decimal(c, a, name), coercion.Decimal(c, b, name), c.Slot()
	op := decimalOp(c, name, s.Scale)
	n := program.Derive(s, func(r *program.Run) *program.Datum {
		p, q := left(r), right(r) // both, whatever the first is: the second may warn
		if p.Null || q.Null {
			return program.NullDatum
		}
		out := &r.Slots[slot]
		out.Null = false
		switch op(&out.D, &p.D, &q.D) {
		case number.ByZero:
			return r.DivisionByZero()
		case number.Overflow:
			return r.Refuse(name)
		default:
			return out
		}
	}, a, b)
	n.Nullable = n.Nullable || name == "/" || name == "MOD"
	return n
}

// decimalOp computes on decimals; outcomeOverflow is what is beyond the digits
// that the servers compute exactly.
//
// An operand may have more digits than its type: a quotient on MariaDB, an average on
// both. MySQL rounds each result to the digits of its type, MariaDB what is shown or
// compared.
func decimalOp(c *compilation.Compilation, name string, scale int) func(d, x, y *decimal.Number) number.Outcome {
	rounds := !c.Session.IsMariaDB()
	finish := func(d *decimal.Number, ok bool) number.Outcome {
		ok = ok && d.IsExact()
		if ok && rounds && d.Decimals() > scale {
			ok = d.Round(scale)
		}
		return number.OverflowIf(!ok)
	}
	switch name {
	case "+":
		return func(d, x, y *decimal.Number) number.Outcome { return finish(d, d.Add(x, y)) }
	case "-":
		return func(d, x, y *decimal.Number) number.Outcome { return finish(d, d.Sub(x, y)) }
	case "*":
		most := c.Rules().ScaleMax()
		return func(d, x, y *decimal.Number) number.Outcome { return finish(d, d.Mul(x, y) && d.Decimals() <= most) }
	case "MOD":
		return func(d, x, y *decimal.Number) number.Outcome {
			if y.IsZero() {
				return number.ByZero
			}
			return finish(d, d.Remainder(x, y))
		}
	default:
		increment := c.Session.DivPrecision
		return func(d, x, y *decimal.Number) number.Outcome {
			if y.IsZero() {
				return number.ByZero
			}
			ok := d.Quotient(x, y, decimal.QuotientScale(x.Decimals(), y.Decimals(), increment)) && d.IsExact()
			if ok && rounds {
				ok = d.Round(scale)
			}
			return number.OverflowIf(!ok)
		}
	}
}

// integerDivision is DIV of numbers that are not integers: an exact quotient, cut
// to an integer.
func integerDivision(c *compilation.Compilation, a, b *program.Node) *program.Node {
	s := class.Shape{Class: class.Int, Digits: 20, Nullable: true, Coercible: class.CoercibleNumber}
	if a.Class.IsUnsigned() || b.Class.IsUnsigned() {
		s.Class = class.Uint
	}
	left, right, slot := coercion.Decimal(c, a, "DIV"), coercion.Decimal(c, b, "DIV"), c.Slot()
	return program.Derive(s, func(r *program.Run) *program.Datum {
		p, q := left(r), right(r)
		switch {
		case p.Null || q.Null:
			return program.NullDatum
		case q.D.IsZero():
			return r.DivisionByZero()
		}
		var d decimal.Number
		if !d.Quotient(&p.D, &q.D, 0) {
			return r.Refuse("DIV")
		}
		n, negative, small := d.Small()
		return r.PutInteger(slot, number.Signed{Negative: negative, N: n}, number.OverflowIf(!small), s.Class == class.Uint)
	}, a, b)
}

func arithmeticOfIntegers(c *compilation.Compilation, name string, a, b *program.Node, x, y class.Class) *program.Node {
	unsigned := x == class.Uint || y == class.Uint
	switch {
	case name == "MOD":
		unsigned = x == class.Uint
	case name == "-" && c.Session.NoUnsignedSubtraction:
		unsigned = false
	}
	s := class.Shape{Class: class.Int, Digits: 20, Coercible: class.CoercibleNumber}
	if unsigned {
		s.Class = class.Uint
	}
	op := number.IntegerOperators[name]
	left, right, slot := coercion.Integer(c, a, name), coercion.Integer(c, b, name), c.Slot()
	ua, ub := x == class.Uint, y == class.Uint
	lowest := name == "DIV" && !ua && b.Constant && !c.Session.IsMariaDB()
	negated := name == "-" && !ua && !ub && c.Session.IsMariaDB()
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
