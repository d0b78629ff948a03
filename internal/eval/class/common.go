package class

import (
	"strings"

	"tunic/internal/eval/decimal"
	"tunic/internal/value/charset"
)

// ComparedAs is the representation in which two shapes are compared (MySQL
// manual, "Type Conversion in Expression Evaluation"): constants of text are read as
// dates.
func ComparedAs(a, b *Shape, constantA, constantB bool) Class {
	x, y := a.Class, b.Class
	textA, textB := constantA && x == Text, constantB && y == Text
	switch {
	case x == Null || y == Null:
		return Null
	case x == Other || y == Other:
		return Other
	case x.IsInteger() && y.IsInteger():
		return Int
	case x.IsExact() && y.IsExact():
		return Decimal
	case x == Time && y == Time, x == Time && textB, y == Time && textA:
		return Time
	case x.HasDate() && (y.HasDate() || textB), y.HasDate() && textA:
		return DateTime
	case x.IsTemporal() && y.IsTemporal():
		return Other
	case IsLabel(x) && y.IsString(), x.IsString() && IsLabel(y), IsLabel(x) && IsLabel(y):
		return Text
	case x == Text && y == Text:
		return Text
	case x.IsString() && y.IsString():
		return Bytes
	}
	return Double
}

// CollationOfTwo is the collation that counts where two meet that count alike, nil if it
// is not known.
func CollationOfTwo(as Coercibility, a, b *charset.Collation) *charset.Collation {
	switch {
	case as == CoercibleColumn && Widens(b.Charset, a.Charset):
		return b
	case as == CoercibleColumn && Widens(a.Charset, b.Charset):
		return a
	case as == CoercibleExplicit:
		return nil
	}
	return binaryOf(a, b)
}

// binaryOf is the collation that counts where two of one character set meet of which
// one compares code points, nil if none or both of them do (MySQL manual, "Collation
// Coercibility in Expressions").
func binaryOf(a, b *charset.Collation) *charset.Collation {
	const suffix = "_bin"
	switch binA, binB := strings.HasSuffix(a.Name, suffix), strings.HasSuffix(b.Name, suffix); {
	case a.Charset != b.Charset, binA == binB:
		return nil
	case binA:
		return a
	default:
		return b
	}
}

// Widens reports whether servers take the collation of a character set where a column of it
// meets one of the other: utf8mb4 has all characters of utf8mb3, in the same bytes (MySQL
// manual, "Collation Coercibility in Expressions").
func Widens(to, from *charset.Charset) bool { return to.Name == "utf8mb4" && from.Name == "utf8mb3" }

// Merge adds the type of one value, which has so many characters as text, to what is
// common so far.
func (s Shape) Merge(v *Shape, chars int, mariadb bool) (Shape, bool) {
	switch {
	case v.Class == Null:
		return s, true
	case v.Class == Other, v.Class == Bit, v.Class == Hex:
		return s, false
	case s.Class == Null:
		s = *v
		s.Chars = chars
		if IsLabel(v.Class) {
			s.Class, s.TextOnly = Text, true
		}
		return s, true
	}
	s.Chars = max(s.Chars, chars)
	s.Nullable = s.Nullable || v.Nullable
	s.Uneven = s.Uneven || v.Uneven
	s.NumberOnly = s.NumberOnly || v.NumberOnly || s.Class != v.Class || s.Scale != v.Scale
	return s.mergeClasses(v, mariadb)
}

func (s Shape) mergeClasses(v *Shape, mariadb bool) (Shape, bool) {
	x, y := s.Class, v.Class
	switch {
	case x == y && !IsLabel(x):
		return s.mergeSame(v), true
	case x.IsInteger() && y.IsInteger():
		return s.mergeIntegers(v, mariadb), true
	case x.IsExact() && y.IsExact():
		return s.mergeDecimals(v), true
	case (x.IsExact() || x.IsReal()) && (y.IsExact() || y.IsReal()):
		if s.Class = Double; s.Scale != ScaleFree && !v.IsFree() {
			s.Scale = max(s.Scale, v.Scale)
		} else {
			s.Scale = ScaleFree
		}
		return s, true
	case x.HasDate() && y.HasDate():
		s.Class, s.Scale = DateTime, max(s.Scale, v.Scale)
		return s, true
	case x.IsTemporal() && y.IsTemporal():
		return s, false
	}
	s.TextOnly = s.TextOnly || v.TextOnly || !x.IsString() || !y.IsString()
	if s.Class = Text; x == Bytes || y == Bytes {
		s.Class, s.Collation = Bytes, nil
	}
	return s, true
}

func (s Shape) mergeSame(v *Shape) Shape {
	if s.Class == Decimal {
		return s.mergeDecimals(v)
	}
	s.Digits = max(s.Digits, v.Digits)
	s.Scale = max(s.Scale, v.Scale)
	s.TextOnly = s.TextOnly || v.TextOnly
	return s
}

func (s Shape) mergeDecimals(v *Shape) Shape {
	whole := max(s.Digits-s.Scale, v.Digits-v.Scale)
	s.Class, s.Scale = Decimal, max(s.Scale, v.Scale)
	s.Digits = min(whole+s.Scale, decimal.DigitsMax)
	return s
}

// mergeIntegers finds a type for integers with and without a sign: a signed one,
// or a decimal where 64 bits are not enough.
func (s Shape) mergeIntegers(v *Shape, mariadb bool) Shape {
	if s.Class.IsUnsigned() == v.Class.IsUnsigned() {
		if s.Class.IsUnsigned() {
			s.Class = Uint
		}
		s.Digits = max(s.Digits, v.Digits)
		return s
	}
	unsigned := s.Digits
	if v.Class.IsUnsigned() {
		unsigned = v.Digits
	}
	s.Digits = max(s.Digits, v.Digits)
	if s.Class = Int; unsigned >= 19 || mariadb {
		s.Class = Decimal
	}
	return s
}
