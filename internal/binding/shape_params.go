package binding

import (
	"encoding/binary"
	"slices"

	"tunic/internal/sql"
	"tunic/internal/sql/ast"
	"tunic/internal/value"
	"tunic/internal/wire"
)

// MariaDB describes a result anew for each execution: what is computed of a parameter has the type and
// the length of its value. So a statement that selects parameters is executed over the twins, with
// values that are like the client's. MySQL has types for parameters when it prepares a statement.

// listParam adds a parameter to those that are selected.
func (st *Statement) listParam(n int) {
	if n < sql.FirstVariable && !slices.Contains(st.listedParams, n) {
		st.listedParams = append(st.listedParams, n)
	}
}

// listArgument adds what a bind variable of an inner list stands for.
func (st *Statement) listArgument(a *ast.Argument) {
	if n, ok := sql.ParamOf(a); ok {
		st.listParam(n)
		return
	}
	if place, ok := sql.PlaceOf(a); ok && place.Group < 0 && !slices.Contains(st.listed, place) {
		st.listed = append(st.listed, place)
	}
}

// AlikeExecution appends how the statement that is described is executed, from the flags of
// COM_STMT_EXECUTE on; nothing if it need not be, or is only prepared. Parameters that are selected are like the
// client's; the others are numbers.
func (b *Binder) AlikeExecution(dst []byte, st *Statement) []byte {
	if len(st.listedParams) == 0 || b.Env.Value.Flavor != value.MariaDB || st.Run.Answer.Acts || st.Besides() || !b.executes(st.listedParams[0]) {
		return dst
	}
	dst = append(dst, 0, 1, 0, 0, 0) // no cursor, once
	nulls := len(dst)
	for range (len(st.marks) + 7) / 8 {
		dst = append(dst, 0)
	}
	dst = append(dst, 1)
	for _, n := range st.marks {
		dst = b.paramAlike(st, n).Append(dst)
	}
	for i, n := range st.marks {
		p := b.paramAlike(st, n)
		if p.Null {
			dst[nulls+i/8] |= 1 << (i % 8)
			continue
		}
		dst = b.appendAlikeValue(dst, &p, n, slices.Contains(st.Run.Answer.DigitParams, n))
	}
	return dst
}

// executes reports whether a parameter has a value: it has none while a statement is prepared.
func (b *Binder) executes(n int) bool {
	if b.Prepared != nil {
		return n < len(b.Prepared.params)
	}
	_, ok := b.Given(n)
	return ok
}

// paramAlike is the parameter that the client has sent, or a number for one that is not selected.
func (b *Binder) paramAlike(st *Statement, n int) Param {
	if !slices.Contains(st.listedParams, n) || !b.executes(n) {
		return Param{ParamType: ParamType{Kind: wire.TypeLong}, Bytes: []byte{1, 0, 0, 0}}
	}
	if b.Prepared != nil {
		return b.Prepared.params[n]
	}
	v, _ := b.Given(n)
	p := Param{ParamType: v.paramType(), Null: v.Null, Bytes: v.Source.Bytes}
	if v.Source.Form != value.FormString && v.Source.Form != value.FormDecimal {
		p.Bytes = binary.LittleEndian.AppendUint64(nil, v.Source.Number)
	}
	return p
}

// appendAlikeValue appends a value that is as long as a parameter's, and has nothing else of it; a
// number that says how many digits or characters there are is itself.
func (b *Binder) appendAlikeValue(dst []byte, p *Param, which int, digits bool) []byte {
	alike := slices.Grow(b.alike[:0], len(p.Bytes))[:len(p.Bytes)]
	clear(alike)
	switch p.Kind {
	case wire.TypeTiny, wire.TypeShort, wire.TypeLong, wire.TypeInt24, wire.TypeLongLong, wire.TypeFloat, wire.TypeDouble:
		if alike[0] = 1; digits && isFew(p.Bytes) {
			copy(alike, p.Bytes)
		}
	case wire.TypeDecimal, wire.TypeNewDecimal:
		alike = appendDigits(alike[:0], p.Bytes, '1')
	case wire.TypeDate, wire.TypeDatetime, wire.TypeTimestamp:
		copy(alike, []byte{2000 & 0xff, 2000 >> 8, 1, 1, 0, 0, 0, 1})
	case wire.TypeTime:
		copy(alike, []byte{0, 0, 0, 0, 0, 0, 0, 1, 1})
	case wire.TypeTinyBlob, wire.TypeMediumBlob, wire.TypeLongBlob, wire.TypeBlob:
		for i := range alike {
			alike[i] = 'x'
		}
	default:
		alike = b.appendLetters(alike[:0], p.Bytes, which)
	}
	b.alike = alike
	return wire.AppendBinaryValue(dst, p.Kind, alike)
}

// isFew reports whether an integer of the protocol has no more digits than digitsMost.
func isFew(integer []byte) bool {
	const few = 999
	var n uint64
	for i := len(integer) - 1; i >= 0; i-- {
		n = n<<8 | uint64(integer[i])
	}
	return n <= few
}
