package layers

import (
	"encoding/binary"
	"errors"
	"slices"

	"tunic/internal/value"
)

// ErrConversion says that a value does not become one of another type without a
// warning, or that it is not known what it becomes.
var ErrConversion = errors.New("layers: a value that does not fit its column's new type as it is")

// CanConvert reports whether values of a type can be made values of another. It is so
// where the types are of one sort and the new one has no coarser steps: a value then
// becomes what the server makes of it, or there is an error.
func CanConvert(from, to *value.Type, env *value.Env) bool {
	f, t := from.Kind, to.Kind
	switch {
	case f.IsInteger():
		return t.IsInteger() || t == value.Decimal
	case f == value.Decimal:
		return t == f && to.Decimals >= from.Decimals
	case f == value.Date:
		return t == value.Date || t == value.DateTime
	case f == value.DateTime, f == value.Timestamp, f == value.Time:
		return t == f && to.Decimals >= from.Decimals
	case f == value.Enum, f == value.Set:
		return t == f && convertible(from) && convertible(to)
	}
	return f.IsText() && t.IsText() && convertible(from) && convertible(to) && env.Mode&value.PadCharToFullLength == 0
}

// convertible says that it is known exactly what text in the type's character set
// becomes in another.
func convertible(t *value.Type) bool {
	ok, _ := t.Collation.Charset.Convertible()
	return ok
}

// Converter makes canonical forms of one type from those of another, as the server does when
// a column's type changes. The types are such that CanConvert, or value.Widens. A value that
// does not fit is ErrConversion.
func Converter(from, to *value.Type, env *value.Env) func(canonical []byte) ([]byte, error) {
	return converter(from, to, env, func(conditions []value.Condition, _ *value.Env) bool { return len(conditions) == 0 })
}

// changer makes canonical forms as Converter does, for the statement that changes the type: what
// the server only warns of in the statement's sql_mode is taken as well, and told of by warned.
func changer(from, to *value.Type, env *value.Env, warned func([]value.Condition)) func(canonical []byte) ([]byte, error) {
	return converter(from, to, env, func(conditions []value.Condition, utc *value.Env) bool {
		conditions = asCopied(from, to, conditions, utc)
		if len(conditions) > 0 && warned != nil {
			warned(conditions)
		}
		return !slices.ContainsFunc(conditions, func(c value.Condition) bool { return c.Level == value.Error || c.Code == value.Unanswerable })
	})
}

// converter makes canonical forms where takes agrees to what there is to say of a value.
func converter(from, to *value.Type, env *value.Env, takes func([]value.Condition, *value.Env) bool) func(canonical []byte) ([]byte, error) {
	if value.Widens(from, to) {
		return func(canonical []byte) ([]byte, error) { return canonical, nil }
	}
	utc := *env
	utc.Location, utc.Results, utc.Ignore, utc.NullFails = nil, nil, false, true
	return func(canonical []byte) ([]byte, error) {
		if from.Kind == value.Enum && binary.BigEndian.Uint64(canonical) == 0 {
			return canonical, nil // no label: servers copy it as it is, and say nothing
		}
		source := sourceOf(from, canonical, &utc)
		out, outcome := value.Assign([]byte{}, to, &source, &utc)
		if taken := takes(outcome.Conditions(), &utc); outcome.Null || !taken {
			return nil, ErrConversion
		}
		return out, nil
	}
}

// asCopied is what a server says where it copies rows: text that is cut is an assignment like any
// other, unless it stays of one type and character set.
func asCopied(from, to *value.Type, conditions []value.Condition, env *value.Env) []value.Condition {
	if from.Kind != to.Kind || from.Kind != value.Char && from.Kind != value.VarChar || from.Collation.Charset.Name != to.Collation.Charset.Name {
		return conditions
	}
	long := func(t *value.Type) bool {
		return t.Kind == value.VarChar && t.Length*t.Collation.Charset.BytesMax > lengthByte
	}
	if long(from) != long(to) {
		return conditions
	}
	var all []value.Condition
	for _, c := range conditions {
		if c.Code == value.TooLong || c.Code == value.Truncated {
			if c = (value.Condition{Code: value.Truncated, Level: value.Warning}); env.Strict() {
				c.Level = value.Error
			}
		}
		all = append(all, c)
	}
	return all
}

// lengthByte is how many bytes a text may have whose length is kept in one.
const lengthByte = 255

// sourceOf is a value that is assigned, of the types of CanConvert.
func sourceOf(t *value.Type, canonical []byte, env *value.Env) value.Source {
	switch k := t.Kind; {
	case k.IsText():
		return value.StringSource(canonical, t.Collation)
	case k == value.Enum, k == value.Set:
		return value.StringSource(value.AppendText(nil, t, canonical, env), t.Collation)
	case k == value.Decimal:
		return value.DecimalSource(value.AppendText(nil, t, canonical, env))
	}
	n := binary.BigEndian.Uint64(canonical)
	switch k := t.Kind; {
	case k == value.Date:
		return value.DateSource(int64(n))
	case k == value.Time:
		return value.TimeSource(int64(n), uint8(t.Decimals))
	case k == value.DateTime, k == value.Timestamp:
		return value.DateTimeSource(int64(n), uint8(t.Decimals))
	case t.Unsigned:
		return value.UintSource(n)
	}
	return value.IntSource(int64(n))
}
