package binding

import (
	"math"
	"strconv"

	"tunic/internal/environment"
	"tunic/internal/recipe"
	"tunic/internal/sql"
	"tunic/internal/sql/ast"
	"tunic/internal/sqlerr"
	"tunic/internal/value"
	"tunic/internal/wire"
)

// A statement that writes a row back is text, whatever the client's was: what is in
// it of plain columns is written as literals, which read alike in every sql_mode
// and character set.

// AppendWritten appends a value of the statement as the client has written it.
func (b *Binder) AppendWritten(dst []byte, of *recipe.Operand, element int) ([]byte, error) {
	if of.Negative {
		dst = append(dst, "- "...)
	}
	switch of.Kind {
	case recipe.FromPlace:
		return b.AppendPlace(dst, of.Place, element)
	case recipe.FromParam:
		return b.appendParam(dst, of.Param)
	case recipe.FromForm:
		if _, ok := of.Literal.(*ast.NullVal); ok {
			return append(dst, "NULL"...), nil
		}
	default:
	}
	return dst, sqlerr.StatementRefused("a constant of this form")
}

// AppendPlace appends a literal of the text.
func (b *Binder) AppendPlace(dst []byte, p sql.Place, element int) ([]byte, error) {
	if p.Group == sql.QueryRows {
		return b.Added.write(dst, p.Cell, element, b.Env)
	}
	if p.Group < 0 {
		element = 0
	}
	if b.Prepared != nil {
		written, ok := b.Prepared.written[constantAt{p, element}]
		if !ok {
			return dst, ErrHole
		}
		return append(dst, written...), nil
	}
	at := b.Literals.At(p, element)
	return append(dst, b.Text[at.From:at.To]...), nil
}

// AppendParamAt appends the parameter that belongs into a hole.
func (b *Binder) AppendParamAt(dst []byte, h sql.Hole) ([]byte, error) {
	if v, ok := b.Given(h.Number); ok && h.Limit && !v.Null && v.Source.Form == value.FormUint {
		return strconv.AppendUint(dst, v.Source.Number, 10), nil
	}
	return b.appendParam(dst, h.Number)
}

// appendParam appends a parameter of the client's as a literal.
func (b *Binder) appendParam(dst []byte, n int) ([]byte, error) {
	if v, ok := b.Given(n); ok {
		return b.AppendGiven(dst, v)
	}
	if b.Prepared == nil || n >= len(b.Prepared.params) {
		return dst, ErrHole
	}
	p := &b.Prepared.params[n]
	if p.Null {
		return append(dst, "NULL"...), nil
	}
	switch p.Kind {
	case wire.TypeTiny, wire.TypeShort, wire.TypeYear, wire.TypeLong, wire.TypeInt24, wire.TypeLongLong:
		s := p.Integer()
		if s.Form == value.FormUint {
			return strconv.AppendUint(dst, s.Number, 10), nil
		}
		return strconv.AppendInt(dst, int64(s.Number), 10), nil
	case wire.TypeDecimal, wire.TypeNewDecimal:
		return appendDecimal(dst, p.Bytes)
	case wire.TypeFloat, wire.TypeDouble:
		if err := b.typedParam(p, inExpression); err != nil {
			return dst, err
		}
		return environment.AppendDouble(dst, math.Float64frombits(b.Source.Number))
	case wire.TypeTinyBlob, wire.TypeMediumBlob, wire.TypeLongBlob, wire.TypeBlob:
		return environment.AppendHex(append(dst, "_binary "...), p.Bytes), nil
	case wire.TypeVarchar, wire.TypeVarString, wire.TypeString, wire.TypeEnum, wire.TypeSet, wire.TypeJSON:
		if err := b.textParam(p.Bytes, inExpression); err != nil { // a literal is converted as an expression is
			return dst, err
		}
		return sql.AppendString(dst, p.Bytes, b.Env.Modes), nil
	case wire.TypeDate:
		return b.appendClock(dst, p, "DATE", value.Type{Kind: value.Date})
	case wire.TypeTime:
		return b.appendClock(dst, p, "TIME", value.Type{Kind: value.Time, Decimals: 6})
	case wire.TypeDatetime, wire.TypeTimestamp:
		return b.appendClock(dst, p, "TIMESTAMP", value.Type{Kind: value.DateTime, Decimals: 6})
	default:
		return dst, sqlerr.ValueRefused("a parameter of this type")
	}
}

// appendDecimal appends the text of a decimal, if it is one.
func appendDecimal(dst, text []byte) ([]byte, error) {
	digits := 0
	for i, c := range text {
		switch {
		case c >= '0' && c <= '9':
			digits++
		case c == '.', c == '-' && i == 0:
		default:
			return dst, WrongArguments()
		}
	}
	if digits == 0 {
		return dst, WrongArguments()
	}
	return append(dst, text...), nil
}

// appendClock appends a date or time behind the word of its type.
func (b *Binder) appendClock(dst []byte, p *Param, word string, t value.Type) ([]byte, error) {
	if err := b.typedParam(p, inExpression); err != nil {
		return dst, err
	}
	canonical, outcome := value.Assign(nil, &t, &b.Source, &b.Env.Value)
	if outcome.Null || len(outcome.Conditions()) > 0 {
		return dst, sqlerr.ValueRefused("a date or time out of range")
	}
	dst = append(append(dst, word...), '\'')
	return append(value.AppendText(dst, &t, canonical, &b.Env.Value), '\''), nil
}
