package eval

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

// jsonScalar is a scalar that is compared.
type jsonScalar struct {
	rank   int
	exact  bool // an integer or decimal; else float
	number decimal.Number
	float  float64
	text   []byte
	truth  bool
}

func truthScalar(is bool) jsonScalar { return jsonScalar{rank: rankTruth, truth: is} }
func exactScalar(n decimal.Number) jsonScalar {
	return jsonScalar{rank: rankNumber, exact: true, number: n}
}
func realScalar(f float64) jsonScalar { return jsonScalar{rank: rankNumber, float: f} }
func textScalar(s []byte) jsonScalar  { return jsonScalar{rank: rankText, text: s} }

// scalarOf is the scalar that a document is; false for others.
func scalarOf(text []byte) (s jsonScalar, ok bool) {
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

// compare compares scalars; false where it hangs on the last digits of a double.
func (s *jsonScalar) compare(o *jsonScalar) (int, bool) {
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
func (s *jsonScalar) double() (float64, bool) {
	if !s.exact {
		return s.float, true
	}
	return s.number.Double(), s.number.WholeDigits()+s.number.Decimals() <= exactDigits
}

// isNumber reports whether a document is a number that is the same as an integer or a decimal.
func isNumber(text []byte) bool {
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

// scalarAsReal is what a scalar stands for as a number, to MariaDB; false if it has too many digits, or is none.
func scalarAsReal(text []byte, collation *charset.Collation, env *value.Env) (float64, bool) {
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
