package json

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"math"

	"tunic/internal/eval/decimal"
	"tunic/internal/value"
	"tunic/internal/value/charset"
	"tunic/internal/value/document"
)

// The ranks of kinds of values: those of a lower one are less.
const (
	rankNull = iota
	rankNumber
	rankText
	rankTruth
)

// Scalar is a scalar that is compared.
type Scalar struct {
	rank   int
	exact  bool // an integer or decimal; else float
	number decimal.Number
	float  float64
	text   []byte
	truth  bool
}

// OfTruth is true or false.
func OfTruth(is bool) Scalar { return Scalar{rank: rankTruth, truth: is} }

// OfExact is an integer or a decimal.
func OfExact(n decimal.Number) Scalar {
	return Scalar{rank: rankNumber, exact: true, number: n}
}

// OfReal is a double.
func OfReal(f float64) Scalar { return Scalar{rank: rankNumber, float: f} }

// OfText is a string.
func OfText(s []byte) Scalar { return Scalar{rank: rankText, text: s} }

// ScalarOf is the scalar that a document is; false for others.
func ScalarOf(text []byte) (s Scalar, ok bool) {
	v, ok := document.Parse(text)
	if !ok || !v.IsScalar() {
		return s, false
	}
	switch v.Kind {
	case document.Number:
		s.rank, s.float = rankNumber, v.Float()
		s.exact = v.IsInteger() && s.number.SetText(v.Raw)
	case document.String:
		s.rank, s.text = rankText, document.AppendText(nil, v.Raw)
	case document.True, document.False:
		s.rank, s.truth = rankTruth, v.Kind == document.True
	default:
	}
	return s, true
}

// exactDigits is how many digits a double holds in any case.
const exactDigits = 15

// Compare compares scalars; false where it hangs on the last digits of a double.
func (s *Scalar) Compare(o *Scalar) (int, bool) {
	switch {
	case s.rank != o.rank:
		return cmp.Compare(s.rank, o.rank), true
	case s.rank == rankText:
		return bytes.Compare(s.text, o.text), true
	case s.rank == rankTruth && s.truth != o.truth:
		if s.truth {
			return 1, true
		}
		return -1, true
	case s.rank != rankNumber:
		return 0, true
	case s.exact && o.exact:
		return s.number.Compare(&o.number)
	}
	a, okA := s.double()
	b, okB := o.double()
	return cmp.Compare(a, b), okA && okB
}

// double is a number as a double that holds all of its digits.
func (s *Scalar) double() (float64, bool) {
	if !s.exact {
		return s.float, true
	}
	return s.number.Double(), s.number.WholeDigits()+s.number.Decimals() <= exactDigits
}

// IsNumber reports whether a document is a number that is the same as an integer or a decimal.
func IsNumber(text []byte) bool {
	v, ok := document.Parse(text)
	return ok && v.Kind == document.Number && (len(v.Raw) <= exactDigits || v.IsInteger() && len(v.Raw) <= wholeDigitsMax)
}

// wholeDigitsMax is how many digits fit into an integer for the servers.
const wholeDigitsMax = 18

var realType = &value.Type{Kind: value.Double}

// plainReal is text that is a number from end to end.
func plainReal(text []byte, collation *charset.Collation, env *value.Env) (float64, bool) {
	src := value.StringSource(text, collation)
	b, o := value.Assign(nil, realType, &src, env)
	if len(o.Conditions()) > 0 || len(text) == 0 || len(text) > exactDigits {
		return 0, false
	}
	return math.Float64frombits(binary.BigEndian.Uint64(b)), true
}

// AsReal is what a scalar stands for as a number, to MariaDB; false if it has too many digits, or is none.
func AsReal(text []byte, collation *charset.Collation, env *value.Env) (float64, bool) {
	v, ok := document.Parse(text)
	switch {
	case !ok:
	case v.Kind == document.Number && len(v.Raw) <= exactDigits:
		return v.Float(), true
	case v.Kind == document.True || v.Kind == document.False:
		return float64(v.Kind - document.False), true
	case v.Kind == document.String:
		return plainReal(document.AppendText(nil, v.Raw), collation, env)
	}
	return 0, false
}
