package class

import (
	"tunic/internal/eval/decimal"
	"tunic/internal/value"
)

// IsExact reports whether values are integers or decimals.
func (c Class) IsExact() bool { return c.IsInteger() || c == Decimal }

// IsLabel reports whether values are labels of ENUM or SET.
func IsLabel(c Class) bool { return c == Enum || c == Set }

// Exact is the digits before the point and behind it, as a decimal.
func (s *Shape) Exact() (whole, scale int) {
	digits := s.Digits
	switch s.Class {
	case Date:
		digits = 8
	case Time:
		digits = 7 + s.Scale
	case DateTime, Timestamp:
		digits = 14 + s.Scale
	default:
	}
	return max(digits-s.Scale, 0), s.Scale
}

// IsFree reports whether values as doubles have no fixed number of digits.
func (s *Shape) IsFree() bool {
	return s.Scale == ScaleFree || s.Class.IsString() || IsLabel(s.Class)
}

// Number is what a class computes as: classInt, classUint, classDecimal,
// classDouble, or classNull.
func (s *Shape) Number(mariadb bool) Class {
	switch s.Class {
	case Enum, Set:
		if mariadb {
			return Int
		}
		return Double
	case Null, Int, Decimal:
		return s.Class
	case Uint, Year, Bit, Hex:
		return Uint
	case Date, Time, DateTime, Timestamp:
		if s.Scale > 0 {
			return Decimal
		}
		return Int
	default:
		return Double
	}
}

// Result is the type of values that are no column's; false if there is none.
func (s *Shape) Result(mariadb bool) (value.Type, bool) {
	t := value.Type{NotNull: !s.Nullable, Decimals: s.Scale, NamedCollation: s.Named || s.Class == Text && s.Coercible == CoercibleExplicit}
	switch s.Class {
	case Null:
		t.Kind = value.VarBinary
	case Int, Uint:
		t.Kind, t.Unsigned, t.Decimals = value.BigInt, s.Class == Uint, 0
		t.Length = s.Digits
	case Decimal:
		t.Kind, t.Length = value.Decimal, min(max(s.Digits, 1), decimal.DigitsMax)
	case Float, Double:
		if t.Kind = value.Double; s.Class == Float {
			t.Kind = value.Float
		}
		if s.Scale == ScaleFree {
			t.Decimals = 0
		} else {
			t.Length = 255
		}
	case Text:
		t.Kind, t.Length, t.Collation = value.VarChar, s.Chars, s.Collation
	case Bytes, Hex:
		t.Kind, t.Length = value.VarBinary, s.Chars
	case JSON:
		if t.Kind = value.JSON; mariadb {
			t.Kind, t.Length, t.Collation = value.VarChar, s.Chars, s.Collation
		}
	case Date:
		t.Kind = value.Date
	case Time:
		t.Kind = value.Time
	case DateTime, Timestamp:
		t.Kind = value.DateTime
	case Year:
		t.Kind, t.Length = value.Year, 4
	default:
		return t, false
	}
	return t, true
}

// BoolShape is what comparisons and logic return.
var BoolShape = Shape{Class: Int, Digits: 1, Coercible: CoercibleNumber}

// CountShape is the type of functions that count.
var CountShape = Shape{Class: Int, Digits: 10, Coercible: CoercibleNumber}

// IntegerShape is that of numbers of so many digits.
func IntegerShape(digits int) Shape {
	return Shape{Class: Int, Digits: digits, Coercible: CoercibleNumber}
}

// DateShape is that of DATE.
var DateShape = Shape{Class: Date, Coercible: CoercibleNumber}

// TimeShape is that of TIME with so many digits of a fraction.
func TimeShape(scale int) Shape {
	return Shape{Class: Time, Scale: scale, Coercible: CoercibleNumber}
}

// DateTimeShape is that of a date and time.
func DateTimeShape(scale int) Shape {
	return Shape{Class: DateTime, Scale: scale, Coercible: CoercibleNumber}
}
