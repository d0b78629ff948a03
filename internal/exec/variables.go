package exec

import (
	"bytes"
	"encoding/binary"
	"math"
	"slices"
	"strconv"

	"tunic/internal/eval"
	"tunic/internal/plan"
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
	s.Variable = true
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
	case value.FormUint:
		return strconv.AppendUint(dst, s.Number, 10)
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
		return appendHex(append(dst, "_binary "...), s)
	}
	dst = append(append(append(dst, '_'), c.Charset.Name...), ' ')
	dst = appendHex(dst, s)
	return append(append(dst, " COLLATE "...), c.Name...)
}

// appendType appends an expression of the variable's type, of no value of it.
func (v *Variable) appendType(dst []byte) []byte {
	if v.Null {
		return v.appendNull(dst)
	}
	switch v.Source.Form {
	case value.FormUint:
		return append(dst, "18446744073709551615"...)
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
	names := st.run.Variables
	if len(names)+len(b.using) == 0 {
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
	b.nameVariables()
	for i := range b.using {
		if b.using[i].Secret && st.sendsParams {
			return nil, sqlerr.VariableSecret()
		}
	}
	tells := slices.ContainsFunc(st.sent, func(n int) bool { return all[n].Secret })
	switch {
	case !tells:
		return st, nil
	case st.discreet == nil:
		return nil, sqlerr.VariableSecret()
	}
	return st.discreet, nil
}

// nameVariables makes what sets the session of a Describer: its variables are of the same
// types.
func (b *binder) nameVariables() {
	b.scratch = b.scratch[:0]
	for i := range b.variables {
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

// bindVariables tells the session of variables whose values are those of slots.
func (s *Session) bindVariables(st *Statement) {
	if len(s.binder.variables) == 0 || s.link.Variables == nil || len(st.columns) == 0 {
		return
	}
	for i := range st.operands {
		for _, n := range variablesOf(&st.operands[i].of) {
			s.link.Variables.Bound(st.run.Variables[n])
		}
	}
	for i := range st.inputs.singles {
		for _, n := range variablesOf(&st.inputs.singles[i]) {
			s.link.Variables.Bound(st.run.Variables[n])
		}
	}
}

// sendsParams reports whether the server gets the value of a parameter as it is.
func (st *Statement) sendParams() bool {
	for _, p := range [...]*sql.Printed{st.run.Remote} {
		if p != nil && slices.ContainsFunc(p.Holes(), func(h sql.Hole) bool { return h.Kind == sql.HoleParam && h.Number < sql.FirstVariable }) {
			return true
		}
	}
	return slices.ContainsFunc(st.writings(), func(w *writing) bool { return w.params > 0 }) || st.upsert != nil
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
		return appendHex(append(dst, "_binary "...), s.Bytes), nil
	case own == own.Charset.Default():
		dst = append(append(append(dst, '_'), own.Charset.Name...), ' ')
		return appendHex(dst, s.Bytes), nil
	case own == b.env.connection && own.Charset == b.env.client:
		return sql.AppendString(dst, s.Bytes, b.env.modes), nil
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
	case s.Form == value.FormString && s.Collation != nil && s.Collation.Charset != b.env.client && s.Collation.Charset.Name != "binary":
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
	}
	if c := v.Source.Collation; c == nil || c.Charset.Name == "binary" {
		return paramType{kind: wire.TypeBlob}
	}
	return paramType{kind: wire.TypeVarString}
}

// variableOf is what a user variable is when it is set to what a statement supplies.
// clock is the collation of a date or time as text.
func variableOf(s *value.Source, clock *charset.Collation, env *value.Env) (Variable, error) {
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
	}
	t, ok := clockTypes[s.Form]
	if !ok || clock == nil {
		return v, sqlerr.ValueRefused("a value of this type, for a user variable,")
	}
	t.Decimals = int(s.Fraction)
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

// columnVariable is what a user variable is when it is set to the value of a column.
func columnVariable(t *value.Type, canonical []byte, clock *charset.Collation, env *value.Env) (Variable, error) {
	if canonical == nil {
		v := Unset()
		v.Source.Form = formOf(t)
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

// formOf is the form of a variable that is set to a column.
func formOf(t *value.Type) value.Form {
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

// assigned takes the rows of a query whose columns user variables are set to.
type assigned struct {
	session *Session
	items   []item
	runs    []*running
	set     []Variable
	rows    int
	clock   *charset.Collation
}

// start makes it the last sink of a program.
func (a *assigned) start(c *choice, p *program) (taker, error) {
	a.items = p.items
	var err error
	a.runs, err = startItems(&c.execution, a.items)
	return a, err
}

// errManyRows is what servers say of INTO with more than one row.
func errManyRows() *sqlerr.Error {
	return &sqlerr.Error{Number: 1172, State: "42000", Message: "Result consisted of more than one row"}
}

// row takes a row. A second one is an error, and what the first has set stays.
func (a *assigned) row(r eval.Row) error {
	if a.rows++; a.rows > 1 {
		return &sureError{errManyRows()}
	}
	env := &a.session.env.value
	for i := range a.items {
		v, err := a.value(i, r, env)
		if err != nil {
			return err
		}
		a.set = append(a.set, v)
	}
	return nil
}

func (a *assigned) value(i int, r eval.Row, env *value.Env) (Variable, error) {
	it, run := &a.items[i], a.runs[i]
	if err := a.session.env.serves(it.typ); err != nil {
		return Variable{}, err
	}
	if run == nil {
		return columnVariable(it.typ, r[it.column], a.clock, env)
	}
	computed, err := run.Eval(r)
	if err == nil {
		err = quiet(run.Drain())
	}
	switch {
	case err != nil:
		return Variable{}, err
	case computed.Opaque():
		return Variable{}, sqlerr.ValueRefused("a document with values of other types than JSON's, for a user variable,")
	case computed.Null():
		v := Unset()
		v.Source.Form = formOf(it.typ)
		return v, nil
	}
	source := computed.Source(nil)
	return variableOf(&source, a.clock, env)
}

func (a *assigned) end() error { return nil }

// Using has the parameters of the next statement, which comes as text, be these values.
func (s *Session) Using(values []Variable) { s.binder.using = values }

// Check finds out whether a statement could be carried out, as PREPARE does: the error is
// what is wrong with it. columns is how many it is to have, 0 for any number.
func (s *Session) Check(st *Statement, text []byte, literals *sql.Literals, columns int) error {
	defer s.end()
	b := s.binder
	b.text, b.literals = text, literals
	st, d, err := s.begin(st)
	if err != nil {
		return err
	}
	if columns > 0 && (d == nil || len(d.Columns) != columns) {
		return WrongColumns()
	}
	p, command, err := s.readPrepared(st, bytes.Clone(text))
	if err != nil {
		return err
	}
	if _, err := s.prepareQuietly(p, command); err != nil {
		return err
	}
	s.closeStatement(s.link.Response.Prepared.ID)
	return nil
}

// WrongColumns is what servers say of INTO with more or fewer variables than columns.
func WrongColumns() *sqlerr.Error {
	return &sqlerr.Error{Number: 1222, State: "21000", Message: "The used SELECT statements have a different number of columns"}
}

// Assign carries out a query whose columns user variables are set to, and returns their
// values; none if there is no row. literals are those of its text. The error of more than
// one row comes with the values of the first.
func (s *Session) Assign(st *Statement, text []byte, literals *sql.Literals) ([]Variable, error) {
	defer s.end()
	b := s.binder
	b.text, b.literals = text, literals
	st, _, err := s.begin(st)
	if err != nil {
		return nil, err
	}
	into := &assigned{session: s, clock: s.env.clock()}
	err = s.assign(st, into)
	if err == errComparison && st.fallback != nil { //nolint:errorlint // it is never wrapped
		b.notices.begin(s.env.noticesMax)
		*into = assigned{session: s, clock: into.clock}
		err = s.assign(st.fallback, into)
	}
	for i := range into.set {
		v := &into.set[i]
		v.Secret = st.run.Derived == nil || st.run.Derived[i] || b.readsSecret()
	}
	return into.set, err
}

// readsSecret reports whether a statement reads a user variable that is secret.
func (b *binder) readsSecret() bool {
	for i := range b.variables {
		if b.variables[i].Secret {
			return true
		}
	}
	for i := range b.using {
		if b.using[i].Secret {
			return true
		}
	}
	return false
}

func (s *Session) assign(st *Statement, into *assigned) error {
	if s.env.limited {
		return sqlerr.StatementRefused("a query that tunic has to finish itself, in a session with sql_select_limit,")
	}
	s.binder.begin(st)
	c, err := s.begins(st, into.start)
	if err != nil {
		return err
	}
	defer c.close()
	s.rows.cursor, s.rows.binary = false, false
	if err := s.ask(st, &asked{}); err != nil {
		return err
	}
	return s.readInto(st, c)
}

// clock is the collation that servers give to a date or time that a variable is set to:
// it is one of plain letters.
func (e *environment) clock() *charset.Collation { return e.connection }

// variablesOf are the numbers of the user variables that a value is made of.
func variablesOf(of *plan.Operand) (all []int) {
	add := func(n int) {
		if n >= sql.FirstVariable {
			all = append(all, n-sql.FirstVariable)
		}
	}
	switch of.Kind {
	case plan.FromParam:
		add(of.Param)
	case plan.FromComputed:
		for _, a := range argumentsIn(of.Computed.Expr) {
			if n, ok := sql.ParamOf(a); ok {
				add(n)
			}
		}
	default:
	}
	return all
}
