package program

import (
	"bytes"

	"tunic/internal/eval/class"
	"tunic/internal/eval/decimal"
	"tunic/internal/eval/number"
	"tunic/internal/sqlerr"
	"tunic/internal/value"
)

// fix makes the datum of a constant for a run.
func (r *Run) fix(k *Constant) error {
	s := &k.Literal
	if k.Bind >= 0 {
		s = &r.In.Binds[k.Bind]
		if !k.sameShape(s) {
			return ErrShape
		}
	}
	return SetSource(&r.Slots[k.Slot], s, k.Shape)
}

// sameShape reports whether a bind is of the type that was compiled for.
func (k *Constant) sameShape(s *value.Source) bool {
	if s.Form == value.FormNull {
		return true // NULL has no type of its own at run time
	}
	if s.Form != k.Literal.Form || s.Fraction != k.Literal.Fraction || s.Truth != k.Literal.Truth || s.Variable != k.Literal.Variable || s.System != k.Literal.System || s.Collation != k.Literal.Collation {
		return false
	}
	if k.Pinned && (s.Number != k.Literal.Number || !bytes.Equal(s.Bytes, k.Literal.Bytes)) {
		return false
	}
	switch s.Form {
	case value.FormDecimal:
		return len(s.Bytes) == len(k.Literal.Bytes) && bytes.IndexByte(s.Bytes, '.') == bytes.IndexByte(k.Literal.Bytes, '.')
	case value.FormInt:
		return number.Digits(decimal.Magnitude(int64(s.Number))) <= max(k.Shape.Digits, intDigitsFree)
	case value.FormTime, value.FormDateTime:
		return s.Param == k.Literal.Param
	default:
		return true
	}
}

// intDigitsFree is how many digits an integer may have whatever the example had:
// those of most of them, so that few texts need a compilation of their own.
const intDigitsFree = 10

// SetSource makes a datum of a source.
func SetSource(d *Datum, s *value.Source, sh class.Shape) error {
	*d = Datum{N: s.Number, B: s.Bytes}
	switch s.Form {
	case value.FormNull:
		d.Null = true
	case value.FormDecimal:
		if !d.D.SetText(s.Bytes) {
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

// ItemList is a group of items of IN: constants that each statement has its own
// number of. All items of one form share a node.
type ItemList struct {
	Index  int
	Protos []ItemProto
}

// ItemProto is what all items of one form share.
type ItemProto struct {
	Form  value.Form
	Slot  int
	Shape class.Shape
}

// Proto is that of a form, nil for none.
func (l *ItemList) Proto(f value.Form) *ItemProto {
	for i := range l.Protos {
		if l.Protos[i].Form == f {
			return &l.Protos[i]
		}
	}
	return nil
}
