package exec

import (
	"slices"

	"tunic/internal/description"
	"tunic/internal/exec/first"
	"tunic/internal/local"
	"tunic/internal/recipe"
	"tunic/internal/sql"
	"tunic/internal/sqlerr"
)

// A query with a recipe.First is carried out by asking for the first rows of its stored
// statement, and for more where those do not tell which rows the client is to get
// (docs/decisions/0039). What comes out of an answer is held until it is known to be enough.

// firstOf is what tells whether the first rows of a statement are enough, nil where all are asked for.
func (st *Statement) firstOf() *recipe.First {
	if q, ok := st.Run.Does.(*recipe.Query); ok {
		return q.First
	}
	return nil
}

// askFirst has a statement that is explained ask for as many rows as its execution begins with.
func (s *Session) askFirst(st *Statement) {
	if st.firstOf() == nil {
		return
	}
	if _, wanted, ok := s.rowsWanted(st); ok {
		s.binder.Most = first.RowsAt(wanted, 0)
	}
}

// rowsWanted is how many rows the client's LIMIT skips, and how many rows have to be known;
// false if asking for the first ones is not for it.
func (s *Session) rowsWanted(st *Statement) (skip, wanted uint64, ok bool) {
	at := slices.IndexFunc(st.Run.Local, func(of recipe.Step) bool { _, ok := of.(*recipe.Limit); return ok })
	if at < 0 {
		return 0, 0, false
	}
	of := st.Run.Local[at].(*recipe.Limit).Of //nolint:forcetypeassert // it is one
	skip, skips := s.binder.NumberOf(of.Offset)
	left, stops := s.binder.NumberOf(of.Rowcount)
	if !skips || !stops || skip > first.WantedMost || left > first.WantedMost || skip+left > first.WantedMost {
		return 0, 0, false
	}
	return skip, skip + left, true
}

// finishFirst is finish by asking for first rows; false if all rows have to be asked for.
func (s *Session) finishFirst(st *Statement, d *description.Description, a *asked) (done bool, err error) {
	b, p := s.binder, &s.portion
	skip, wanted, ok := s.rowsWanted(st)
	if !ok {
		return false, nil
	}
	level := st.first.Begin(wanted)
	if level == first.All { // it is not tried, so that says nothing of what is needed
		b.Most = 0
		return false, nil
	}
	defer p.LetGo()
	for ; level < first.All; level++ {
		if b.Most = first.RowsAt(wanted, level); b.Most > first.Most {
			break
		}
		p.Begin(st.firstOf(), b.Most, skip, wanted)
		err := s.finishRows(st, d, a, p)
		if err == first.ErrTooMuch { //nolint:errorlint // it is never wrapped
			b.Most = 0
			return false, nil // all rows are as much at least: nothing is learnt for the next execution
		}
		if err != first.ErrTooFew { //nolint:errorlint // it is never wrapped
			if err == nil {
				st.first.Took(wanted, p.Took)
			}
			return true, err
		}
	}
	b.Most = 0
	st.first.NeededAll()
	return false, nil
}

// remote is the stored statement, for all rows or for first ones.
func (st *Statement) remote(all bool) *sql.Printed {
	if of := st.firstOf(); all && of != nil && of.All != nil {
		return of.All
	}
	return st.Run.Remote
}

// finishAll is finish for all rows of a prepared query that asks for its first ones: the
// statement for all is prepared for this once, and closed.
func (s *Session) finishAll(st *Statement, d *description.Description, a *asked) error {
	f := a.prepared.all
	f.ShareAll(&a.prepared.Execution)
	s.executes(f)
	if err := s.prepareToExecute(f, f.command); err != nil {
		return err
	}
	all := asked{prepared: f, execute: a.execute}
	all.execute.Statement = s.dialogue.Response.Prepared.ID
	defer s.dialogue.CloseStatement(all.execute.Statement)
	return s.finishRows(st, d, &all, nil)
}

// notCertain is the error for tokens that are not those of their rows' values.
func (s *Session) notCertain(st *Statement) error {
	at := slices.IndexFunc(st.Run.Slots, func(s recipe.Slot) bool { return s.Form == recipe.Most })
	name := st.Columns[st.Run.Slots[at].Column].Full()
	s.engine.alarm(name, first.ErrNotCertain)
	return sqlerr.NotAuthentic(name)
}

// before is a last sink with a part of an answer before it.
func before(p *first.Portion, last lastSink) lastSink {
	return func(c *choice, made *local.Program) (local.Sink, error) {
		to, err := last(c, made)
		return p.Holds(to, &c.Account), err
	}
}

// lastSink makes the last sink of the steps of a statement.
type lastSink = func(*choice, *local.Program) (local.Sink, error)

// takePortion is takeRow for a part of an answer. That rows are enough is told by their tokens,
// and by nothing that comes out of the steps.
func (s *Session) takePortion(st *Statement, c *choice, payload []byte) error {
	types, err := s.decodeRow(st, payload)
	if err != nil {
		return err
	}
	p := c.portion
	if !p.Takes(s.rows.Cells, s.rows.Binary) || p.Full {
		return nil
	}
	row, err := s.openRow(st, types)
	if err == nil {
		err = c.Row(row)
	}
	if err == local.ErrEnough { //nolint:errorlint // it is never wrapped
		p.Full = true
		return nil
	}
	return err
}
