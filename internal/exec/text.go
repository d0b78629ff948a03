package exec

import (
	"errors"

	"tunic/internal/backend"
	"tunic/internal/budget"
	"tunic/internal/description"
	"tunic/internal/dialogue"
	"tunic/internal/exec/made"
	"tunic/internal/recipe"
	"tunic/internal/sql"
	"tunic/internal/sqlerr"
	"tunic/internal/value"
	"tunic/internal/wire"
)

// Text carries out a statement that has come as a COM_QUERY. literals are those of
// the query's text. The client has read the query; the answer follows it.
func (s *Session) Text(st *Statement, q wire.Query, literals *sql.Literals) error {
	defer s.end()
	b := s.binder
	b.Text, b.Literals = q.Text, literals
	s.dialogue.Attributes = q.Attributes
	st, d, err := s.begin(st)
	if err != nil {
		return err
	}
	a := asked{query: q}
	err = s.recallingEither(st, d, &a)
	for other := st.alternative(facts{failed: err}); other != nil; other = other.alternative(facts{failed: err}) {
		b.Notices.Begin(s.env.NoticesMax)
		err = s.recalling(other, d, &a)
	}
	return err
}

// Fill is Text for a statement that inserts the rows of a query, for something else that
// the client has asked for: the answer is returned and not sent.
func (s *Session) Fill(st *Statement, q wire.Query, literals *sql.Literals) (ok wire.OK, err error) {
	s.kept = &ok
	defer func() { s.kept = nil }()
	err = s.Text(st, q, literals)
	return ok, err
}

// carry carries out a statement that has been described: as a whole, as rows that
// are finished here, or as rows that are read and written back.
func (s *Session) carry(st *Statement, d *description.Description, a *asked) error {
	if fails := st.Run.Fails; fails != nil {
		if fails.IfStrict && (st.Run.Ignore || !s.env.Value.Strict()) {
			return sqlerr.StatementRefused("a value for a generated column, outside of strict mode,")
		}
		return fails.Error
	}
	for _, text := range st.Run.Asks {
		if err := s.mayWrite(text); err != nil {
			return err
		}
	}
	if err := st.tokensServe(&s.env); err != nil {
		return err
	}
	if a.prepared != nil {
		s.informed = a.prepared.informed
	}
	if err := made.DrawSequences(s.link.Server, s.binder, &st.Run); err != nil {
		return err
	}
	s.binder.Begin(&st.Statement)
	s.leavesFound = s.leaves(st)
	s.uncounted = st.rewrites() || st.upsert != nil || st.local() || st.Adds()
	if st.whole != nil && !st.unnamed() {
		if done, err := s.writeOutright(st); done || err != nil {
			return err
		}
	}
	switch {
	case st.unnamed() && len(st.beside) > 0:
		return followersUnnamed()
	case st.Run.Load() != nil:
		return s.loadFile(st)
	case st.from != nil:
		return s.insertQuery(st, a)
	case st.upsert != nil:
		return s.upsert(st, d, a)
	case st.returns != nil:
		return s.writeReturning(st, d, a)
	case st.rewrites() && a.prepared != nil:
		return s.writePrepared(a.prepared, a.execute)
	case st.rewrites():
		return s.writeText(st)
	case st.local():
		return s.finish(st, d, a)
	case st.unnamed() && !st.Reads():
		return s.changeUnnamed(st, a)
	}
	return s.passOn(st, d, a)
}

// passOn carries out a statement whose answer is the server's, with its rows opened.
func (s *Session) passOn(st *Statement, d *description.Description, a *asked) error {
	if err := s.rows.Begin(&st.Statement, &s.env); err != nil {
		return err
	}
	err := s.exchange(st, d, a)
	if isLost(err) {
		err = s.exchange(st, d, a)
	}
	if err != nil {
		return err
	}
	if st.Run.Kind == sql.Select && d != nil && !s.foreign && !s.rows.Cursor && !st.counts() && !s.dialogue.Response.Failed {
		s.found = foundRows{s.rows.Passed, true}
	}
	return nil
}

// exchange sends a statement and passes on the answer.
func (s *Session) exchange(st *Statement, d *description.Description, a *asked) error {
	if err := s.ask(st, a); err != nil {
		return err
	}
	return s.answer(st, d, a.prepared != nil)
}

// counts reports whether the statement is a query with SQL_CALC_FOUND_ROWS.
func (st *Statement) counts() bool {
	q, ok := st.Run.Does.(*recipe.Query)
	return ok && q.Counts
}

// leaves reports whether a statement leaves FOUND_ROWS() as it was.
func (s *Session) leaves(st *Statement) bool {
	switch st.Run.Kind {
	case sql.Insert, sql.Replace:
		return !st.Adds()
	case sql.Delete:
		return st.targets == nil
	case sql.Update:
		return st.targets == nil && s.env.Value.Flavor == value.MariaDB
	default:
		return false
	}
}

// sendText sends the stored statement.
func (s *Session) sendText(st *Statement, q wire.Query) error {
	if err := s.dialogue.Told(); err != nil {
		return err
	}
	if st.Run.Informs() {
		return s.sendInformed(st, q)
	}
	server := s.link.Server
	server.SetSequence(0)
	bytes := s.binder.StoredBytes(&st.Statement, len(q.Text))
	turn := s.engine.turns.Take(bytes, s.leaving)
	defer s.engine.turns.GiveBack(turn)
	kept, err := s.engine.takeStored(bytes, len(q.Text), turn)
	if err != nil {
		return err
	}
	defer s.engine.options.Memory.Give(kept)
	server.Reserve(bytes)
	out := server.OpenPacket()
	out = wire.Query{Attributes: q.Attributes}.AppendQuery(out, server.Capabilities)
	out, err = st.remote(s.binder.Most == 0).Fill(out, s.binder.ElementCount, s.binder.FillHole)
	return s.dialogue.SendPacket(out, s.env.PacketBytes, err)
}

// uncountedBytes is how much more than budget.BytesForOne a stored statement may have that nobody takes
// memory for: only as many are made at a time as there are turns.
const uncountedBytes = 64 << 20

// takeStored takes memory for a stored statement that is many times as long as its text, as one of
// millions of numbers is, and for one that has waited for its turn in vain: with its forms it has
// twice its length. It does not wait, as who made room for it might wait for its turn.
func (e *Engine) takeStored(stored, text int, turn bool) (taken int64, err error) {
	more := int64(stored) - budget.BytesForOne*int64(text)
	uncounted := int64(uncountedBytes)
	if !turn && stored >= budget.LargeBytes {
		more, uncounted = more+int64(stored), 0
	}
	if more <= uncounted {
		return 0, nil
	}
	if !e.options.Memory.TryTake(more) {
		return 0, sqlerr.MemoryTaken(e.options.Memory.Bytes())
	}
	return more, nil
}

// mayWrite has the server say whether the client may write to a view, by a statement that
// would write no row of the stored view. That one cannot be written to, since its columns
// are constants, is what the server says to whoever may.
func (s *Session) mayWrite(text string) error {
	const notUpdatable, columnNotUpdatable, notInsertable, ofSeveral, noFields = 1288, 1348, 1471, 1393, 1394
	_, _, err := s.link.Server.Rows([]byte(text))
	answer, ok := errors.AsType[*backend.AnswerError](err)
	switch {
	case err == nil:
		return nil
	case !ok:
		return &dialogue.BrokenError{Err: err}
	}
	switch answer.Err.Number {
	case notUpdatable, columnNotUpdatable, notInsertable, ofSeveral, noFields:
		return nil
	}
	return dialogue.ErrorOf(&answer.Err)
}
