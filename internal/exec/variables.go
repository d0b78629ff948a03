package exec

import (
	"encoding/binary"
	"math"
	"slices"
	"strconv"

	"tunic/internal/catalog"
	"tunic/internal/environment"
	"tunic/internal/recipe"
	"tunic/internal/sql"
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

// Variables are the user variables of a session, as far as tunic knows or can find out.
type Variables interface {
	// Read returns the variables of these names, in lower case. The error is a
	// *sqlerr.Error, or a *BrokenError.
	Read(names []string) ([]Variable, error)
	// Tell returns the values of expressions of the session's own, such as USER(), which
	// are asked for as they are.
	Tell(expressions []string) ([]Variable, error)
	// Bound says that the value of a variable has become one of a protected column, or
	// was compared with one.
	Bound(name string)
}

// readVariables takes the values of the user variables that a statement reads, and
// returns the Statement for them: that of the Run where the server gets none of them, if
// one of them is secret.
func (s *Session) readVariables(st *Statement) (*Statement, error) {
	b := s.binder
	b.variables = b.variables[:0]
	names := st.run.Variables[:len(st.run.Variables)-st.run.Told]
	if len(st.run.Variables)+len(b.using) == 0 {
		return st, nil
	}
	if s.link.Variables == nil {
		return nil, sqlerr.StatementRefused("a user variable on protected data")
	}
	all, err := s.link.Variables.Read(names)
	if err != nil {
		return nil, err
	}
	b.variables = append(b.variables, all...)
	for i := range b.variables {
		b.variables[i].From = names[i : i+1]
	}
	if st.run.Told > 0 {
		told, err := s.link.Variables.Tell(st.run.Variables[len(names):])
		if err != nil {
			return nil, err
		}
		b.variables = append(b.variables, told...)
	}
	b.nameVariables()
	told, err := s.bindVariables(st)
	switch {
	case err != nil || !told:
		return st, err
	case st.discreet == nil:
		return nil, sqlerr.VariableSecret()
	}
	if told, err = s.bindVariables(st.discreet); told && err == nil {
		err = sqlerr.VariableSecret()
	}
	return st.discreet, err
}

// nameVariables makes what sets the session of a Describer: its variables are of the same
// types.
func (b *binder) nameVariables() {
	b.scratch = b.scratch[:0]
	for i := range b.variables {
		if v := &b.variables[i]; v.Null && v.Source.Form == value.FormString && v.Source.Collation == nil { // NULL keeps a type
			b.scratch = append(appendDescribed(append(b.scratch, ", "...), i), " = _binary ''"...)
		}
		b.scratch = append(appendDescribed(append(b.scratch, ", "...), i), " = "...)
		b.scratch = b.variables[i].appendType(b.scratch)
	}
	if string(b.scratch) != b.variableTypes {
		b.variableTypes = string(b.scratch)
	}
}

// typesOfVariables is what sets a Describer's variables for the statement under way.
func (b *binder) typesOfVariables() string {
	if len(b.variables) == 0 {
		return ""
	}
	return b.variableTypes
}

// describedVariable is what the names of variables begin with in what is described.
const describedVariable = "tunic"

// appendDescribed appends the name of a variable in what is described.
func appendDescribed(dst []byte, n int) []byte {
	return strconv.AppendInt(append(append(dst, '@'), describedVariable...), int64(n), 10)
}

// bindVariables tells the session of variables whose values are those of slots, or are
// computed with here: they are secret from now on. It reports whether the server would get
// one of those that are, as it is; the error is that it would in the place of a parameter.
func (s *Session) bindVariables(st *Statement) (told bool, err error) {
	b := s.binder
	hidden := s.hidden(st)
	for _, name := range hidden {
		s.link.Variables.Bound(name)
	}
	for _, n := range st.sent {
		v, ok := b.given(n)
		switch {
		case !ok || !v.Secret && !v.Key && !slices.ContainsFunc(v.From, func(name string) bool { return slices.Contains(hidden, name) }):
		case n < sql.FirstVariable:
			return true, sqlerr.VariableSecret()
		default:
			told = true
		}
	}
	return told, nil
}

// hidden are the variables that go with something protected in a statement: all that the
// server does not get as they are, and of those that it gets the ones that are in slots as
// well, or in what is computed here.
func (s *Session) hidden(st *Statement) (names []string) {
	if !slices.ContainsFunc(st.run.Tables, func(t *catalog.Table) bool { return !t.Plain() }) {
		return nil
	}
	b := s.binder
	add := func(n int) {
		if slices.Contains(st.sent, n) && (slices.Contains(st.plain, n) || !st.uses(n)) {
			return
		}
		if v, ok := b.given(n); ok {
			names = append(names, v.From...)
		}
	}
	for i := range b.variables {
		add(sql.FirstVariable + i)
	}
	for i := range b.using {
		add(i)
	}
	return names
}

// uses reports whether a parameter or variable is in a slot, or in what is computed here.
func (st *Statement) uses(n int) bool {
	for i := range st.operands {
		if slices.Contains(paramsIn(&st.operands[i].of), n) {
			return true
		}
	}
	for i := range st.query.Inputs.Singles {
		if slices.Contains(paramsIn(&st.query.Inputs.Singles[i]), n) {
			return true
		}
	}
	return st.from != nil && st.from.uses(n)
}

// given is the value of a parameter that is not one of an execution of the binary
// protocol: of a user variable, or of what stands behind USING.
func (b *binder) given(n int) (*Variable, bool) {
	switch {
	case n >= sql.FirstVariable && n-sql.FirstVariable < len(b.variables):
		return &b.variables[n-sql.FirstVariable], true
	case b.prepared == nil && n < len(b.using):
		return &b.using[n], true
	}
	return nil, false
}

// appendGiven appends the value of a user variable as a literal.
func (b *binder) appendGiven(dst []byte, v *Variable) ([]byte, error) {
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
	case own == b.env.Connection && own.Charset == b.env.Client:
		return sql.AppendString(dst, s.Bytes, b.env.Modes), nil
	}
	return dst, sqlerr.ValueRefused("a user variable with such a collation, for a plain column,")
}

// appendGivenBinary appends the value of a user variable as a parameter of the binary
// protocol.
func (b *binder) appendGivenBinary(out []byte, v *Variable) (_ []byte, null bool, err error) {
	s := &v.Source
	switch {
	case v.Null:
		return out, true, nil
	case s.Form == value.FormInt, s.Form == value.FormUint, s.Form == value.FormDouble:
		return binary.LittleEndian.AppendUint64(out, s.Number), false, nil
	case s.Form == value.FormString && s.Collation != nil && s.Collation.Charset != b.env.Client && s.Collation.Charset.Name != "binary":
		return out, false, sqlerr.ValueRefused("a user variable in another character set, for a plain column,")
	}
	return wire.AppendLenencBytes(out, s.Bytes), false, nil
}

// paramType is the type of such a parameter.
func (v *Variable) paramType() paramType {
	switch v.Source.Form {
	case value.FormInt:
		return paramType{kind: wire.TypeLongLong}
	case value.FormUint:
		return paramType{kind: wire.TypeLongLong, unsigned: true}
	case value.FormDouble:
		return paramType{kind: wire.TypeDouble}
	case value.FormDecimal:
		return paramType{kind: wire.TypeNewDecimal}
	default:
	}
	if c := v.Source.Collation; c == nil || c.Charset.Name == "binary" {
		return paramType{kind: wire.TypeBlob}
	}
	return paramType{kind: wire.TypeVarString}
}

// paramsIn are the numbers of the parameters and user variables that a value is made of.
func paramsIn(of *recipe.Operand) (all []int) {
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
