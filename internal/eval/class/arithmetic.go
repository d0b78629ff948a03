package class

import "tunic/internal/eval/decimal"

// Rules are what of a session decides the digits of results.
type Rules struct {
	MariaDB      bool
	DivPrecision int // div_precision_increment
}

// ScaleMax is the most digits after the point that a decimal has.
func (r Rules) ScaleMax() int {
	if r.MariaDB {
		return decimal.ScaleMaxMariaDB
	}
	return decimal.ScaleMaxMySQL
}

// DoubleScale is the digits after the point that a double is written with: free
// unless both operands have fixed ones.
func (r Rules) DoubleScale(name string, a, b *Shape) int {
	if a.IsFree() || b.IsFree() {
		return ScaleFree
	}
	scale := max(a.Scale, b.Scale)
	switch name {
	case "*":
		scale = a.Scale + b.Scale
	case "/":
		scale += r.DivPrecision
	}
	return min(scale, ScaleFree)
}

// DecimalShape is the type of a result (MySQL manual, "DECIMAL Data Type
// Characteristics", and "Arithmetic Operators").
func (r Rules) DecimalShape(name string, a, b *Shape) Shape {
	wholeA, scaleA := a.Exact()
	wholeB, scaleB := b.Exact()
	s := Shape{Class: Decimal, Coercible: CoercibleNumber}
	s.Uneven = name != "/" && (a.NumberOnly || a.Uneven || b.NumberOnly || b.Uneven)
	switch name {
	case "*":
		s.Scale = scaleA + scaleB
		s.Digits = wholeA + wholeB + s.Scale
	case "/":
		s.Scale = scaleA + r.DivPrecision
		s.Digits = wholeA + scaleB + s.Scale
	case "MOD":
		s.Scale = max(scaleA, scaleB)
		s.Digits = max(wholeA, wholeB) + s.Scale
	default:
		s.Scale = max(scaleA, scaleB)
		s.Digits = max(wholeA, wholeB) + 1 + s.Scale
	}
	s.Scale = min(s.Scale, r.ScaleMax())
	s.Digits = min(s.Digits, decimal.DigitsMax)
	return s
}

// NumberShape is the type of a function of one number that keeps the number's
// type.
func NumberShape(n *Shape, k Class) Shape {
	s := Shape{Class: k, Digits: max(n.Digits, 1), Coercible: CoercibleNumber, Uneven: n.NumberOnly || n.Uneven}
	switch k {
	case Decimal:
		whole, scale := n.Exact()
		s.Digits, s.Scale = whole+scale, scale
	case Double:
		if s.Scale = ScaleFree; n.Class.IsReal() {
			s.Scale = n.Scale
		}
	default:
	}
	return s
}

// RoundedDouble is the type of a double rounded to digits: MariaDB writes it with
// them, MySQL with the digits it has.
func (r Rules) RoundedDouble(digits int) Shape {
	s := Shape{Class: Double, Scale: ScaleFree, Coercible: CoercibleNumber}
	if r.MariaDB {
		s.Scale = max(digits, 0)
	}
	return s
}

// sumDigits are the digits that a sum may have more than what is summed.
const sumDigits = 22

// SumShape is that of SUM and AVG of exact numbers.
func (r Rules) SumShape(arg *Shape, average bool) Shape {
	s := Shape{Class: Decimal, Nullable: true, Coercible: CoercibleNumber}
	whole, scale := arg.Exact()
	if average {
		s.Scale = min(scale+r.DivPrecision, r.ScaleMax())
		s.Digits = min(whole+s.Scale, decimal.DigitsMax)
		return s
	}
	s.Scale, s.Digits = scale, min(whole+sumDigits+scale, decimal.DigitsMax)
	return s
}

// InexactShape is that of SUM and AVG of doubles.
func (r Rules) InexactShape(arg *Shape, average bool) Shape {
	s := Shape{Class: Double, Scale: ScaleFree, Nullable: true, Coercible: CoercibleNumber}
	if arg.Class.IsReal() && arg.Scale != ScaleFree {
		s.Scale = arg.Scale
		if average {
			s.Scale = min(s.Scale+r.DivPrecision, ScaleFree)
		}
	}
	return s
}

// varianceDigits are the digits after the point that MariaDB shows beyond those of a
// double with some.
const varianceDigits = 4

// VarianceShape is a double. MariaDB shows a number of digits that is the argument's,
// and more; MySQL all that there are.
func (r Rules) VarianceShape(arg *Shape) Shape {
	s := Shape{Class: Double, Scale: ScaleFree, Nullable: true, Coercible: CoercibleNumber}
	switch {
	case !r.MariaDB:
	case arg.Class.IsReal():
		s.Scale = min(arg.Scale+varianceDigits, ScaleFree)
	case !arg.Class.IsString():
		s.Scale = min(arg.Scale+r.DivPrecision, decimal.ScaleMaxMySQL)
	}
	return s
}
