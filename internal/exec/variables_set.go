package exec

import (
	"bytes"
	"encoding/binary"
	"math"

	"tunic/internal/eval"
	"tunic/internal/local"
	"tunic/internal/recipe"
	"tunic/internal/sql"
	"tunic/internal/sql/ast"
	"tunic/internal/sqlerr"
	"tunic/internal/value"
	"tunic/internal/value/charset"
)

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
	items   []local.Item
	runs    []*local.Running
	set     []Variable
	rows    int
	clock   *charset.Collation
	// see adder
	buffered, constants bool
}

// start makes it the last sink of a program.
func (a *assigned) start(c *choice, p *local.Program) (local.Sink, error) {
	a.items = p.Items
	var err error
	a.runs, err = local.StartItems(&c.Execution, a.items)
	return a, err
}

// errManyRows is what servers say of INTO with more than one row.
func errManyRows() *sqlerr.Error {
	return &sqlerr.Error{Number: 1172, State: "42000", Message: "Result consisted of more than one row"}
}

// Row takes a row. A second one is an error, and what the first has set stays.
func (a *assigned) Row(r eval.Row) error {
	if a.rows++; a.rows > 1 {
		return &local.SureError{Of: errManyRows()}
	}
	env := &a.session.env.Value
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
	if err := it.Shown(r, env, true); err != nil {
		return Variable{}, err
	}
	if err := a.session.env.Serves(it.Typ); err != nil {
		return Variable{}, err
	}
	if run == nil {
		return columnVariable(it.Typ, r[it.Column], a.clock, env)
	}
	computed, err := run.Eval(r)
	if err == nil {
		err = local.Quiet(run.Drain())
	}
	switch {
	case err != nil:
		return Variable{}, err
	case computed.Opaque():
		return Variable{}, sqlerr.ValueRefused("a document with values of other types than JSON's, for a user variable,")
	case computed.Null():
		v := Unset()
		v.Source.Form = formOf(it.Typ)
		return v, nil
	}
	source := computed.Source(nil)
	if a.buffered || a.constants && it.Constant {
		if err := local.ShownAll(it.Typ, &source); err != nil {
			return Variable{}, err
		}
	}
	if formOf(it.Typ) == value.FormUint && source.Form == value.FormInt { // small ones of it, too, stay unsigned
		source.Form = value.FormUint
	}
	return variableOf(&source, a.clock, env)
}

func (a *assigned) End() error { return nil }

// Using has the parameters of the next statement, which comes as text, be these values.
func (s *Session) Using(values []Variable) { s.binder.using = values }

// Used are the values that Using has given to the parameters of the next statement.
func (s *Session) Used() []Variable { return s.binder.using }

// AppendGiven appends the value of a parameter as a literal of the client's text.
func (s *Session) AppendGiven(dst []byte, v *Variable) ([]byte, error) {
	return s.binder.appendGiven(dst, v)
}

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
	into := &assigned{session: s, clock: s.env.Clock()}
	err = s.assign(st, into)
	if err == errComparison && st.fallback != nil { //nolint:errorlint // it is never wrapped
		b.notices.begin(s.env.NoticesMax)
		*into = assigned{session: s, clock: into.clock}
		err = s.assign(st.fallback, into)
	}
	for i := range into.set {
		v := &into.set[i]
		v.Secret = st.run.Derived == nil || st.run.Derived[i] || b.readsSecret()
		v.From = b.sources(st, i)
	}
	return into.set, err
}

// sources are the variables that a column of a query is computed from.
func (b *binder) sources(st *Statement, column int) (names []string) {
	if st.run.Tree == nil && column < len(st.run.Fetch) && st.run.Fetch[column].Column >= 0 && len(st.run.Local) == 0 {
		return nil
	}
	steps := st.run.Local
	if st.run.Tree != nil {
		if top, ok := st.run.Tree.Root.(*recipe.Block); ok {
			steps = top.Steps
		}
	}
	for _, step := range steps {
		if project, ok := step.(*recipe.Project); ok && column < len(project.Items) {
			return b.variablesOf(project.Items[column].Expr)
		}
	}
	for i := range b.variables {
		names = append(names, b.variables[i].From...)
	}
	for i := range b.using {
		names = append(names, b.using[i].From...)
	}
	return names
}

// variablesOf are the variables that an expression is computed from.
func (b *binder) variablesOf(e ast.Expr) (names []string) {
	for _, a := range argumentsIn(e) {
		n, is := sql.ParamOf(a)
		if v, given := b.given(n); is && given {
			names = append(names, v.From...)
		}
	}
	return names
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
	if s.env.Limited {
		return sqlerr.StatementRefused("a query that tunic has to finish itself, in a session with sql_select_limit,")
	}
	s.binder.begin(st)
	into.buffered, into.constants = st.buffered, st.constants
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
