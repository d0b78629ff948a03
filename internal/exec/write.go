package exec

import (
	"errors"

	"tunic/internal/arena"
	"tunic/internal/backend"
	"tunic/internal/binding"
	"tunic/internal/budget"
	"tunic/internal/dialogue"
	"tunic/internal/eval"
	"tunic/internal/exec/change"
	"tunic/internal/exec/made"
	"tunic/internal/sql"
	"tunic/internal/sqlerr"
	"tunic/internal/translation"
	"tunic/internal/value"
	"tunic/internal/wire"
)

// writer carries out statements that read rows before they write them:
//
//	SELECT … FOR UPDATE ──► rows ──► what they become ──► UPDATE by key, one a row
//
// Between the two nobody else may change the rows, so that both are in one
// transaction: the client's if it has one, else one of tunic's own around them. In
// the client's a savepoint makes several statements one. Whatever ends in between
// has written nothing.
//
// A writer belongs to one session; its buffers stay.
type writer struct {
	session *Session
	*dialogue.Dialogue
	response wire.Response // of the answers that the client does not get
	st       *Statement
	of       *Statement // the client's: st is that of the rows while those of a query are read

	own       bool         // the transaction is tunic's
	ownLocked bool         // it is tunic's, but begun by turning off autocommit
	choice    *choice      // nil if all rows that the server finds are written
	targets   []*targetRun // the tables that are written; nil if there is one
	account   budget.Account
	computer  change.Computer
	batch     batch
	rows      made.Rows
	fetched   int            // rows that the server has sent, of which rows are those that are written
	returned  made.Rows      // of an upsert that returns rows: as they are when they have been written
	returns   budget.Account // of those: they are kept up to the last
	upserted  upserted
	adding    adding
	loading   *loading
	command   []byte // a text of several statements
	parts     []part // of it
	cuts      []int  // where its statements end
	begun     bool   // there is a transaction
	// matched and changed count rows as the answer to an UPDATE tells them, warnings
	// those that the server has raised and that are not among the notices.
	matched, changed, warnings int
	warningsTaken              int     // of the notices, what the server has warned of while rows were read
	failing                    int     // rows of matched that IGNORE has left as they are
	last                       wire.OK // of the last row that was written
}

// write carries out a statement that reads rows first: command reads them, in the
// binary protocol or not.
func (s *Session) write(st *Statement, command []byte, types []wire.Type) error {
	return s.writes(st, func(w *writer) error { return w.run(command, types) }, (*writer).answer)
}

// writes has the writer do something, and answers the client if it succeeds.
func (s *Session) writes(st *Statement, do func(*writer) error, answer func(*writer) wire.OK) error {
	return s.writesAndTells(st, do, func(w *writer) error {
		ok := answer(w)
		s.changed = foundRows{ok.AffectedRows, true}
		if st.Run.Kind == sql.Update && st.targets == nil && s.env.Value.Flavor == value.MySQL {
			s.found = foundRows{uint64(w.matched), true}
		}
		if s.kept != nil {
			*s.kept = ok
			return nil
		}
		client := s.link.Client
		client.ClosePacket(ok.AppendOK(client.OpenPacket(), s.link.Caps))
		return s.link.Waiter.Write()
	})
}

// writesAndTells is writes with an answer of the caller's.
func (s *Session) writesAndTells(st *Statement, do, tell func(*writer) error) error {
	if s.writer == nil {
		s.writer = &writer{session: s, Dialogue: &s.dialogue}
	}
	if err := s.dialogue.Told(); err != nil {
		s.binder.Notices.Fail(err)
		return err
	}
	w, outer := s.writer, s.dialogue.Response
	defer w.end()
	err := w.doing(st, outer, do)
	if err != nil {
		s.binder.Notices.Fail(err)
		return err
	}
	outer.Succeeded = 1
	s.recall.Share(s.binder) // before the client is told: its next statement, in whatever session, is to find it
	return tell(w)
}

// settle is how a statement has ended, in the client's transaction: with the server's error if it
// has ended that in an answer that the client does not get. What has become of a transaction of
// tunic's own, the answer to its COMMIT has told, before which lost is asked as well.
func (w *writer) settle(err error) error {
	_, refused := errors.AsType[*sqlerr.Error](err)
	switch {
	case err != nil && !refused:
		return err
	case w.own || w.ownLocked:
		w.Server.ForgetUntold()
		return err
	}
	if lost := w.lost(); lost != nil {
		return lost
	}
	return err
}

// lost is the server's error, if it has ended the transaction in an answer that the client does
// not get. There is one: the client's, or tunic's own before its end.
func (w *writer) lost() error {
	if !w.Server.HasUntold() {
		return nil
	}
	lost, err := w.Server.Settle(w.response.Status|wire.StatusInTransaction, true)
	switch {
	case err != nil:
		return &dialogue.BrokenError{Err: err}
	case lost != nil:
		w.response.Current = false
		return translation.Error(&w.st.Statement, lost)
	}
	return nil
}

func (w *writer) begin(st *Statement, outer *wire.Response) {
	w.st, w.of, w.ownLocked = st, st, false
	w.ForgetSent()
	w.account = budget.Account{Budget: &w.session.engine.options.Local, Total: &w.session.engine.reserved, Memory: w.session.engine.options.Memory, Hint: st.hint}
	w.returns = w.account
	w.matched, w.changed, w.warnings, w.warningsTaken, w.failing, w.last = 0, 0, 0, 0, 0, wire.OK{}
	w.response = wire.Response{Status: outer.Status, Current: outer.Current}
}

// end lets go of a statement.
func (w *writer) end() {
	w.st, w.of = nil, nil
	if w.choice != nil {
		w.choice.close()
		w.choice = nil
	}
	w.account.Close()
	w.returns.Close()
	w.adding, w.loading = adding{}, nil
	w.computer.End()
	w.targets = nil
	w.rows.End()
	w.returned.End()
	w.batch.end()
}

// run does both halves, and ends the transaction if it is tunic's.
func (w *writer) run(command []byte, types []wire.Type) error {
	if w.session.env.Safe && w.st.Run.Key == nil { // an UPDATE by its key the server takes
		return sqlerr.StatementRefused("a statement that tunic reads rows for before it writes them, with sql_safe_updates,")
	}
	if err := w.prepare(types); err != nil {
		return err
	}
	if err := w.findTransaction(); err != nil {
		return err
	}
	if w.targets == nil {
		if done, err := w.writesAtOnce(command); done || err != nil {
			return err
		}
	}
	err := w.beginLocked()
	if err == nil {
		err = w.read(command)
	}
	if err == nil {
		err = w.session.sure(w.st)
	}
	if err == nil {
		err = w.compute()
	}
	if refused, ok := errors.AsType[*sqlerr.Error](err); ok {
		return w.abandon(refused)
	}
	if err != nil {
		return err
	}
	return w.writeBack()
}

// prepare makes ready what the rows go into.
func (w *writer) prepare(types []wire.Type) error {
	if w.st.targets != nil {
		return w.prepareTargets(types)
	}
	if err := w.computer.Begin(&w.st.Statement, w.st.query, w.st.write, w.session.binder); err != nil {
		return err
	}
	return w.prepareRows(types)
}

// findTransaction finds out whether the client has a transaction. After an error the
// server's last flags tell nothing of it.
func (w *writer) findTransaction() error {
	if !w.response.Current {
		w.PushText(dialogue.TextAsk)
		if err := w.Flush(); err != nil {
			return err
		}
		if r, err := w.Await(); err != nil || r.Failed != nil {
			return errorOf(w.st, r, err)
		}
	}
	status := w.response.Status
	w.own = status&wire.StatusAutocommit != 0 && status&wire.StatusInTransaction == 0
	return nil
}

// errorOf is the error of a command that has been answered with one.
func errorOf(st *Statement, r dialogue.Reply, err error) error {
	if err != nil {
		return err
	}
	return translation.Error(&st.Statement, r.Failed)
}

// read reads the rows, in a transaction.
func (w *writer) read(command []byte) error {
	if w.own {
		w.PushText(dialogue.TextBegin)
	}
	w.Push(command)
	if err := w.Flush(); err != nil {
		return err
	}
	refused, err := w.awaitPrepared()
	if err == nil && w.own {
		err = w.begins()
	}
	if err == nil {
		err = w.readRows()
	}
	if err = firstOf(refused, err); err != nil {
		return err
	}
	return w.check()
}

// begins reads the answer to the START TRANSACTION that was sent before a query. If it is an
// error the rows of the query are none of the transaction's.
func (w *writer) begins() error {
	begun, err := w.Await()
	if err != nil || begun.Failed == nil {
		return err
	}
	w.own = begun.Failed.Number == dialogue.ErrKilled // it may have begun, and abandon ends it
	if err := w.Follow(nil, func(int, dialogue.Reply) error { return nil }); err != nil {
		return err
	}
	return translation.Error(&w.st.Statement, begun.Failed)
}

// check refuses to go on where what was read is not locked, or nothing can be
// written. Without autocommit a transaction begins by itself, but not for every engine. A node of
// Galera that has no transaction any more, and was not told to end it, has done so for another
// node's.
func (w *writer) check() error {
	status := w.response.Status
	switch {
	case status&wire.StatusInReadOnlyTrans != 0:
		return &sqlerr.Error{Number: 1792, State: "25006", Message: "Cannot execute statement in a READ ONLY transaction."}
	case !outside(status):
		return nil
	case w.session.engine.options.Apart && !w.own:
		w.response.Current = false
		return dialogue.Outdone()
	}
	return &dialogue.BrokenError{Err: errNoTransaction}
}

// compute computes what the rows become and makes the statements that write them
// back. A row that cannot be fails the statement, but only when those before it have
// been written: one of them may fail first.
func (w *writer) compute() error {
	if w.targets != nil {
		return w.addTargets()
	}
	b := w.session.binder
	w.batch.begin(w)
	defer func() { b.Row, w.batch.raised = 0, b.Notices.Mark() }()
	return w.rows.Each(func(n int, row eval.Row) error {
		b.Row = n + 1
		w.matched++
		if err := w.one(row); err != nil {
			if refused, ok := err.(*sqlerr.Error); ok { //nolint:errorlint // never wrapped
				w.batch.failed = refused
				return made.ErrStop
			}
			return err
		}
		return nil
	})
}

// one makes the statement that writes one row back, if it is to be written.
func (w *writer) one(row eval.Row) error {
	write := w.computer.Write
	if w.st.Run.Kind == sql.Delete {
		if err := w.batch.besides(w.computer.Write, row, nil, nil); err != nil {
			return err
		}
		return w.batch.add(write.Back, row, nil)
	}
	changed, err := w.computer.Compute(row)
	switch {
	case err == change.ErrFails: //nolint:errorlint // never wrapped
		w.failing++
		return nil
	case err != nil:
		return err
	case changed:
		if err := w.batch.besides(w.computer.Write, row, w.computer.Row, nil); err != nil {
			return err
		}
		return w.batch.add(write.Back, row, w.computer.Row)
	case write.Plain != nil:
		return w.batch.add(write.Plain, row, nil)
	}
	return nil
}

// abandon ends a statement that has failed as if it had not been. Where that cannot
// be done the session ends, and the server does it.
func (w *writer) abandon(failed error) error {
	switch {
	case w.own:
		if err := w.RestoreText(dialogue.TextAbort); err != nil {
			return err
		}
		return failed
	case w.batch.saved:
		return w.back(failed)
	}
	return failed
}

// back goes back to the savepoint of a statement that has failed, and drops it. Where the
// server knows of none it has rolled back the whole transaction.
func (w *writer) back(failed error) error {
	for _, text := range [...]string{dialogue.TextBack, dialogue.TextRelease} {
		refused, err := w.SureText(text)
		if err == nil && refused != nil && refused.Number != errNoSavepoint {
			w.Untold(refused)
			refused, err = w.SureText(text)
		}
		switch {
		case err != nil:
			return err
		case refused == nil:
		case refused.Number == errNoSavepoint:
			return w.goneWith(failed)
		default:
			return &dialogue.BrokenError{Err: dialogue.ErrNotUndone}
		}
	}
	return failed
}

// release drops the savepoint of a statement that has been done. One that is not dropped does
// no harm; but the server may have said that the transaction is gone, or have ended it without a word.
func (w *writer) release() error {
	refused, err := w.SureText(dialogue.TextRelease)
	switch {
	case err != nil || refused == nil:
		return err
	case refused.Number == errNoSavepoint && !w.Server.HasUntold():
		return w.gone()
	}
	w.Untold(refused)
	return nil
}

// gone is the error of a statement whose transaction the server has ended without a word: what the
// statement has written is none any more, nor what the client has before it. MySQL 9.7 has swallowed a
// deadlock so that it met in the cascade of a foreign key, and answered OK.
func (w *writer) gone() *sqlerr.Error {
	w.response.Current = false
	return dialogue.Outdone()
}

// isGone reports whether what the server has answered within a transaction shows that there is none.
func (w *writer) isGone(ok *wire.OK) bool { return (w.begun || !w.own) && outside(ok.Status) }

// goneWith is gone for a statement that has failed, if its error does not say it.
func (w *writer) goneWith(failed error) error {
	said, ok := failed.(*sqlerr.Error) //nolint:errorlint // never wrapped
	if !w.batch.set || ok && backend.MayEndTransaction(said.Number) || w.Server.HasUntold() {
		return failed
	}
	return w.gone()
}

// outside reports whether a session has no transaction, where there has to be one. Without autocommit the next
// statement begins another one, and nothing can be told.
func outside(status wire.Status) bool {
	return status&(wire.StatusInTransaction|wire.StatusAutocommit) == wire.StatusAutocommit
}

// writeText is write for a statement that has come as a COM_QUERY.
func (s *Session) writeText(st *Statement) error {
	command, err := s.readingText(st)
	if err != nil {
		return err
	}
	return s.write(st, s.unboundedQuery(command, st.targets != nil), nil)
}

// readingText is the command that reads the rows.
func (s *Session) readingText(st *Statement) ([]byte, error) {
	command := s.dialogue.AppendQuery(s.command[:0])
	command, err := st.Run.Remote.Fill(command, s.binder.ElementCount, s.binder.FillHole)
	if err == nil && len(command) >= s.env.PacketBytes {
		err = dialogue.ErrPacket
	}
	if cap(command) <= arena.KeepMax {
		s.command = command
	}
	return command, err
}

// writePrepared is write for an execution of a prepared statement. Rows that are to
// be written are read at once, whatever cursor the client has asked for.
func (s *Session) writePrepared(p *Prepared, m wire.Execute) error {
	if s.bounded() {
		command, err := s.filled(p.st, s.dialogue.AppendQuery(nil))
		if err == nil && len(command) >= s.env.PacketBytes {
			err = dialogue.ErrPacket
		}
		if err != nil {
			return err
		}
		return s.write(p.st, s.unboundedQuery(command, p.st.targets != nil), nil)
	}
	command, err := s.readingExecution(p, m)
	if err != nil {
		return err
	}
	return s.write(p.st, command, p.types)
}

// readingExecution is the command that reads the rows.
func (s *Session) readingExecution(p *Prepared, m wire.Execute) ([]byte, error) {
	m.Rest = append([]byte{m.Rest[0] &^ cursorFlags}, m.Rest[1:binding.ExecuteHead]...)
	command, err := s.binder.AppendExecute(s.command[:0], &p.Execution, m, s.link.Server.Capabilities)
	if err == nil && len(command) >= s.env.PacketBytes {
		err = dialogue.ErrPacket
	}
	if err == nil && cap(command) <= arena.KeepMax {
		s.command = command
	}
	return command, err
}

// cursorFlags are those of COM_STMT_EXECUTE that ask for a cursor.
const cursorFlags = 0x07
