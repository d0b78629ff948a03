package exec

import (
	"bytes"
	"errors"
	"strings"

	"tunic/internal/arena"
	"tunic/internal/binding"
	"tunic/internal/environment"
	"tunic/internal/eval"
	"tunic/internal/local"
	"tunic/internal/recipe"
	"tunic/internal/sqlerr"
	"tunic/internal/value"
)

// computer computes what the rows of a statement become. It belongs to one session;
// its buffers stay.
type computer struct {
	st       *Statement
	write    *writing
	binder   *binding.Binder
	compiled map[*writing]*computation
	now      *computation // of the statement under way; nil if it computes nothing
	// row is the row as it becomes; values are what is new in it.
	row      eval.Row
	values   []byte
	room     []byte
	whole    eval.Row // the row as the definition of the table sees it
	together bool     // all assignments see the row as it was
	element  int      // of the new row of an upsert
	inserted *upsertingRow
}

// computation are the expressions that a statement sets columns to, compiled for a
// session.
type computation struct {
	session eval.Session
	runs    []*eval.Run // by the number of the setting, nil for one that is a value
}

// computationsMax is how many statements a session keeps compiled.
const computationsMax = 64

// begin prepares for the rows of a statement.
func (c *computer) begin(st *Statement, w *writing, b *binding.Binder) error {
	c.st, c.write, c.binder, c.now = st, w, b, nil
	c.together = strings.Contains(b.Env.SQLMode, "SIMULTANEOUS_ASSIGNMENT") // MariaDB
	if !w.computes {
		return nil
	}
	in, err := b.BindInputs(st.query.Inputs.Singles, st.query.Inputs.Lists)
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
func (c *computer) start(in eval.Inputs) error {
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
func (c *computer) compile(in eval.Inputs) error {
	made := &computation{session: c.binder.Env.EvalSession(), runs: make([]*eval.Run, len(c.write.set))}
	scope := c.scope(&in)
	for i := range c.write.set {
		s := &c.write.set[i]
		if s.operand >= 0 || s.inserted {
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
		c.compiled = make(map[*writing]*computation)
	}
	c.compiled[c.write], c.now = made, made
	return nil
}

// scope is what the expressions refer to.
func (c *computer) scope(in *eval.Inputs) *local.Scope {
	s := local.NewScope(c.st.query, in, c.st.query.Columns())
	s.DrawValues()
	if u := c.st.upsert; u != nil {
		behind := len(s.Columns)
		for _, t := range u.newTypes {
			s.Add(local.Column{Typ: t})
		}
		for name, i := range c.write.newNames(u) {
			s.Name(name, behind+i)
		}
	}
	return s
}

// compute computes what a row becomes, and reports whether it is another one. The
// new row is c.row, good until the next one.
func (c *computer) compute(row eval.Row) (changed bool, err error) {
	c.copy(row)
	for i := range c.write.set {
		from := c.row
		if c.together {
			from = row
		}
		if err := c.set(i, from); err != nil {
			return false, err
		}
	}
	if !c.changed(row) {
		return false, nil
	}
	if err := c.spells(row); err != nil {
		return false, err
	}
	return true, c.completeRow()
}

// copy begins a new row: as it was.
func (c *computer) copy(row eval.Row) {
	c.row, c.values = append(c.row[:0], row...), append(c.values[:0], 0) // one byte: what is empty is not nil
}

// changed reports whether the row is another one than it was. If it is, columns that
// take the time of a change have it.
func (c *computer) changed(row eval.Row) (changed bool) {
	for i := range c.write.set {
		at := c.write.set[i].at
		changed = changed || (c.row[at] == nil) != (row[at] == nil) || !bytes.Equal(c.row[at], row[at])
	}
	if changed {
		c.stamp()
	}
	return changed
}

// set computes one column.
func (c *computer) set(i int, from eval.Row) error {
	s := &c.write.set[i]
	if s.inserted {
		v, err := c.inserted.value(c.binder, s.Column.Column, c.element)
		c.row[s.at] = c.shown(s, v)
		return err
	}
	if s.operand >= 0 {
		v, err := c.given(s.operand)
		if err != nil {
			return err
		}
		c.row[s.at] = v.Value()
		return nil
	}
	run := c.now.runs[i]
	if at, ok := run.Column(); ok && at == s.at {
		return nil // servers leave a column alone that is set to itself, whatever it has
	}
	result, err := run.Eval(from)
	if err != nil {
		return err
	}
	return c.take(s, run, &result)
}

// take sets a column to what a run has computed.
func (c *computer) take(s *setting, run *eval.Run, result *eval.Result) error {
	if len(run.Conditions()) > 0 {
		return sqlerr.ValueRefused("an expression that the server has a warning for, as the new value of a column,")
	}
	if moment := c.moment(s, result); moment != nil {
		c.row[s.at] = moment
		return nil
	}
	if err := unstorable(result, &s.Type, &c.binder.Env.Value); err != nil {
		return err
	}
	source := result.SourceFor(&s.Type, c.room[:0])
	return c.assign(s, &source)
}

// moment is the TIMESTAMP that a column is set to as another one has it, nil if the server makes one
// of what clocks show: MySQL always does.
func (c *computer) moment(s *setting, result *eval.Result) []byte {
	moment := result.Moment()
	if s.Type.Kind != value.Timestamp || environment.IsZero(moment) || result.Type().Decimals != s.Type.Decimals || c.binder.Env.Value.Flavor != value.MariaDB {
		return nil
	}
	return moment
}

// shown is a value of the row that was to be inserted, as VALUES() has it: that of a TIMESTAMP is to
// MySQL what clocks show of it, and no longer the moment that the INSERT would have stored.
func (c *computer) shown(s *setting, v []byte) []byte {
	env := c.binder.Env
	if s.Type.Kind != value.Timestamp || v == nil || environment.IsZero(v) || env.Clocks() == nil {
		return v
	}
	begin := len(c.values)
	c.values = value.AppendShown(c.values, v, &env.Value)
	return c.values[begin:len(c.values):len(c.values)]
}

// unstorable is the refusal of a result of which a column of a type would have something else
// from here than from a plain server.
func unstorable(result *eval.Result, to *value.Type, env *value.Env) error {
	switch {
	case to.Kind == value.JSON && result.Opaque():
		return sqlerr.ValueRefused("a document with values of other types than JSON's, as the new value of a column,")
	case to.Kind == value.Timestamp && result.Twice():
		return binding.ErrTwiceSet
	}
	from, column := result.Type(), result.Column()
	switch {
	case column == nil:
	case column.Kind == value.Enum && result.Unlabelled() && !to.Kind.IsNumber():
		return sqlerr.ValueRefused("an ENUM that is none of its labels, as the new value of a column,")
	case column.Kind == value.Bit && to.Kind.IsLong():
		return sqlerr.ValueRefused("a BIT as the new value of a TEXT, BLOB or JSON column")
	}
	if env.Flavor != value.MySQL {
		return nil
	}
	return unstorableMySQL(from, to, column != nil)
}

// unstorableMySQL is unstorable for what MySQL alone does: it stores the text of a chosen date or
// time, and converts some types by rules of their own.
func unstorableMySQL(from, to *value.Type, column bool) error {
	switch {
	case from.Kind.IsTemporal() && !column && (to.Kind.IsNumber() || to.Kind.IsTemporal() && from.Kind != to.Kind && from.Kind == value.Time):
		return sqlerr.ValueRefused("a computed date or time as the new value of a column of another type")
	case from.Kind.IsTemporal() && from.Kind != value.Date && (to.Kind == value.Year || to.Kind == value.Bit):
		return sqlerr.ValueRefused("a date or time as the new value of a YEAR or BIT column")
	case from.Kind == value.JSON && !to.Kind.IsText() && to.Kind != value.JSON:
		return sqlerr.ValueRefused("a document as the new value of a column of another type")
	}
	return nil
}

// given is a value that the statement has. It is the same in every row, and is
// taken again only if the server would say something of it in every row.
func (c *computer) given(n int) (*binding.Bound, error) {
	b := c.binder
	before := b.Notices.Count()
	v, err := b.Bind(n, 0)
	if b.Notices.Count() > before {
		b.Unbind(n)
	}
	return v, err
}

// assign converts what was computed to the column's type.
func (c *computer) assign(s *setting, source *value.Source) error {
	b := c.binder
	if err := b.Env.Serves(&s.Type); err != nil {
		return err
	}
	if binding.HasBlank(&s.Type, source) {
		return binding.ErrBlank
	}
	begin := len(c.values)
	var outcome value.Outcome
	c.values, outcome = value.Assign(c.values, &s.Type, source, &b.Env.Value)
	c.row[s.at] = c.values[begin:len(c.values):len(c.values)]
	if outcome.Null {
		c.row[s.at] = nil
	}
	if len(outcome.Conditions()) > 0 {
		if err := b.Raise(&outcome, &binding.Operand{Column: s.Column, Use: recipe.Assign}, 0); err != nil {
			return err
		}
	}
	if s.Column.ValidJSON && !outcome.Null {
		return b.Document(s.Column, c.row[s.at])
	}
	return nil
}

// completeRow computes the generated columns of a row that changes, and looks whether it may be
// stored: errFails says that it may not, and is left out.
func (c *computer) completeRow() error {
	w, b := c.write, c.binder
	if w.Guards == nil {
		return nil
	}
	c.whole = c.whole[:0]
	for _, at := range w.columns {
		if at < 0 {
			c.whole = append(c.whole, nil)
		} else {
			c.whole = append(c.whole, c.row[at])
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
		c.whole[of.Column] = c.row[s.at]
	}
	bad, err := b.FailedCheck(w.Guards, c.whole)
	if bad == nil || err != nil {
		return err
	}
	failed := bad.Violation(w.Guards.Table, c.binder.Env.Value.Flavor)
	if c.st.Run.Ignore {
		c.binder.Notices.Add(value.Warning, failed.Number, []byte(failed.Message))
		return errFails
	}
	c.binder.Notices.Add(value.Error, failed.Number, []byte(failed.Message))
	return failed
}

// errFails says that a row fails a CHECK, and that IGNORE leaves it as it is.
var errFails = errors.New("exec: a row that fails a CHECK")

// stamp sets the columns that take the time of the statement.
func (c *computer) stamp() {
	env := c.binder.Env
	for i := range c.write.stamps {
		s := &c.write.stamps[i]
		begin := len(c.values)
		c.values = value.AppendNow(c.values, s.Type.Kind, env.Value.Now, s.Type.Decimals, &env.Value)
		c.row[s.at] = c.values[begin:len(c.values):len(c.values)]
	}
}

// end lets go of the statement.
func (c *computer) end() {
	clear(c.row)
	clear(c.whole)
	c.st, c.write, c.binder, c.now, c.inserted = nil, nil, nil, nil, nil
	if cap(c.values) > arena.KeepMax {
		c.values = nil
	}
}
