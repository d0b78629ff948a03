package comparison

import (
	"bytes"
	"cmp"

	"tunic/internal/eval/class"
	"tunic/internal/eval/program"
)

// Integers compares integers, each with a sign or without.
func Integers(unsignedA, unsignedB bool) Comparator {
	switch {
	case unsignedA && unsignedB:
		return func(_ *program.Run, x, y *program.Datum) int { return cmp.Compare(x.N, y.N) }
	case unsignedA:
		return func(_ *program.Run, x, y *program.Datum) int {
			if int64(y.N) < 0 {
				return 1
			}
			return cmp.Compare(x.N, y.N)
		}
	case unsignedB:
		return func(_ *program.Run, x, y *program.Datum) int {
			if int64(x.N) < 0 {
				return -1
			}
			return cmp.Compare(x.N, y.N)
		}
	}
	return func(_ *program.Run, x, y *program.Datum) int { return cmp.Compare(int64(x.N), int64(y.N)) }
}

// Doubles compares doubles.
func Doubles(_ *program.Run, x, y *program.Datum) int {
	return cmp.Compare(x.Double(), y.Double())
}

// Decimals compares exact numbers.
func Decimals(r *program.Run, x, y *program.Datum) int {
	d, ok := x.D.Compare(&y.D)
	if !ok {
		r.Refuse("a comparison of DECIMAL")
	}
	return d
}

// OfShape compares data of one type.
func OfShape(s class.Shape) (Comparator, bool) {
	switch {
	case s.Class == class.Null:
		return func(*program.Run, *program.Datum, *program.Datum) int { return 0 }, true
	case s.Class.IsInteger():
		return Integers(s.Class.IsUnsigned(), s.Class.IsUnsigned()), true
	case s.Class == class.Decimal:
		return Decimals, true
	case s.Class.IsReal():
		return Doubles, true
	case s.Class.IsTemporal():
		return Integers(false, false), true
	case s.Class == class.Bytes:
		return func(_ *program.Run, x, y *program.Datum) int { return bytes.Compare(x.B, y.B) }, true
	case s.Class == class.Text:
		if exact, _ := s.Collation.Exact(); exact {
			return func(_ *program.Run, x, y *program.Datum) int { return s.Collation.Compare(x.B, y.B) }, true
		}
	}
	return nil, false
}
