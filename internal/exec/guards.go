package exec

import (
	"tunic/internal/eval"
	"tunic/internal/guard"
	"tunic/internal/plan"
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
func (g *guarding) begin(st *boundStatement) {
	g.now++
	g.again()
	if n := len(st.columns); len(g.values) < n {
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

// evalGuard computes the value of a column of a row.
func (b *binder) evalGuard(set *guard.Set, of *guard.Guard, row eval.Row) (value.Source, error) {
	return b.guarding.eval(b, set, of, row)
}

// failedCheck is the first CHECK that is not true of a row, nil if there is none.
func (b *binder) failedCheck(set *guard.Set, row eval.Row) (*guard.Guard, error) {
	return b.guarding.fails(b, set, row)
}

// violations are how many rows have failed a CHECK.
func (b *binder) violations() int { return len(b.guarding.violated) }

// nextViolation is the CHECK that the next row has failed of those that were not told of yet; nil for none.
func (b *binder) nextViolation() *guard.Guard {
	g := &b.guarding
	if g.told >= len(g.violated) {
		return nil
	}
	g.told++
	return g.violated[g.told-1]
}

// tellAgain begins with the first of them.
func (b *binder) tellAgain() { b.guarding.told = 0 }

// runOf is the run of a guard in the statement under way.
func (g *guarding) runOf(b *binder, set *guard.Set, of *guard.Guard) (*eval.Run, error) {
	known := g.compiled[of]
	if known != nil && known.begun == g.now {
		return known.run, nil
	}
	session := b.env.EvalSession()
	in := set.Inputs(of, eval.Inputs{Env: &b.env.Value, Now: b.env.Value.Now, ZoneUnknown: b.env.Zone != ""})
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
func (g *guarding) eval(b *binder, set *guard.Set, of *guard.Guard, row eval.Row) (source value.Source, err error) {
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
		return source, errTwiceSet
	}
	return result.Source(nil), nil
}

// fails is the first CHECK that is not true of a row, nil if there is none. NULL is as
// good as true.
func (g *guarding) fails(b *binder, set *guard.Set, row eval.Row) (*guard.Guard, error) {
	if b.env.Unchecked {
		return nil, nil //nolint:nilnil // the session has turned them off
	}
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
		case truth == eval.False:
			return k, nil
		}
	}
	return nil, nil //nolint:nilnil // the row is good
}

// rowOf has the columns of a row of an INSERT in values that a guard reads.
func (b *binder) rowOf(of *guard.Guard, row, element int) error {
	g := &b.guarding
	if g.of != row || g.element != element {
		g.forget(row, element)
	}
	for _, i := range of.Reads {
		if g.known[i] {
			continue
		}
		g.known[i] = true
		n := b.st.assignedIn(row, i)
		if n < 0 {
			continue // its default is NULL, or it would have an operand
		}
		bind := b.bind
		if !b.st.columns[i].Protected() {
			bind = b.quietly // the server says what there is to say
		}
		v, err := bind(n, element)
		if err != nil {
			return err
		}
		g.values[i] = v.value()
	}
	return nil
}

// expressed is the value of a column whose default is an expression, or that is
// generated.
func (b *binder) expressed(v *bound, o *operand, element int) error {
	column := b.st.run.Table.Column(o.column.Name)
	of := b.st.run.Guards.Of(column)
	if of == nil || o.row < 0 || o.column.Column != &b.st.run.Table.Columns[column] {
		return sqlerr.StatementRefused("DEFAULT that is an expression, in such a statement")
	}
	if err := b.rowOf(of, o.row, element); err != nil {
		return err
	}
	source, err := b.guarding.eval(b, b.st.run.Guards, of, b.guarding.values)
	if err != nil {
		return err
	}
	b.source = source
	return b.assign(v, o, element)
}

// ignored is the value of a generated column that a row has been given another one for.
// The server converts that one nevertheless if the column is stored, and tells of what it
// finds. It says nothing of NULL.
func (b *binder) ignored(v *bound, o *operand, element int) error {
	if b.source.Form != value.FormNull {
		said := plan.GeneratedIgnored(o.column.Name, b.st.run.Table.Name)
		if b.env.Value.Strict() {
			b.notices.Add(value.Error, said.Number, []byte(said.Message))
			return said
		}
		b.notices.Add(value.Warning, said.Number, []byte(said.Message))
		_, outcome := value.Assign(nil, &o.column.Type, &b.source, &b.env.Value)
		if len(outcome.Conditions()) > 0 {
			return sqlerr.ValueRefused("a value for a generated column that is none of its type")
		}
	}
	return b.defaultOf(v, o, element)
}

// judge reports whether a row of an INSERT is not to be stored.
func (b *binder) judge(row, element int) (bad bool, err error) {
	g, set := &b.guarding, b.st.run.Guards
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

// judges reports whether the sealed form in a slot is the one that tells the server
// whether a row is good: the first of its row.
func (st *boundStatement) judges(s *slot) bool {
	set := st.run.Guards
	if set == nil || len(set.Checks) == 0 || s.form != recipe.Sealed || !st.inserts() {
		return false
	}
	return s.column == st.columns[st.judging]
}

// takeGiven makes the plain columns ready that guards read, and finds the column whose
// form tells that a row is bad.
func (st *boundStatement) takeGiven() error {
	for i := range st.run.Given {
		given := &st.run.Given[i]
		o := operand{column: st.columns[given.Column], of: given.Of, use: recipe.Assign, row: given.Row}
		if err := o.takeConstant(); err != nil {
			return err
		}
		st.operands = append(st.operands, o)
	}
	if st.run.Guards == nil || !st.inserts() {
		return nil
	}
	st.needsNow = true
	for i := range st.run.Slots {
		if s := &st.run.Slots[i]; s.Form == recipe.Sealed {
			st.judging = s.Column
			return nil
		}
	}
	return sqlerr.StatementUnread()
}
