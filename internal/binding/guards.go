package binding

import (
	"tunic/internal/eval"
	"tunic/internal/guard"
	"tunic/internal/recipe"
	"tunic/internal/sqlerr"
	"tunic/internal/value"
)

// What a table's definition says of the values in a row is computed when the row is
// written, by the guards of package guard. In an INSERT the values of a row are those of
// its operands; what a row of an UPDATE becomes is computed already.
//
// A row of an INSERT that a CHECK is not true of is sent with a sealed form that is none,
// so that the server refuses it by the CHECK that every stored table has: at the moment at
// which it would have refused it, after the rows before, and with IGNORE as one among
// others. The name in its message is then that of the client's own CHECK.

// noForm stands for the sealed form of a row that is not to be stored.
const noForm = 0

// guarding computes the guards of rows for a session.
type guarding struct {
	compiled map[*guard.Guard]*guardRun
	now      int // of the statement, by which runs know that they are begun
	// row is that of an INSERT that values are taken of: row of the text and element,
	// with the columns that are known of it.
	of, element int
	known       []bool
	values      eval.Row
	bad         *guard.Guard // what the row fails
	judged      bool
	// violated are the CHECKs that rows have failed, in the order of the rows; told is how
	// many of them were told of.
	violated []*guard.Guard
	told     int
}

// guardRun is a guard compiled for a session.
type guardRun struct {
	session eval.Session
	run     *eval.Run
	begun   int
}

// guardsMax is how many guards a session keeps compiled.
const guardsMax = 256

// begin prepares for a statement.
func (g *guarding) begin(st *Statement) {
	g.now++
	g.again()
	if n := len(st.Columns); len(g.values) < n {
		g.values, g.known = make(eval.Row, n), make([]bool, n)
	}
}

// again begins with rows of which some may have been looked at before.
func (g *guarding) again() {
	g.violated, g.told = g.violated[:0], 0
	g.forget(0, -1)
}

// forget begins with a row.
func (g *guarding) forget(row, element int) {
	g.of, g.element, g.bad, g.judged = row, element, nil, false
	clear(g.known)
	clear(g.values)
}

// EvalGuard computes the value of a column of a row.
func (b *Binder) EvalGuard(set *guard.Set, of *guard.Guard, row eval.Row) (value.Source, error) {
	return b.guarding.eval(b, set, of, row)
}

// FailedCheck is the first CHECK that is not true of a row, nil if there is none.
func (b *Binder) FailedCheck(set *guard.Set, row eval.Row) (*guard.Guard, error) {
	return b.guarding.fails(b, set, row)
}

// Violations are how many rows have failed a CHECK.
func (b *Binder) Violations() int { return len(b.guarding.violated) }

// NextViolation is the CHECK that the next row has failed of those that were not told of yet; nil for none.
func (b *Binder) NextViolation() *guard.Guard {
	g := &b.guarding
	if g.told >= len(g.violated) {
		return nil
	}
	g.told++
	return g.violated[g.told-1]
}

// TellAgain begins with the first of them.
func (b *Binder) TellAgain() { b.guarding.told = 0 }

// runOf is the run of a guard in the statement under way.
func (g *guarding) runOf(b *Binder, set *guard.Set, of *guard.Guard) (*eval.Run, error) {
	known := g.compiled[of]
	if known != nil && known.begun == g.now {
		return known.run, nil
	}
	session := b.Env.EvalSession()
	in := set.Inputs(of, eval.Inputs{Env: &b.Env.Value, Now: b.Env.Value.Now, ZoneUnknown: b.Env.Zone != ""})
	if known == nil || known.session != session {
		x, err := set.Compile(of, session)
		if err != nil {
			return nil, err
		}
		run, err := x.Start(in)
		if err != nil {
			return nil, err
		}
		known = &guardRun{session: session, run: run}
		if g.compiled == nil || len(g.compiled) >= guardsMax {
			g.compiled = make(map[*guard.Guard]*guardRun)
		}
		g.compiled[of] = known
	} else if err := known.run.Restart(in); err != nil {
		return nil, err
	}
	known.begun = g.now
	return known.run, nil
}

// eval computes the value of a column.
func (g *guarding) eval(b *Binder, set *guard.Set, of *guard.Guard, row eval.Row) (source value.Source, err error) {
	run, err := g.runOf(b, set, of)
	if err != nil {
		return source, err
	}
	result, err := run.Eval(row)
	switch {
	case err != nil:
		return source, err
	case len(run.Drain()) > 0:
		return source, sqlerr.ValueRefused("an expression of the definition that the server has a warning for")
	case result.Opaque():
		return source, sqlerr.ValueRefused("a document with values of other types than JSON's, as the new value of a column,")
	case result.Twice() && set.Table.Columns[of.Column].Type.Kind == value.Timestamp:
		return source, ErrTwiceSet
	}
	return result.Source(nil), nil
}

// fails is the first CHECK that is not true of a row, nil if there is none. NULL is as
// good as true. Where the session has turned CHECKs off, a row that fails one is refused: an
// UPDATE computes only those that read what it sets, so the others have to be true of all rows.
func (g *guarding) fails(b *Binder, set *guard.Set, row eval.Row) (*guard.Guard, error) {
	for _, k := range set.Checks {
		run, err := g.runOf(b, set, k)
		if err != nil {
			return nil, err
		}
		truth, err := run.Truth(row)
		switch {
		case err != nil:
			return nil, err
		case len(run.Drain()) > 0:
			return nil, sqlerr.ValueRefused("a CHECK that the server has a warning for")
		case truth == eval.False && b.Env.Unchecked:
			return nil, sqlerr.CheckOff(k.Name)
		case truth == eval.False:
			return k, nil
		}
	}
	return nil, nil //nolint:nilnil // the row is good
}

// rowOf has the columns of a row of an INSERT in values that a guard reads.
func (b *Binder) rowOf(of *guard.Guard, row, element int) error {
	g := &b.guarding
	if g.of != row || g.element != element {
		g.forget(row, element)
	}
	for _, i := range of.Reads {
		if g.known[i] {
			continue
		}
		g.known[i] = true
		n := b.Statement.AssignedIn(row, i)
		if n < 0 {
			continue // its default is NULL, or it would have an operand
		}
		bind := b.Bind
		if !b.Statement.Columns[i].Protected() {
			bind = b.Quietly // the server says what there is to say
		}
		v, err := bind(n, element)
		if err != nil {
			return err
		}
		g.values[i] = v.Value()
	}
	return nil
}

// expressed is the value of a column whose default is an expression, or that is
// generated.
func (b *Binder) expressed(v *Bound, o *Operand, element int) error {
	column := b.Statement.Run.Table.Column(o.Column.Name)
	of := b.Statement.guards().Of(column)
	if of == nil || o.Row < 0 || o.Column.Column != &b.Statement.Run.Table.Columns[column] {
		return sqlerr.StatementRefused("DEFAULT that is an expression, in such a statement")
	}
	if err := b.rowOf(of, o.Row, element); err != nil {
		return err
	}
	source, err := b.guarding.eval(b, b.Statement.guards(), of, b.guarding.values)
	if err != nil {
		return err
	}
	b.Source = source
	return b.assign(v, o, element)
}

// ignored is the value of a generated column that a row has been given another one for.
// The server converts that one nevertheless if the column is stored, and tells of what it
// finds. It says nothing of NULL.
func (b *Binder) ignored(v *Bound, o *Operand, element int) error {
	if b.Source.Form != value.FormNull {
		said := guard.GeneratedIgnored(o.Column.Name, b.Statement.Run.Table.Name)
		if b.Env.Value.Strict() {
			b.Notices.Add(value.Error, said.Number, []byte(said.Message))
			return said
		}
		b.Notices.Add(value.Warning, said.Number, []byte(said.Message))
		_, outcome := value.Assign(nil, &o.Column.Type, &b.Source, &b.Env.Value)
		if len(outcome.Conditions()) > 0 {
			return sqlerr.ValueRefused("a value for a generated column that is none of its type")
		}
	}
	return b.defaultOf(v, o, element)
}

// judge reports whether a row of an INSERT is not to be stored.
func (b *Binder) judge(row, element int) (bad bool, err error) {
	g, set := &b.guarding, b.Statement.guards()
	for _, k := range set.Checks {
		if err := b.rowOf(k, row, element); err != nil {
			return false, err
		}
	}
	if g.judged {
		return g.bad != nil, nil
	}
	if g.bad, err = g.fails(b, set, g.values); err != nil {
		return false, err
	}
	if g.judged = true; g.bad != nil {
		g.violated = append(g.violated, g.bad)
	}
	return g.bad != nil, nil
}

// guards are what rows that it inserts are held to, nil for nothing.
func (st *Statement) guards() *guard.Set {
	if insert, ok := st.Run.Does.(*recipe.Insert); ok {
		return insert.Guards
	}
	return nil
}

// judges reports whether the sealed form in a slot is the one that tells the server
// whether a row is good: the first of its row.
func (st *Statement) judges(s *slot) bool {
	set := st.guards()
	if set == nil || len(set.Checks) == 0 || s.form != recipe.Sealed && s.form != recipe.Record || !st.Inserts() {
		return false
	}
	return s.column == st.Columns[st.judging]
}

// takeGiven makes the plain columns ready that guards read, and finds the column whose
// form tells that a row is bad.
func (st *Statement) takeGiven() error {
	insert, ok := st.Run.Does.(*recipe.Insert)
	if !ok {
		return nil
	}
	for i := range insert.Given {
		given := &insert.Given[i]
		o := Operand{Column: st.Columns[given.Column], Of: given.Of, Use: recipe.Assign, Row: given.Row}
		if err := o.TakeConstant(); err != nil {
			return err
		}
		st.Operands = append(st.Operands, o)
	}
	if insert.Guards == nil || !st.Inserts() {
		return nil
	}
	st.NeedsNow = true
	for i := range st.Run.Slots {
		if s := &st.Run.Slots[i]; s.Form == recipe.Sealed || s.Form == recipe.Record {
			st.judging = s.Column
			return nil
		}
	}
	return sqlerr.StatementUnread()
}
