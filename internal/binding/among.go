package binding

import (
	"bytes"

	"tunic/internal/recipe"
	"tunic/internal/value"
	"tunic/internal/value/charset"
)

// columnAmong is what of a column in lists of rows MariaDB compares as doubles, and what it may not.
type columnAmong struct {
	column            *Column
	approximate, wide bool
}

// comparedOtherwise reports whether servers may compare a value that is in one of several rows otherwise than by =, which tokens
// stand for: see several_rows.go of eval/predicate.
func (b *Binder) comparedOtherwise(o *Operand, exactness value.Exactness) bool {
	switch {
	case o.Of.Among == recipe.AmongNone, b.Source.Form == value.FormNull,
		o.Of.Among == recipe.AmongElements && b.elementsAt(o.Of.Place) == 1:
		return false
	case b.Env.Value.Flavor == value.MariaDB:
		return b.comparedUnconverted(o) || b.comparedInOneWay(o)
	default:
		return comparedByLeft(&b.Source, &o.Column.Type, exactness)
	}
}

// comparedUnconverted reports whether MariaDB compares text that is in another character set than the column, byte for byte, and
// its bytes are others there.
func (b *Binder) comparedUnconverted(o *Operand) bool {
	s, to := &b.Source, o.Column.Type.Collation
	if s.Form != value.FormString || s.Collation == nil || to == nil || s.Collation.Charset == to.Charset {
		return false
	}
	from := s.Collation.Charset
	if !from.ConvertibleTo(to.Charset) {
		return true
	}
	converted, bad := charset.Convert(nil, to.Charset, from, s.Bytes)
	return bad >= 0 || !bytes.Equal(converted, s.Bytes)
}

// comparedInOneWay reports whether MariaDB may compare a column as doubles because of what another row has.
func (b *Binder) comparedInOneWay(o *Operand) bool {
	s, kind := &b.Source, o.Column.Type.Kind
	if kind == value.Enum || kind == value.Set {
		return s.Form != value.FormString
	}
	if !kind.IsInteger() && kind != value.Bit && kind != value.Year && kind != value.Decimal {
		return false
	}
	seen := b.amongOf(o.Column)
	switch s.Form {
	case value.FormString, value.FormDouble:
		seen.approximate = true
		if s.Form == value.FormString && kind != value.Decimal && !value.IsPlainInteger(s.Bytes) {
			return true
		}
	case value.FormInt:
		const doubles = 1 << 53
		seen.wide = seen.wide || kind == value.Decimal || int64(s.Number) <= -doubles || int64(s.Number) >= doubles
	default:
		seen.wide = true
	}
	return seen.approximate && seen.wide
}

func (b *Binder) amongOf(column *Column) *columnAmong {
	for i := range b.among {
		if b.among[i].column == column {
			return &b.among[i]
		}
	}
	b.among = append(b.among, columnAmong{column: column})
	return &b.among[len(b.among)-1]
}

// comparedByLeft reports whether MySQL, which compares by the type of the column, may find another answer.
func comparedByLeft(s *value.Source, t *value.Type, exactness value.Exactness) bool {
	number := s.Form == value.FormInt || s.Form == value.FormUint
	inexact := exactness != value.Exact || s.Form == value.FormString && !value.IsPlainInteger(s.Bytes)
	switch {
	case t.Kind.IsInteger() || t.Kind == value.Bit || t.Kind == value.Year:
		if !number {
			return inexact
		}
		signed := t.Kind.IsInteger() && !t.Unsigned
		return s.Number>>63 != 0 && signed == (s.Form == value.FormUint)
	case t.Kind == value.Decimal:
		return !number && s.Form != value.FormDecimal && inexact
	case t.Kind == value.Enum || t.Kind == value.Set:
		return s.Form != value.FormString
	case t.Kind.IsTemporal():
		return number || s.Form == value.FormDecimal || s.Form == value.FormDouble
	}
	return false
}
