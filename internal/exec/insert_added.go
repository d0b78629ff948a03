package exec

import (
	"encoding/binary"
	"math"

	"tunic/internal/eval"
	"tunic/internal/sqlerr"
	"tunic/internal/value"
)

// added are rows of an INSERT that come from elsewhere than its text, as many as are sent
// at once: values of the columns that they are for, in their canonical forms.
type added struct {
	columns []*column
	rows    []eval.Row
}

// take is the value of a cell.
func (a *added) take(v *bound, cell, row int) error {
	canonical := a.rows[row][cell]
	if canonical == nil {
		v.reach = isNull
		return nil
	}
	v.canonical = append(v.canonical, canonical...)
	return nil
}

// write appends the value of a cell as a literal from which the server makes the same
// value of the column's type again.
func (a *added) write(dst []byte, cell, row int, env *environment) ([]byte, error) {
	t, canonical := &a.columns[cell].Type, a.rows[row][cell]
	switch k := t.Kind; {
	case canonical == nil:
		return append(dst, "NULL"...), nil
	case k == value.Bit || k == value.Enum || k == value.Set:
		t = &value.Type{Kind: value.BigInt, Unsigned: true}
	case k == value.Float:
		raw := value.AppendBinary(nil, t, canonical, &env.value)
		return appendDouble(dst, float64(math.Float32frombits(binary.LittleEndian.Uint32(raw))))
	case k == value.Double:
		raw := value.AppendBinary(nil, t, canonical, &env.value)
		return appendDouble(dst, math.Float64frombits(binary.LittleEndian.Uint64(raw)))
	case k == value.JSON:
		return appendHex(append(dst, "_utf8mb4 "...), canonical), nil
	case k == value.Timestamp:
		return a.writeMoment(dst, t, canonical, env)
	}
	return appendLiteral(dst, t, canonical, &env.value), nil
}

// writeMoment writes a TIMESTAMP, which servers read as local time. In an hour that is
// there twice a year nothing tells which of the two is meant.
func (a *added) writeMoment(dst []byte, t *value.Type, canonical []byte, env *environment) ([]byte, error) {
	text := value.AppendText(nil, t, canonical, &env.value)
	source := value.StringSource(text, env.connection)
	quiet := env.value
	quiet.Ignore = true
	again, outcome := value.Assign(nil, t, &source, &quiet)
	if string(again) != string(canonical) || len(outcome.Conditions()) > 0 && !isZero(canonical) {
		return dst, sqlerr.ValueRefused("a TIMESTAMP of an hour that is there twice, as the value of a plain column,")
	}
	return append(append(append(dst, '\''), text...), '\''), nil
}

// isZero reports whether all bytes are 0: the zero date.
func isZero(canonical []byte) bool {
	for _, c := range canonical {
		if c != 0 {
			return false
		}
	}
	return true
}

// defaultOf is the value of a column that a row has none for. What there is to say of it
// servers say once.
func (b *binder) defaultOf(v *bound, o *operand, element int) error {
	if b.added == nil || element == 0 && b.row <= 1 {
		return b.defaulted(v, o, element)
	}
	notices := b.notices
	err := b.defaulted(v, o, element)
	if err == nil {
		b.notices = notices
	}
	return err
}
