package exec

import (
	"bytes"

	"tunic/internal/binding"
	"tunic/internal/eval"
	"tunic/internal/exec/said"
	"tunic/internal/local"
	"tunic/internal/recipe"
	"tunic/internal/sql"
	"tunic/internal/sqlerr"
	"tunic/internal/value"
	"tunic/internal/value/charset"
)

// assigned takes the rows of a query whose columns user variables are set to.
type assigned struct {
	session *Session
	items   []local.Item
	runs    []*local.Running
	set     []binding.Variable
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

func (a *assigned) value(i int, r eval.Row, env *value.Env) (binding.Variable, error) {
	it, run := &a.items[i], a.runs[i]
	if err := it.Shown(r, env, true); err != nil {
		return binding.Variable{}, err
	}
	if err := a.session.env.Serves(it.Typ); err != nil {
		return binding.Variable{}, err
	}
	if run == nil {
		return binding.ColumnVariable(it.Typ, r[it.Column], a.clock, env)
	}
	computed, err := run.Eval(r)
	if err == nil {
		err = local.Quiet(run.Drain())
	}
	switch {
	case err != nil:
		return binding.Variable{}, err
	case computed.Opaque():
		return binding.Variable{}, sqlerr.ValueRefused("a document with values of other types than JSON's, for a user variable,")
	case computed.Null():
		v := binding.Unset()
		v.Source.Form = binding.FormOf(it.Typ)
		return v, nil
	}
	source := computed.Source(nil)
	if a.buffered || a.constants && it.Constant {
		if err := local.ShownAll(it.Typ, &source); err != nil {
			return binding.Variable{}, err
		}
	}
	if binding.FormOf(it.Typ) == value.FormUint && source.Form == value.FormInt { // small ones of it, too, stay unsigned
		source.Form = value.FormUint
	}
	return binding.VariableOf(&source, a.clock, env)
}

func (a *assigned) End() error { return nil }

// Using has the parameters of the next statement, which comes as text, be these values.
func (s *Session) Using(values []binding.Variable) { s.binder.Using = values }

// Used are the values that Using has given to the parameters of the next statement.
func (s *Session) Used() []binding.Variable { return s.binder.Using }

// AppendGiven appends the value of a parameter as a literal of the client's text.
func (s *Session) AppendGiven(dst []byte, v *binding.Variable) ([]byte, error) {
	return s.binder.AppendGiven(dst, v)
}

// Check finds out whether a statement could be carried out, as PREPARE does: the error is
// what is wrong with it. columns is how many it is to have, 0 for any number.
func (s *Session) Check(st *Statement, text []byte, literals *sql.Literals, columns int) error {
	defer s.end()
	b := s.binder
	b.Text, b.Literals = text, literals
	st, d, err := s.begin(st)
	if err != nil {
		return err
	}
	if columns > 0 && (d == nil || len(d.Columns) != columns) {
		return said.WrongColumns()
	}
	p, command, err := s.readPrepared(st, bytes.Clone(text))
	if err != nil {
		return err
	}
	if _, err := s.prepareQuietly(p, command); err != nil {
		return err
	}
	s.dialogue.CloseStatement(s.dialogue.Response.Prepared.ID)
	return nil
}

// Assign carries out a query whose columns user variables are set to, and returns their
// values; none if there is no row. literals are those of its text. The error of more than
// one row comes with the values of the first.
func (s *Session) Assign(st *Statement, text []byte, literals *sql.Literals) ([]binding.Variable, error) {
	defer s.end()
	b := s.binder
	b.Text, b.Literals = text, literals
	st, _, err := s.begin(st)
	if err != nil {
		return nil, err
	}
	into := &assigned{session: s, clock: s.env.Clock()}
	err = s.assign(st, into)
	if other := st.alternative(facts{failed: err}); other != nil {
		b.Notices.Begin(s.env.NoticesMax)
		*into = assigned{session: s, clock: into.clock}
		err = s.assign(other, into)
	}
	var derived []bool
	if q, ok := st.Run.Does.(*recipe.Query); ok {
		derived = q.Derived
	}
	for i := range into.set {
		v := &into.set[i]
		v.Secret = derived == nil || derived[i] || b.ReadsSecret()
		v.From = b.Sources(&st.Statement, i)
	}
	return into.set, err
}

func (s *Session) assign(st *Statement, into *assigned) error {
	if s.env.Limited {
		return sqlerr.StatementRefused("a query that tunic has to finish itself, in a session with sql_select_limit,")
	}
	s.binder.Begin(&st.Statement)
	into.buffered, into.constants = st.buffered, st.constants
	c, err := s.begins(st, into.start)
	if err != nil {
		return err
	}
	defer c.close()
	s.rows.Cursor, s.rows.Binary = false, false
	if err := s.ask(st, &asked{}); err != nil {
		return err
	}
	return s.readInto(st, c)
}
