package exec

import (
	"slices"
	"time"

	"tunic/internal/advice"
	"tunic/internal/budget"
	"tunic/internal/catalog"
	"tunic/internal/eval"
	"tunic/internal/local"
	"tunic/internal/policy"
	"tunic/internal/sqlerr"
	"tunic/internal/value"
)

// missing counts what an execution does for lack of layers. The zero value counts nothing.
type missing struct {
	page     *advice.Page
	answered int64
	counts   bool
	since    time.Time
	counter  answerCounter
	leaves   []int64 // what is dropped of each
}

// countMissing begins to count, if the statement misses something, and tells the client of
// it, if it is time to.
func (c *choice) countMissing(s *Session, st *Statement) {
	counted, counts := st.page.Missing()
	if !counted {
		return
	}
	c.page, c.counts, c.since = st.page, counts, time.Now()
	leaves := 1
	if st.Run.Tree != nil {
		leaves = len(st.Run.Tree.Leaves)
	}
	c.missing.leaves = slices.Grow(c.missing.leaves[:0], leaves)[:leaves]
	c.Dropped = c.missing.leaves
	clear(c.Dropped)
	if s.WantsNotes() {
		st.page.Note(s.note)
	}
}

// WantsNotes reports whether notes of statements are told to the client: sql_notes and
// max_error_count say so.
func (s *Session) WantsNotes() bool { return s.env.Notes && s.env.NoticesMax > 0 }

// AddNote adds a note of tunic's own to what there is to say of the statement.
func (s *Session) AddNote(said *sqlerr.Error) {
	s.binder.Notices.Add(value.Note, said.Number, []byte(said.Message))
}

// note tells the client of a layer. It is a note of the statement: no program takes that
// for an error.
func (s *Session) note(t *catalog.Table, column int, layer policy.Capabilities) {
	s.AddNote(sqlerr.LayerAdvised(t.Schema+"."+t.Name+"."+t.Columns[column].Name, layer.String()))
	if n := s.engine.options.Advised; n != nil {
		n.Inc()
	}
}

// answers is a sink that counts what comes out, where that is asked for.
func (w *missing) answers(to local.Sink) local.Sink {
	if !w.counts {
		return to
	}
	w.counter = answerCounter{to, w}
	return &w.counter
}

type answerCounter struct {
	local.Sink
	of *missing
}

func (a *answerCounter) Row(r eval.Row) error {
	a.of.answered++
	return a.Sink.Row(r)
}

// tell counts the execution, once.
func (w *missing) tell(a *budget.Account, dropped []int64) {
	if w.page == nil {
		return
	}
	w.page.Add(&advice.Work{Read: a.Rows, Dropped: dropped, Answered: w.answered, Spent: time.Since(w.since)})
	w.page = nil
}
