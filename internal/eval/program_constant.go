package eval

import (
	"bytes"

	"tunic/internal/eval/class"
	"tunic/internal/eval/decimal"
	"tunic/internal/eval/number"
	"tunic/internal/sqlerr"
	"tunic/internal/value"
)

// fix makes the datum of a constant for a run.
func (r *Run) fix(k *constant) error {
	s := &k.literal
	if k.bind >= 0 {
		s = &r.in.Binds[k.bind]
		if !k.sameShape(s) {
			return ErrShape
		}
	}
	return setSource(&r.slots[k.slot], s, k.shape)
}

// sameShape reports whether a bind is of the type that was compiled for.
func (k *constant) sameShape(s *value.Source) bool {
	if s.Form == value.FormNull {
		return true // NULL has no type of its own at run time
	}
	if s.Form != k.literal.Form || s.Fraction != k.literal.Fraction || s.Truth != k.literal.Truth || s.Variable != k.literal.Variable || s.System != k.literal.System || s.Collation != k.literal.Collation {
		return false
	}
	if k.pinned && (s.Number != k.literal.Number || !bytes.Equal(s.Bytes, k.literal.Bytes)) {
		return false
	}
	switch s.Form {
	case value.FormDecimal:
		return len(s.Bytes) == len(k.literal.Bytes) && bytes.IndexByte(s.Bytes, '.') == bytes.IndexByte(k.literal.Bytes, '.')
	case value.FormInt:
		return number.Digits(decimal.Magnitude(int64(s.Number))) <= max(k.shape.Digits, intDigitsFree)
	case value.FormTime, value.FormDateTime:
		return s.Param == k.literal.Param
	default:
		return true
	}
}

// intDigitsFree is how many digits an integer may have whatever the example had:
// those of most of them, so that few texts need a compilation of their own.
const intDigitsFree = 10

// setSource makes a datum of a source.
func setSource(d *datum, s *value.Source, sh class.Shape) error {
	*d = datum{n: s.Number, b: s.Bytes}
	switch s.Form {
	case value.FormNull:
		d.null = true
	case value.FormDecimal:
		if !d.d.SetText(s.Bytes) {
			return sqlerr.ValueRefused("a DECIMAL literal")
		}
	case value.FormString:
		if sh.Collation != nil && !sh.Collation.Charset.Valid(s.Bytes) {
			return sqlerr.ValueRefused("a string literal")
		}
	default:
	}
	return nil
}

// itemList is a group of items of IN: constants that each statement has its own
// number of. All items of one form share a node.
type itemList struct {
	index  int
	protos []itemProto
}

type itemProto struct {
	form  value.Form
	slot  int
	shape class.Shape
}

func (l *itemList) proto(f value.Form) *itemProto {
	for i := range l.protos {
		if l.protos[i].form == f {
			return &l.protos[i]
		}
	}
	return nil
}
