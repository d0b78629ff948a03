package change

import (
	"bytes"
	"errors"
	"strings"

	"tunic/internal/arena"
	"tunic/internal/binding"
	"tunic/internal/environment"
	"tunic/internal/eval"
	"tunic/internal/local"
	"tunic/internal/policy"
	"tunic/internal/recipe"
	"tunic/internal/sqlerr"
	"tunic/internal/value"
)

// Computer computes what the rows of a statement become. It belongs to one session;
// its buffers stay.
type Computer struct {
	st       *binding.Statement
	query    *local.Query
	Write    *Write // nil where there is none, or one for each table
	Binder   *binding.Binder
	compiled map[*Write]*computation
	now      *computation // of the statement under way; nil if it computes nothing
	// Row is the row as it becomes; values are what is new in it.
	Row      eval.Row
	values   []byte
	room     []byte
	whole    eval.Row   // the row as the definition of the table sees it
	together bool       // all assignments see the row as it was
	Element  int        // of the new row of an upsert
	Inserted *UpsertRow // that is there already
}

// computation are the expressions that a statement sets columns to, compiled for a
// session.
type computation struct {
	session eval.Session
	runs    []*eval.Run // by the number of the setting, nil for one that is a value
}

// computationsMax is how many statements a session keeps compiled.
const computationsMax = 64

// BeginSeveral prepares for the rows of a statement that writes to several tables: who computes them says
// by which Write.
func (c *Computer) BeginSeveral(st *binding.Statement, b *binding.Binder) {
	c.st, c.Write, c.Binder = st, nil, b
}

// Begin prepares for the rows of a statement, which computes as a query does.
func (c *Computer) Begin(st *binding.Statement, query *local.Query, w *Write, b *binding.Binder) error {
	c.st, c.query, c.Write, c.Binder, c.now = st, query, w, b, nil
	c.together = strings.Contains(b.Env.SQLMode, "SIMULTANEOUS_ASSIGNMENT") // MariaDB
	if !w.computes {
		return nil
	}
	in, err := b.BindInputs(query.Inputs.Singles, query.Inputs.Lists)
	if err != nil {
		return err
	}
	if known := c.compiled[w]; known != nil && known.session == b.Env.EvalSession() {
		c.now = known
		if err = c.start(in); !errors.Is(err, eval.ErrShape) {
			return err
		}
	}
	return c.compile(in)
}

// start begins the runs of what is compiled already.
func (c *Computer) start(in eval.Inputs) error {
	for _, run := range c.now.runs {
		if run == nil {
			continue
		}
		if err := run.Restart(in); err != nil {
			return err
		}
	}
	return nil
}

// compile compiles the expressions for the session and values like these.
func (c *Computer) compile(in eval.Inputs) error {
	made := &computation{session: c.Binder.Env.EvalSession(), runs: make([]*eval.Run, len(c.Write.Settings))}
	scope := c.scope(&in)
	for i := range c.Write.Settings {
		s := &c.Write.Settings[i]
		if s.Operand >= 0 || s.inserted {
			continue
		}
		x, err := eval.Compile(s.expr, scope, made.session)
		if err != nil {
			return err
		}
		if made.runs[i], err = x.Start(in); err != nil {
			return err
		}
	}
	if c.compiled == nil || len(c.compiled) >= computationsMax {
		c.compiled = make(map[*Write]*computation)
	}
	c.compiled[c.Write], c.now = made, made
	return nil
}

// scope is what the expressions refer to.
func (c *Computer) scope(in *eval.Inputs) *local.Scope {
	s := local.NewScope(c.query, in, c.query.Columns())
	s.DrawValues()
	if u := c.Write.upsert; u != nil {
		behind := len(s.Columns)
		for _, t := range u.newTypes {
			s.Add(local.Column{Typ: t})
		}
		for name, i := range c.Write.newNames(u) {
			s.Name(name, behind+i)
		}
	}
	return s
}

// Compute computes what a row becomes, and reports whether it is another one. The
// new row is Row, good until the next one.
func (c *Computer) Compute(row eval.Row) (changed bool, err error) {
	c.Copy(row)
	for i := range c.Write.Settings {
		from := c.Row
		if c.together {
			from = row
		}
		if err := c.Set(i, from); err != nil {
			return false, err
		}
	}
	if !c.Changed(row) {
		return false, nil
	}
	if err := c.Spells(row); err != nil {
		return false, err
	}
	return true, c.CompleteRow()
}

// Copy begins a new row: as it was.
func (c *Computer) Copy(row eval.Row) {
	c.Row, c.values = append(c.Row[:0], row...), append(c.values[:0], 0) // one byte: what is empty is not nil
}

// Changed reports whether the row is another one than it was. If it is, columns that
// take the time of a change have it.
func (c *Computer) Changed(row eval.Row) (changed bool) {
	for i := range c.Write.Settings {
		at := c.Write.Settings[i].At
		changed = changed || (c.Row[at] == nil) != (row[at] == nil) || !bytes.Equal(c.Row[at], row[at])
	}
	if changed {
		c.stamp()
	}
	return changed
}

// Set computes one column.
func (c *Computer) Set(i int, from eval.Row) error {
	s := &c.Write.Settings[i]
	if s.inserted {
		v, err := c.Inserted.Value(c.Binder, s.Column.Column, c.Element)
		c.Row[s.At] = c.shown(s, v)
		return err
	}
	if s.Operand >= 0 {
		v, err := c.given(s.Operand)
		if err != nil {
			return err
		}
		c.Row[s.At] = v.Value()
		return nil
	}
	run := c.now.runs[i]
	if at, ok := run.Column(); ok && at == s.At {
		return nil // servers leave a column alone that is set to itself, whatever it has
	}
	result, err := run.Eval(from)
	if err != nil {
		return err
	}
	return c.Take(s, run, &result)
}

// Take sets a column to what a run has computed.
func (c *Computer) Take(s *Setting, run *eval.Run, result *eval.Result) error {
	if len(run.Conditions()) > 0 {
		return sqlerr.ValueRefused("an expression that the server has a warning for, as the new value of a column,")
	}
	if moment := c.moment(s, result); moment != nil {
		c.Row[s.At] = moment
		return nil
	}
	if err := Unstorable(result, &s.Type, &c.Binder.Env.Value); err != nil {
		return err
	}
	source := result.SourceFor(&s.Type, c.room[:0])
	return c.assign(s, &source)
}

// moment is the TIMESTAMP that a column is set to as another one has it, nil if the server makes one
// of what clocks show: MySQL always does.
func (c *Computer) moment(s *Setting, result *eval.Result) []byte {
	moment := result.Moment()
	if s.Type.Kind != value.Timestamp || environment.IsZero(moment) || result.Type().Decimals != s.Type.Decimals || c.Binder.Env.Value.Flavor != value.MariaDB {
		return nil
	}
	return moment
}

// shown is a value of the row that was to be inserted, as VALUES() has it: that of a TIMESTAMP is to
// MySQL what clocks show of it, and no longer the moment that the INSERT would have stored.
func (c *Computer) shown(s *Setting, v []byte) []byte {
	env := c.Binder.Env
	if s.Type.Kind != value.Timestamp || v == nil || environment.IsZero(v) || env.Clocks() == nil {
		return v
	}
	begin := len(c.values)
	c.values = value.AppendShown(c.values, v, &env.Value)
	return c.values[begin:len(c.values):len(c.values)]
}

// given is a value that the statement has. It is the same in every row, and is
// taken again only if the server would say something of it in every row.
func (c *Computer) given(n int) (*binding.Bound, error) {
	b := c.Binder
	before := b.Notices.Count()
	v, err := b.Bind(n, 0)
	if b.Notices.Count() > before {
		b.Unbind(n)
	}
	return v, err
}

// assign converts what was computed to the column's type.
func (c *Computer) assign(s *Setting, source *value.Source) error {
	b := c.Binder
	if err := b.Env.Serves(&s.Type); err != nil {
		return err
	}
	if binding.HasBlank(&s.Type, source) {
		return binding.ErrBlank
	}
	begin := len(c.values)
	var outcome value.Outcome
	c.values, outcome = value.Assign(c.values, &s.Type, source, &b.Env.Value)
	c.Row[s.At] = c.values[begin:len(c.values):len(c.values)]
	if outcome.Null {
		c.Row[s.At] = nil
	}
	if len(outcome.Conditions()) > 0 {
		if err := b.Raise(&outcome, &binding.Operand{Column: s.Column, Use: recipe.Assign}, 0); err != nil {
			return err
		}
	}
	if s.Column.ValidJSON && !outcome.Null {
		return b.Document(s.Column, c.Row[s.At])
	}
	return nil
}

// Spells refuses a row that gets another spelling of a value that other rows refer to.
func (c *Computer) Spells(row eval.Row) error {
	for i := range c.Write.spelled {
		s := &c.Write.spelled[i]
		from, to := row[s.At], c.Row[s.At]
		if from == nil || to == nil || bytes.Equal(from, to) {
			continue
		}
		was, err := s.Forms.AppendToken(nil, policy.Equality, from)
		if err != nil {
			return sqlerr.ValueRefused("a value")
		}
		is, err := s.Forms.AppendToken(nil, policy.Equality, to)
		if err != nil {
			return sqlerr.ValueRefused("a value")
		}
		if bytes.Equal(was, is) {
			return sqlerr.ValueRefused("another spelling of a value that a foreign key refers to")
		}
	}
	return nil
}

// CompleteRow computes the generated columns of a row that changes, and looks whether it may be
// stored: ErrFails says that it may not, and is left out.
func (c *Computer) CompleteRow() error {
	w, b := c.Write, c.Binder
	if w.Guards == nil {
		return nil
	}
	c.whole = c.whole[:0]
	for _, at := range w.columns {
		if at < 0 {
			c.whole = append(c.whole, nil)
		} else {
			c.whole = append(c.whole, c.Row[at])
		}
	}
	for i := range w.derived {
		s := &w.derived[i]
		of := s.of
		source, err := b.EvalGuard(w.Guards, of, c.whole)
		if err != nil {
			return err
		}
		if err := c.assign(s, &source); err != nil {
			return err
		}
		c.whole[of.Column] = c.Row[s.At]
	}
	bad, err := b.FailedCheck(w.Guards, c.whole)
	if bad == nil || err != nil {
		return err
	}
	failed := bad.Violation(w.Guards.Table, c.Binder.Env.Value.Flavor)
	if c.st.Run.Ignore {
		c.Binder.Notices.Add(value.Warning, failed.Number, []byte(failed.Message))
		return ErrFails
	}
	c.Binder.Notices.Add(value.Error, failed.Number, []byte(failed.Message))
	return failed
}

// ErrFails says that a row fails a CHECK, and that IGNORE leaves it as it is.
var ErrFails = errors.New("exec: a row that fails a CHECK")

// stamp sets the columns that take the time of the statement.
func (c *Computer) stamp() {
	env := c.Binder.Env
	for i := range c.Write.stamps {
		s := &c.Write.stamps[i]
		begin := len(c.values)
		c.values = value.AppendNow(c.values, s.Type.Kind, env.Value.Now, s.Type.Decimals, &env.Value)
		c.Row[s.At] = c.values[begin:len(c.values):len(c.values)]
	}
}

// End lets go of the statement.
func (c *Computer) End() {
	clear(c.Row)
	clear(c.whole)
	c.st, c.query, c.Write, c.Binder, c.now, c.Inserted = nil, nil, nil, nil, nil, nil
	if cap(c.values) > arena.KeepMax {
		c.values = nil
	}
}
