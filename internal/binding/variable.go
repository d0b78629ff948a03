package binding

import (
	"bytes"
	"encoding/binary"
	"math"
	"strconv"

	"tunic/internal/environment"
	"tunic/internal/recipe"
	"tunic/internal/sql"
	"tunic/internal/sql/ast"
	"tunic/internal/sqlerr"
	"tunic/internal/value"
	"tunic/internal/value/charset"
	"tunic/internal/wire"
)

// Variable is the value of a user variable (MySQL manual, "User-Defined Variables"): an
// integer, a decimal, a double, or a string with a collation; or NULL, which has one of
// these types as well. Its bytes are its own.
type Variable struct {
	Source value.Source // FormInt, FormUint, FormDecimal, FormDouble or FormString
	Null   bool
	// Secret says that it may be a value of a protected column: the server gets it in
	// slots only.
	Secret bool
	// Key says that it has been the key of a cipher: the server does not get it.
	Key bool
	// From are the variables that the value of a statement is of, or computed from.
	From  []string
	prior priorTypes // of a value behind USING, in executions before
}

// Unset is the value of a variable that was never set.
func Unset() Variable {
	return Variable{Source: value.Source{Form: value.FormString, Variable: true}, Null: true}
}

// source is the value as a statement supplies it.
func (v *Variable) source() value.Source {
	if v.Null {
		return value.NullSource()
	}
	s := v.Source
	s.Variable = !s.System
	if s.Form == value.FormString && s.Collation == nil { // bytes, which compare with text as bytes
		s.Form = value.FormHexString
	}
	return s
}

// AppendLiteral appends an expression that sets a variable of the server's to the same
// value, of the same type. It reads alike in every sql_mode and character set.
func (v *Variable) AppendLiteral(dst []byte) []byte {
	if v.Null {
		return v.appendNull(dst)
	}
	s := &v.Source
	switch s.Form {
	case value.FormUint: // a small number alone would be signed
		return append(strconv.AppendUint(append(dst, "CAST("...), s.Number, 10), " AS UNSIGNED)"...)
	case value.FormDecimal:
		return append(dst, s.Bytes...)
	case value.FormDouble:
		return strconv.AppendFloat(dst, math.Float64frombits(s.Number), 'e', -1, 64)
	case value.FormString:
		return appendCollated(dst, s.Bytes, s.Collation)
	default:
		return strconv.AppendInt(dst, int64(s.Number), 10)
	}
}

// appendNull appends a NULL of the variable's type.
func (v *Variable) appendNull(dst []byte) []byte {
	switch v.Source.Form {
	case value.FormInt:
		return append(dst, "CAST(NULL AS SIGNED)"...)
	case value.FormUint:
		return append(dst, "CAST(NULL AS UNSIGNED)"...)
	case value.FormDecimal:
		return append(dst, "CAST(NULL AS DECIMAL)"...)
	case value.FormDouble:
		return append(dst, "NULL + 0e0"...)
	default:
		if c := v.Source.Collation; c != nil && c.Charset.Name != "binary" {
			return append(append(append(append(dst, "CONVERT(NULL USING "...), c.Charset.Name...), ") COLLATE "...), c.Name...)
		}
		return append(dst, "NULL"...)
	}
}

// appendCollated appends a string with its collation.
func appendCollated(dst, s []byte, c *charset.Collation) []byte {
	if c == nil || c.Charset.Name == "binary" {
		return environment.AppendHex(append(dst, "_binary "...), s)
	}
	dst = append(append(append(dst, '_'), c.Charset.Name...), ' ')
	dst = environment.AppendHex(dst, s)
	return append(append(dst, " COLLATE "...), c.Name...)
}

// appendType appends an expression of the variable's type, of no value of it.
func (v *Variable) appendType(dst []byte) []byte {
	if v.Null {
		return v.appendNull(dst)
	}
	switch v.Source.Form {
	case value.FormUint:
		return append(dst, "CAST(1000000 AS UNSIGNED)"...) // servers compute with it: what is added or taken away leaves the range seldom
	case value.FormDecimal:
		return append(dst, "1.5"...)
	case value.FormDouble:
		return append(dst, "1e0"...)
	case value.FormString:
		return appendCollated(dst, nil, v.Source.Collation)
	default:
		return append(dst, '1')
	}
}

// paramType is the type of such a parameter.
func (v *Variable) paramType() ParamType {
	switch v.Source.Form {
	case value.FormInt:
		return ParamType{Kind: wire.TypeLongLong}
	case value.FormUint:
		return ParamType{Kind: wire.TypeLongLong, Unsigned: true}
	case value.FormDouble:
		return ParamType{Kind: wire.TypeDouble}
	case value.FormDecimal:
		return ParamType{Kind: wire.TypeNewDecimal}
	default:
	}
	if c := v.Source.Collation; c == nil || c.Charset.Name == "binary" {
		return ParamType{Kind: wire.TypeBlob}
	}
	return ParamType{Kind: wire.TypeVarString}
}

// VariableOf is what a user variable is when it is set to what a statement supplies.
// clock is the collation of a date or time as text.
func VariableOf(s *value.Source, clock *charset.Collation, env *value.Env) (Variable, error) {
	v := Variable{Source: *s}
	v.Source.Param, v.Source.Truth, v.Source.Variable = false, false, true
	v.Source.Bytes = bytes.Clone(s.Bytes)
	switch s.Form {
	case value.FormNull:
		return Unset(), nil
	case value.FormInt, value.FormUint, value.FormDecimal, value.FormDouble, value.FormString:
		return v, nil
	case value.FormHex, value.FormHexString:
		v.Source.Form, v.Source.Collation = value.FormString, nil
		return v, nil
	default:
	}
	t, ok := clockTypes[s.Form]
	if !ok || clock == nil {
		return v, sqlerr.ValueRefused("a value of this type, for a user variable,")
	}
	t.Decimals = int(s.Fraction)
	if s.Param && env.Flavor != value.MariaDB && t.Kind != value.Date {
		t.Decimals = 6 // as MySQL computes with it
	}
	canonical, outcome := value.Assign(nil, &t, s, env)
	if outcome.Null || len(outcome.Conditions()) > 0 {
		return v, sqlerr.ValueRefused("a date or time out of range, for a user variable,")
	}
	v.Source = value.StringSource(value.AppendText(nil, &t, canonical, env), clock)
	v.Source.Variable = true
	return v, nil
}

var clockTypes = map[value.Form]value.Type{
	value.FormDate: {Kind: value.Date}, value.FormTime: {Kind: value.Time}, value.FormDateTime: {Kind: value.DateTime},
}

// ColumnVariable is what a user variable is when it is set to the value of a column.
func ColumnVariable(t *value.Type, canonical []byte, clock *charset.Collation, env *value.Env) (Variable, error) {
	if canonical == nil {
		v := Unset()
		v.Source.Form = FormOf(t)
		return v, nil
	}
	text := func(c *charset.Collation) Variable {
		s := value.StringSource(value.AppendText(nil, t, canonical, env), c)
		s.Variable = true
		return Variable{Source: s}
	}
	word := func() uint64 { return binary.BigEndian.Uint64(canonical) }
	var s value.Source
	switch k := t.Kind; {
	case k.IsInteger() && t.Unsigned, k == value.Year, k == value.Bit:
		s = value.Source{Form: value.FormUint, Number: word()}
	case k.IsInteger():
		s = value.IntSource(int64(word()))
	case k == value.Decimal:
		s = value.DecimalSource(value.AppendText(nil, t, canonical, env))
	case k == value.Float:
		s = value.DoubleSource(float64(math.Float32frombits(uint32(word()))))
	case k == value.Double:
		s = value.Source{Form: value.FormDouble, Number: word()}
	case k.IsText(), k == value.Enum, k == value.Set:
		return text(t.Collation), nil
	case k.IsBytes():
		return text(nil), nil
	case k.IsTemporal() && clock != nil:
		return text(clock), nil
	default:
		return Variable{}, sqlerr.ValueRefused("a value of this type, for a user variable,")
	}
	s.Variable = true
	return Variable{Source: s}, nil
}

// FormOf is the form of a variable that is set to a column.
func FormOf(t *value.Type) value.Form {
	switch k := t.Kind; {
	case k.IsInteger() && t.Unsigned, k == value.Year, k == value.Bit:
		return value.FormUint
	case k.IsInteger():
		return value.FormInt
	case k == value.Decimal:
		return value.FormDecimal
	case k == value.Float, k == value.Double:
		return value.FormDouble
	}
	return value.FormString
}

// Given is the value of a parameter that is not one of an execution of the binary
// protocol: of a user variable, or of what stands behind USING.
func (b *Binder) Given(n int) (*Variable, bool) {
	switch {
	case n >= sql.FirstVariable && n-sql.FirstVariable < len(b.Variables):
		return &b.Variables[n-sql.FirstVariable], true
	case b.Prepared == nil && n >= 0 && n < len(b.Using):
		return &b.Using[n], true
	}
	return nil, false
}

// AppendGiven appends the value of a user variable as a literal.
func (b *Binder) AppendGiven(dst []byte, v *Variable) ([]byte, error) {
	if v.Null {
		return append(dst, "NULL"...), nil
	}
	s := &v.Source
	if s.Form != value.FormString {
		return v.AppendLiteral(dst), nil
	}
	switch own := s.Collation; {
	case own == nil || own.Charset.Name == "binary":
		return environment.AppendHex(append(dst, "_binary "...), s.Bytes), nil
	case own == own.Charset.Default():
		dst = append(append(append(dst, '_'), own.Charset.Name...), ' ')
		return environment.AppendHex(dst, s.Bytes), nil
	case own == b.Env.Connection && own.Charset == b.Env.Client:
		return sql.AppendString(dst, s.Bytes, b.Env.Modes), nil
	}
	return dst, sqlerr.ValueRefused("a user variable with such a collation, for a plain column,")
}

// appendGivenBinary appends the value of a user variable as a parameter of the binary
// protocol.
func (b *Binder) appendGivenBinary(out []byte, v *Variable) (_ []byte, null bool, err error) {
	s := &v.Source
	switch {
	case v.Null:
		return out, true, nil
	case s.Form == value.FormInt, s.Form == value.FormUint, s.Form == value.FormDouble:
		return binary.LittleEndian.AppendUint64(out, s.Number), false, nil
	case s.Form == value.FormString && s.Collation != nil && s.Collation.Charset != b.Env.Client && s.Collation.Charset.Name != "binary":
		return out, false, sqlerr.ValueRefused("a user variable in another character set, for a plain column,")
	}
	return wire.AppendLenencBytes(out, s.Bytes), false, nil
}

// Sources are the variables that a column of a query is computed from.
func (b *Binder) Sources(st *Statement, column int) (names []string) {
	if st.Run.Tree == nil && column < len(st.Run.Fetch) && st.Run.Fetch[column].Column >= 0 && len(st.Run.Local) == 0 {
		return nil
	}
	steps := st.Run.Local
	if st.Run.Tree != nil {
		if top, ok := st.Run.Tree.Root.(*recipe.Block); ok {
			steps = top.Steps
		}
	}
	for _, step := range steps {
		if project, ok := step.(*recipe.Project); ok && column < len(project.Items) {
			return b.variablesOf(project.Items[column].Expr)
		}
	}
	for i := range b.Variables {
		names = append(names, b.Variables[i].From...)
	}
	for i := range b.Using {
		names = append(names, b.Using[i].From...)
	}
	return names
}

// variablesOf are the variables that an expression is computed from.
func (b *Binder) variablesOf(e ast.Expr) (names []string) {
	for _, a := range argumentsIn(e) {
		n, is := sql.ParamOf(a)
		if v, given := b.Given(n); is && given {
			names = append(names, v.From...)
		}
	}
	return names
}

// ReadsSecret reports whether a statement reads a user variable that is secret.
func (b *Binder) ReadsSecret() bool {
	for i := range b.Variables {
		if b.Variables[i].Secret {
			return true
		}
	}
	for i := range b.Using {
		if b.Using[i].Secret {
			return true
		}
	}
	return false
}

// ParamsIn are the numbers of the parameters and user variables that a value is made of.
func ParamsIn(of *recipe.Operand) (all []int) {
	switch of.Kind {
	case recipe.FromParam:
		return []int{of.Param}
	case recipe.FromComputed:
		for _, a := range argumentsIn(of.Computed.Expr) {
			if n, ok := sql.ParamOf(a); ok {
				all = append(all, n)
			}
		}
	default:
	}
	return all
}
