package exec

import (
	"errors"

	"tunic/internal/binding"
	"tunic/internal/budget"
	"tunic/internal/description"
	"tunic/internal/dialogue"
	"tunic/internal/eval"
	"tunic/internal/exec/first"
	"tunic/internal/local"
	"tunic/internal/opening"
	"tunic/internal/recipe"
	"tunic/internal/sqlerr"
	"tunic/internal/translation"
	"tunic/internal/usage"
	"tunic/internal/value"
	"tunic/internal/wire"
)

// choice is the local steps of a statement at work: rows go in, and what they let
// pass comes out, at once or at the end. The memory of one that is closed is used again.
type choice struct {
	of *Session
	local.Execution
	first local.Sink
	tally local.Tally
	// portion says that not all rows are asked for; nil if they are.
	portion *first.Portion
	missing
}

// choose begins the local steps of the statement that the binder is at. What they
// let pass, as rows of the fetched columns, goes to emit, and is good until emit
// returns. A refusal comes before anything is sent.
func (s *Session) choose(st *Statement, emit func(eval.Row) error) (*choice, error) {
	return s.begins(st, func(*choice, *local.Program) (local.Sink, error) { return emitter(emit), nil })
}

// begins is choose with a last sink of the caller's.
func (s *Session) begins(st *Statement, last func(*choice, *local.Program) (local.Sink, error)) (*choice, error) {
	s.env.Begin()
	if err := s.fetcher.Begin(&st.Statement, &s.env); err != nil {
		return nil, err
	}
	c := s.spareChoice()
	c.Leaving, c.Rounds, c.Counted, c.Told = s.leaving, s.env.Rounds, &c.tally, true
	c.Account = budget.Account{Budget: &s.engine.options.Local, Total: &s.engine.reserved, Memory: s.engine.options.Memory, Hint: st.hint}
	var err error
	if c.Inputs, err = s.binder.BindInputs(st.query.Inputs.Singles, st.query.Inputs.Lists); err != nil {
		return nil, err
	}
	c.countMissing(s, st)
	c.first, err = st.query.Start(&c.Execution, s.env.EvalSession(), func(p *local.Program) (local.Sink, error) {
		to, err := last(c, p)
		return c.answers(to), err
	})
	if err != nil {
		return nil, err
	}
	return c, nil
}

// spareChoice is a choice that no statement is at.
func (s *Session) spareChoice() *choice {
	c := s.spare
	s.spare = nil
	if c == nil {
		c = new(choice)
	}
	c.of = s
	return c
}

// close ends the work, and counts it. It is called once.
func (c *choice) close() {
	c.tell(&c.Account, c.Dropped)
	s, leaves, borrowed := c.of, c.leaves, c.Borrowed
	c.Execution.Close()
	clear(borrowed)
	*c = choice{Execution: local.Execution{Borrowed: borrowed[:0]}, missing: missing{leaves: leaves[:0]}}
	s.spare = c
}

// Row takes a row. errEnough says that no more are wanted, and that end is not to be
// called.
func (c *choice) Row(r eval.Row) error {
	if err := c.Account.Read(); err != nil {
		return err
	}
	return c.first.Row(r)
}

// End says that there are no more rows.
func (c *choice) End() error {
	if c.portion != nil {
		return c.portion.End(c.first)
	}
	return c.first.End()
}

// emitter hands rows to a function.
type emitter func(eval.Row) error

func (e emitter) Row(r eval.Row) error { return e(r) }

func (e emitter) End() error { return nil }

// asked is a command that executes a statement: a COM_QUERY, or the execution of
// what is prepared.
type asked struct {
	query    wire.Query
	prepared *Prepared // nil for a COM_QUERY
	execute  wire.Execute
	rowsMost int64 // how many rows may come of one whose rows come apart; 0 for any other
}

// ask sends the stored statement.
func (s *Session) ask(st *Statement, a *asked) error {
	if a.prepared == nil {
		if sent, err := s.askRepeated(st, a.query); sent || err != nil {
			return err
		}
		if err := s.sendText(st, a.query); err != nil {
			return err
		}
		s.dialogue.Expect(wire.ComQuery)
		return nil
	}
	if err := s.sendExecute(a.prepared, a.execute); err != nil {
		return err
	}
	s.dialogue.Expect(wire.ComStmtExecute)
	if a.execute.AsksCursor() {
		s.dialogue.Response.MayOpenCursor()
		s.rows.Cursor = true
	}
	s.rows.Types = append(s.rows.Types[:0], a.prepared.types...)
	s.rows.Known = append(s.rows.Known[:0], a.prepared.actual...)
	return nil
}

// withoutCursor is an execution that asks for rows at once: the answer is not that
// of the stored statement, and a server is free not to open a cursor (MySQL source
// documentation, "COM_STMT_EXECUTE").
func withoutCursor(m wire.Execute) wire.Execute {
	rest := [binding.ExecuteHead]byte{m.Rest[0] & binding.FlagCount}
	copy(rest[1:], m.Rest[1:binding.ExecuteHead])
	m.Rest = rest[:]
	return m
}

// finish carries out a query whose rows are finished locally.
func (s *Session) finish(st *Statement, d *description.Description, a *asked) error {
	if s.env.Limited {
		return sqlerr.StatementRefused("a query that tunic has to finish itself, in a session with sql_select_limit,")
	}
	if st.firstOf() != nil {
		if done, err := s.finishFirst(st, d, a); done || err != nil {
			return err
		}
		if a.prepared != nil && a.prepared.all != nil {
			return s.finishAll(st, d, a)
		}
	}
	return s.finishRows(st, d, a, nil)
}

// finishRows is finish with an answer of all rows, or of a part of them: first.ErrTooFew and first.ErrTooMuch say that
// it does not tell what the client is to get, and that the client has got nothing.
func (s *Session) finishRows(st *Statement, d *description.Description, a *asked, p *first.Portion) error {
	out := s.spareResult(d, a)
	defer out.close()
	out.buffered = st.buffered
	last := out.start
	if p != nil {
		last = before(p, last)
	}
	c, err := s.begins(st, last)
	if err != nil {
		return err
	}
	defer c.close()
	c.portion = p
	c.boundApart(a.rowsMost)
	here := *a
	if here.prepared != nil {
		here.execute = withoutCursor(a.execute)
	}
	s.rows.Cursor, s.rows.Binary = false, here.prepared != nil
	if here.prepared == nil {
		s.noteCounts(st)
	}
	if err := s.ask(st, &here); err != nil {
		return err
	}
	switch err = s.readInto(st, c); err {
	case first.ErrTooFew, first.ErrTooMuch, errWarnedTwice: //nolint:errorlint // they are never wrapped
		return err
	case first.ErrNotCertain:
		if err = s.sure(st); err == nil {
			err = s.notCertain(st)
		}
	case nil, local.ErrEnough:
		st.noteJoined(c)
		if err = s.sure(st); err == nil && p != nil {
			err = p.Pass()
		}
	}
	err = out.finish(err)
	if st.Run.Tree != nil && st.Run.Tree.Skipped != nil {
		s.found = s.found.behind(s.binder.NumberOf(st.Run.Tree.Skipped))
	}
	return err
}

// deprecatedSince is MySQL's version since which it warns of SQL_CALC_FOUND_ROWS; of a
// prepared statement when that is prepared.
const deprecatedSince = 80017

// readInto reads the server's answer and has a choice take its rows. A failure of
// its own does not keep it from reading the answer to its end.
func (s *Session) readInto(st *Statement, c *choice) error {
	r := s.dialogue.Response
	s.dialogue.Wide = true
	defer s.narrow()
	s.fetcher.Sieve = c.Sieve
	var done error
	for !r.Done() {
		if done == nil {
			done = s.takeBuffered(st, c)
		}
		if broken, ok := errors.AsType[*dialogue.BrokenError](done); ok {
			return broken
		}
		before := dialogue.StageOf(r)
		payload, err := s.dialogue.Next()
		if err != nil {
			return err
		}
		switch {
		case r.Failed:
			return s.failure(st, payload)
		case wire.IsProgress(payload):
		case before == dialogue.StageColumns:
			err = s.takeColumn(nil, nil, payload)
		case before == dialogue.StageRows && r.InRows():
			if done == nil {
				done = s.takeRow(st, c, payload)
			}
		case before == dialogue.StageOther && r.Ended() == wire.EndedNothing:
			err = s.takeHead(st, payload)
		}
		if err != nil {
			return err
		}
	}
	switch {
	case len(s.link.Server.Buffered()) > 0:
		return &dialogue.BrokenError{Err: dialogue.ErrMore}
	case done == nil && r.Warnings > 0 && st.alternatives[recipe.NamedOnce] != nil:
		s.warnedTwice = true
		return errWarnedTwice
	case done == nil:
		return c.End()
	case errors.Is(done, local.ErrEnough):
		return nil
	}
	return done
}

// narrow ends that rows are read many at a time.
func (s *Session) narrow() {
	s.dialogue.Wide = false
	s.link.Server.Narrow()
}

// takeHead reads the number of columns.
func (s *Session) takeHead(st *Statement, payload []byte) error {
	head, err := wire.DecodeResultHeader(payload, s.link.Server.Capabilities)
	if err != nil || head.Columns != st.fetched() {
		return &dialogue.BrokenError{Err: wire.ErrMalformed}
	}
	if head.MetadataFollows {
		s.rows.Types = s.rows.Types[:0]
	}
	return nil
}

// takeBuffered takes the rows that are there already, up to what is not a whole one.
func (s *Session) takeBuffered(st *Statement, c *choice) error {
	r, server := s.dialogue.Response, s.link.Server
	for {
		payload := r.Row(server.Buffered())
		if payload == nil {
			return nil
		}
		server.Advance(wire.HeaderBytes + len(payload))
		if err := s.takeRow(st, c, payload); err != nil {
			return err
		}
	}
}

// takeRow reads a row and has the choice take it.
func (s *Session) takeRow(st *Statement, c *choice, payload []byte) error {
	if c.portion != nil {
		return s.takePortion(st, c, payload)
	}
	row, err := s.fetchRow(st, payload)
	switch {
	case err != nil:
		return err
	case row == nil:
		return c.Account.Read() // the sieve has left it out
	}
	return c.Row(row)
}

// fetchRow reads a row of the answer to the stored statement. The row is good until
// the next one.
func (s *Session) fetchRow(st *Statement, payload []byte) (eval.Row, error) {
	types, err := s.decodeRow(st, payload)
	if err != nil {
		return nil, err
	}
	row, err := s.openRow(st, types)
	if err == nil && s.recall.Taking() {
		s.recall.Come(&st.Statement, s.rows.Cells)
	}
	return row, err
}

// decodeRow finds the cells of a row. types are those of a binary one.
func (s *Session) decodeRow(st *Statement, payload []byte) (types []wire.Type, err error) {
	if s.rows.Binary {
		types = s.rows.Types
		if len(types) != st.fetched() {
			return nil, &dialogue.BrokenError{Err: wire.ErrMalformed}
		}
		s.rows.Cells, err = wire.DecodeBinaryRow(s.rows.Cells, payload, types)
	} else {
		s.rows.Cells, err = wire.DecodeTextRow(s.rows.Cells, payload, st.fetched())
	}
	if err != nil {
		return nil, &dialogue.BrokenError{Err: err}
	}
	return types, nil
}

// openRow makes a row of the cells that were found last.
func (s *Session) openRow(st *Statement, types []wire.Type) (row eval.Row, err error) {
	if st.Run.Informs() {
		s.sayWords(st, s.rows.Cells)
	}
	var at int
	since := s.link.Clock.Start()
	if st.Run.Tree == nil {
		row, at, err = s.fetcher.Read(&st.Statement, s.rows.Cells, types)
	} else {
		row, at, err = s.fetcher.ReadLeaf(&st.Statement, s.rows.Cells, types)
	}
	s.link.Clock.Stop(usage.Open, since)
	switch {
	case errors.Is(err, wire.ErrMalformed):
		return nil, sqlerr.ValueRefused("a value of a plain column")
	case errors.Is(err, opening.ErrTwice):
		return nil, opening.ErrTwice
	case err != nil:
		return nil, s.notAuthentic(st, at, err)
	}
	return row, nil
}

// failure is the server's error in the words of the logical statement.
func (s *Session) failure(st *Statement, payload []byte) error {
	m, err := wire.DecodeErr(payload)
	if err != nil {
		return &dialogue.BrokenError{Err: err}
	}
	return translation.Error(&st.Statement, &m)
}

// noteCounts raises what MySQL says of SQL_CALC_FOUND_ROWS where it reads a statement, of one that is finished here: it is not
// sent.
func (s *Session) noteCounts(st *Statement) {
	if st.local() && st.counts() && s.env.Value.Flavor == value.MySQL && s.env.Value.Version >= deprecatedSince {
		s.binder.Notices.Add(value.Warning, deprecatedSyntax, []byte("SQL_CALC_FOUND_ROWS is deprecated and will be removed in a future release. Consider using two separate queries instead."))
	}
}
