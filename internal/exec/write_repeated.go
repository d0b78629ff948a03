package exec

import (
	"slices"

	"tunic/internal/backend"
	"tunic/internal/dialogue"
	"tunic/internal/exec/change"
	"tunic/internal/exec/repeat"
	"tunic/internal/recipe"
	"tunic/internal/sql"
	"tunic/internal/sqlerr"
	"tunic/internal/translation"
	"tunic/internal/wire"
)

// What writes one row back is the same text for each row of a plan. The server prepares it when it is sent for the
// second time:
//
//	COM_STMT_PREPARE, SELECT … FOR UPDATE ──► row ──► COM_STMT_EXECUTE with its forms
//
// The rows of a statement that writes several are one text as before.

// repeats has the server prepare what writes a row back, before anything of the statement is sent, if it was sent before.
func (w *writer) repeats(write *change.Write, p *sql.Printed) error {
	s := w.session
	w.batch.repeated, w.batch.preparing = nil, nil
	if !w.mayRepeat(write) {
		return nil
	}
	st := s.repeated.Sends(write, p)
	s.closeSurplus()
	switch {
	case st == nil:
		return nil
	case st.Prepared():
		w.batch.repeated = st
		return nil
	}
	return w.prepareRepeated(st)
}

// prepareRepeated has the server prepare what is about to be sent for the second time. Where it can be, it is sent before
// what reads the row, and the server is not waited for.
func (w *writer) prepareRepeated(st *repeat.Statement) error {
	command, err := st.AppendPrepare(nil)
	if err != nil {
		return err
	}
	if w.preparesAhead() {
		w.batch.preparing = st
		w.Push(command)
		return nil
	}
	made, err := w.PrepareRemote(command)
	if err != nil {
		return err
	}
	return w.takePrepared(st, made)
}

// takePrepared is the session's, for what writes a row back.
func (w *writer) takePrepared(st *repeat.Statement, made *dialogue.Preparation) error {
	err := w.session.takePrepared(w.st, st, made)
	if err == nil && st.Prepared() {
		w.batch.repeated = st
	}
	return err
}

// preparesAhead reports whether a row will be read, and may be although the statement could not be prepared: if the server
// ends a transaction for that, there is none behind it. A row that is known, as one that is taken from the cache, is written
// at once: it must not be if the server ends the statement while it prepares it.
func (w *writer) preparesAhead() bool {
	s := w.session
	reads := w.st.upsert == nil && !s.recall.Any() && !s.recall.Taking()
	return reads && w.response.Status&wire.StatusAutocommit != 0 && !w.locked() && !s.engine.options.Apart
}

// awaitPrepared reads the answer to what prepareRepeated has sent. The answers behind it are read whatever it is: refused is
// the statement's error then.
func (w *writer) awaitPrepared() (refused, err error) {
	st := w.batch.preparing
	if w.batch.preparing = nil; st == nil {
		return nil, nil
	}
	made, err := w.AwaitPrepared()
	if err != nil {
		return nil, err
	}
	err = w.takePrepared(st, made)
	if _, ok := err.(*sqlerr.Error); ok { //nolint:errorlint // never wrapped
		return err, nil
	}
	return nil, err
}

// firstOf is the error of a statement that was refused before another one, which has ended with err.
func firstOf(refused, err error) error {
	if _, ok := err.(*sqlerr.Error); refused != nil && (ok || err == nil) { //nolint:errorlint // never wrapped
		return refused
	}
	return err
}

// takePrepared takes over what the server has prepared. What it has not is sent as text: that fails, if it does, when there
// is a row. What ends the transaction, or the client's statement, is an error now.
func (s *Session) takePrepared(of *Statement, st *repeat.Statement, made *dialogue.Preparation) error {
	switch m := made.Refusal; {
	case m == nil && len(made.Params) != st.Params():
		return &dialogue.BrokenError{Err: wire.ErrMalformed}
	case m == nil:
		st.Has(s.dialogue.Response.Prepared.ID)
		return nil
	case endsStatement(m):
		return translation.Error(&of.Statement, m)
	}
	st.Lose()
	return nil
}

// endsStatement reports whether the server's refusal to prepare something ends the client's statement, and perhaps its
// transaction.
func endsStatement(refusal *wire.Err) bool {
	return backend.MayEndTransaction(refusal.Number) || refusal.Number == dialogue.ErrKilled
}

// mayRepeat reports whether what writes one row of a statement back may be an execution: a text has query attributes as
// they came, and what the server warns of values of the client's own is asked for in the same text. Rows of a file or a
// query do not come a second time.
func (w *writer) mayRepeat(write *change.Write) bool {
	st := w.st
	return len(w.Attributes) == 0 && len(write.Followers) == 0 && write.Plain == nil && !st.Run.Ignore && !st.unnamed() && st.from == nil && w.loading == nil
}

// executes reports whether the only row that was read is written back by an execution.
func (t *batch) executes(p *sql.Printed) bool {
	rows := &t.w.rows
	return t.repeated != nil && t.repeated.Of(p) && t.beside == nil && rows.Values() == rows.Width()
}

// addExecution is add for a row that is written back by an execution.
func (t *batch) addExecution() (err error) {
	caps := t.w.Server.Capabilities
	t.execution = true
	t.text, err = t.repeated.AppendExecute(t.text, caps.Has(wire.ClientQueryAttributes), t.valueOf)
	return err
}

// slotValue is what a slot is filled with: a repeat.Value.
func (t *batch) slotValue(slot int) ([]byte, error) {
	s := &t.write.Fills[slot]
	v, err := t.formOf(s)
	t.recalls(slot, s)
	return v, err
}

// recalls has a row that is kept have what a slot was filled with.
func (t *batch) recalls(slot int, s *change.Slot) {
	if rows := &t.w.session.recall; rows.Taking() {
		rows.Written(t.write, slot, t.w.session.binder.Form, s.Form == recipe.Sealed && (t.to == nil || t.to[s.At] == nil))
	}
}

// errLost says that the server has no such statement any more, or cannot prepare it anew. It has done nothing then: all is
// done again, as text.
var errLost = &sqlerr.Error{Number: 1615, State: "HY000", Message: "Prepared statement needs to be re-prepared"}

// lostNumbers are the errors for that: an unknown statement, and one that has to be prepared again.
var lostNumbers = []uint16{1243, 1615}

// refusedFirst is an error of the server about the statement that writes the first row back.
func (w *writer) refusedFirst(failed *wire.Err) *sqlerr.Error {
	if w.batch.execution && slices.Contains(lostNumbers, failed.Number) {
		w.batch.repeated.Lose()
		return errLost
	}
	return w.translated(failed, 0)
}

// doing does something with the writer; once more if a statement is lost that the server had prepared.
func (w *writer) doing(st *Statement, outer *wire.Response, do func(*writer) error) error {
	notices := w.session.binder.Notices
	for {
		w.begin(st, outer)
		w.session.dialogue.Response = &w.response
		err := w.settle(w.endLocked(do(w)))
		w.session.dialogue.Response = outer
		outer.Status, outer.Current = w.response.Status, w.response.Current
		if !isLost(err) {
			return err
		}
		w.end()
		w.session.binder.Notices = notices
	}
}

// closeSurplus closes what there is no room for any more.
func (s *Session) closeSurplus() {
	for id, ok := s.repeated.Surplus(); ok; id, ok = s.repeated.Surplus() {
		s.dialogue.CloseStatement(id)
	}
}

// closeRepeated closes what the server has prepared for tunic itself, and reports whether there was anything.
func (s *Session) closeRepeated() (closed bool) {
	for id, ok := s.repeated.Close(); ok; id, ok = s.repeated.Close() {
		s.dialogue.CloseStatement(id)
		closed = true
	}
	return closed
}

// ForgetPrepared is after what has the server forget all that is prepared in the session, and at the session's end.
func (s *Session) ForgetPrepared() { s.repeated.Clear() }
