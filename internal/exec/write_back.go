package exec

import (
	"bytes"

	"tunic/internal/arena"
	"tunic/internal/binding"
	"tunic/internal/dialogue"
	"tunic/internal/eval"
	"tunic/internal/exec/change"
	"tunic/internal/exec/repeat"
	"tunic/internal/exec/said"
	"tunic/internal/recipe"
	"tunic/internal/sql"
	"tunic/internal/sqlerr"
	"tunic/internal/translation"
	"tunic/internal/value"
	"tunic/internal/wire"
)

// batch are the statements that write rows back, one after the other in one text.
type batch struct {
	w       *writer
	write   *change.Write
	row     eval.Row // that was read
	to      eval.Row // what it becomes; nil where it is deleted, or not computed
	text    []byte
	ends    []int          // of the statements in text
	asides  []bool         // of those, whether they write other rows than the one that is to be written
	of      []int          // the numbers of the rows that they are of
	said    []binding.Mark // what was raised until each was made
	raised  binding.Mark   // and until the last row was looked at
	targets []*targetRun   // the tables of the rows; nil if there is one
	changes []bool         // of those of several tables, whether they change what is protected
	sealed  [][]byte       // the cells of the row's values as the server has sent them, to tell it by
	record  [][]byte       // the values of a family
	beside  *change.Beside // that is made now; nil for the row itself
	element int            // of the new row, of a text that stands for several
	plain   bool           // values of the client's own are in it, of which the server may warn
	// failed is why the row behind the last one cannot be written.
	failed *sqlerr.Error
	// saved says that there is a savepoint, or may be, set that the server has said so, timed that the session's
	// clock is stopped.
	saved, set, timed bool
	fill              binding.FillFunc
	// repeated is what the server has prepared to write a row back, nil for nothing, preparing what it is about to prepare,
	// and execution says that text is a command that executes it; valueOf is slotValue, made once.
	repeated  *repeat.Statement
	preparing *repeat.Statement
	execution bool
	valueOf   repeat.Value
}

func (t *batch) begin(w *writer) {
	t.asides, t.said = t.asides[:0], t.said[:0]
	t.w, t.text, t.ends, t.of, t.failed, t.saved, t.set, t.timed = w, t.text[:0], t.ends[:0], t.of[:0], nil, false, false, false
	t.targets, t.changes = nil, t.changes[:0]
	t.write = w.computer.Write
	t.plain = w.st.Run.Ignore || t.write != nil && t.write.Plain != nil
	t.execution = false
	if t.fill == nil {
		t.fill, t.valueOf = t.fillHole, t.slotValue
	}
}

// end lets go of what one statement with many rows has left.
func (t *batch) end() {
	clear(t.sealed)
	t.row, t.to, t.write, t.targets, t.failed, t.saved, t.repeated = nil, nil, nil, nil, nil, false, nil
	if cap(t.text) > arena.KeepMax {
		t.text = nil
	}
	if 8*cap(t.ends) > arena.KeepMax {
		t.ends, t.of, t.asides, t.said = nil, nil, nil, nil
	}
}

// packetRoom is for what is before and behind a statement in its packet.
const packetRoom = 512

// add adds the statement for one row.
func (t *batch) add(p *sql.Printed, row, to eval.Row) (err error) {
	t.row, t.to = row, to
	begin := len(t.text)
	if t.executes(p) {
		err = t.addExecution()
	} else {
		t.text, err = p.Fill(t.text, nil, t.fill)
	}
	if err != nil {
		return err
	}
	if len(t.text)-begin+packetRoom > t.w.session.env.PacketBytes {
		return dialogue.ErrPacket
	}
	t.ends, t.of, t.asides = append(t.ends, len(t.text)), append(t.of, t.w.matched-1), append(t.asides, t.beside != nil)
	t.raised = t.w.session.binder.Notices.Mark()
	t.said = append(t.said, t.raised)
	return t.w.account.Keep(len(t.text) - begin)
}

// fillHole appends what belongs into a hole of a statement for one row.
func (t *batch) fillHole(dst []byte, h sql.Hole, _ int) ([]byte, error) {
	b := t.w.session.binder
	switch h.Kind {
	case sql.HoleSlot:
		if t.beside != nil {
			return t.fillSlot(dst, &t.beside.Fills[h.Number])
		}
		fill := &t.write.Fills[h.Number]
		dst, err := t.fillSlot(dst, fill)
		t.recalls(h.Number, fill)
		return dst, err
	case sql.HoleParam:
		return b.AppendParamAt(dst, h)
	case sql.HolePlace:
		return b.AppendPlace(dst, h.Place, t.element)
	default:
		return dst, binding.ErrHole
	}
}

func (t *batch) fillSlot(dst []byte, s *change.Slot) ([]byte, error) {
	if s.Of.Kind != recipe.FromRow && s.Of.Kind != recipe.FromSet {
		if s.AutoIncrement && t.w.makesNumber() {
			return dst, sqlerr.StatementRefused("ON DUPLICATE KEY UPDATE with VALUES() of a column that is AUTO_INCREMENT, of a row that the server makes a number for,")
		}
		return t.appendNew(dst, s)
	}
	env := t.w.session.binder.Env
	v, err := t.formOf(s)
	switch {
	case err != nil:
		return dst, err
	case v != nil && (s.Form == recipe.Value || s.Form == recipe.Bare):
		return env.AppendKept(dst, &s.Type, v)
	}
	return env.AppendStored(dst, v), nil
}

// formOf is what a slot is filled with that is of a row: a form as it is stored, or the canonical value of a plain column;
// nil for NULL.
func (t *batch) formOf(s *change.Slot) ([]byte, error) {
	b := t.w.session.binder
	var row eval.Row
	switch s.Of.Kind {
	case recipe.FromRow:
		if s.Form == recipe.Sealed || s.Form == recipe.Record {
			return t.sealed[s.At], nil
		}
		row = t.row
	case recipe.FromSet:
		if s.Form == recipe.Record {
			return t.recordOf(s)
		}
		row = t.to
	default:
		return nil, binding.ErrHole
	}
	canonical := row[s.At]
	if canonical == nil || s.Form == recipe.Value || s.Form == recipe.Bare {
		return canonical, nil
	}
	canonical, err := b.ForShadow(s.Column, canonical)
	switch {
	case err != nil:
		return nil, err
	case s.Form == recipe.Sealed:
		b.Form, err = s.Forms.AppendSealed(b.Form[:0], canonical)
	default:
		b.Form, err = s.Forms.AppendToken(b.Form[:0], s.Layer, canonical)
	}
	if err != nil {
		return nil, sqlerr.ValueRefused("a value")
	}
	return b.Form, nil
}

// recordOf is the sealed form of a family of what the row becomes.
func (t *batch) recordOf(s *change.Slot) ([]byte, error) {
	b := t.w.session.binder
	t.record = t.record[:0]
	for _, at := range s.Record {
		t.record = append(t.record, t.to[at])
	}
	var err error
	b.Form, err = s.Family.AppendSealed(b.Form[:0], t.record)
	if clear(t.record); err != nil {
		return nil, sqlerr.ValueRefused("a value")
	}
	return b.Form, nil
}

// appendNew appends a value of the statement's own. NULL of a new row for a column that is NOT NULL has become what
// the server stores instead.
func (t *batch) appendNew(dst []byte, s *change.Slot) ([]byte, error) {
	b, begin := t.w.session.binder, len(dst)
	dst, err := b.AppendWritten(dst, &s.Of, t.element)
	if err != nil || t.w.st.upsert == nil || !s.Type.NotNull || s.Type.Kind == value.Timestamp || !bytes.EqualFold(dst[begin:], []byte("NULL")) {
		return dst, err
	}
	return b.Env.AppendKept(dst[:begin], &s.Type, value.AppendImplicitDefault(nil, &s.Type))
}

// target is the table of several whose row the n-th statement writes, nil if there is
// one.
func (t *batch) target(n int) *targetRun {
	if n < len(t.targets) {
		return t.targets[n]
	}
	return nil
}

// statement is the n-th statement.
func (t *batch) statement(n int) []byte {
	begin := 0
	if n > 0 {
		begin = t.ends[n-1]
	}
	return t.text[begin:t.ends[n]]
}

// writeBack writes the rows back and ends the transaction if it is tunic's.
func (w *writer) writeBack() error {
	t := &w.batch
	switch n := len(t.ends); {
	case n == 0 && t.failed != nil:
		return w.abandon(t.failed)
	case n == 0 && w.own:
		return w.commit()
	case n == 0:
		return nil
	case n == 1 && !t.plain && t.failed == nil:
		return w.writeOne()
	}
	return w.writeSeveral()
}

// commit ends a transaction of tunic's in which nothing was written.
func (w *writer) commit() error {
	if err := w.lost(); err != nil {
		return err
	}
	if w.response.Current && outside(w.response.Status) {
		return w.gone()
	}
	failed, err := w.SureCommit()
	if err == nil && failed != nil {
		return translation.Error(&w.st.Statement, failed)
	}
	return err
}

// writeOne writes one row. The transaction is committed without waiting: there is
// nothing in it if the statement fails.
func (w *writer) writeOne() error {
	err := w.writeFirst(w.own)
	if e, ok := err.(*sqlerr.Error); ok && e.Number == dialogue.ErrKilled { //nolint:errorlint // never wrapped
		return w.abandon(e) // neither of the two may have been sent
	}
	return err
}

// writeFirst is writeOne, with the commit or without.
func (w *writer) writeFirst(commit bool) error {
	w.pushBatch()
	if commit {
		w.PushText(dialogue.TextCommit)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	r, err := w.Await()
	if err != nil {
		return err
	}
	failed := r.Failed
	if failed == nil {
		err = w.written(&r.OK, 0)
		w.warnings += int(r.OK.Warnings)
		if commit && outside(r.OK.Status) || w.isGone(&r.OK) {
			err = w.gone()
		}
	}
	if commit {
		ended, lost := w.endedBehind(failed != nil)
		switch {
		case lost != nil:
			return lost
		case failed == nil && ended != nil:
			failed = ended
		}
	}
	if failed != nil {
		return w.refusedFirst(failed)
	}
	return err
}

// endedBehind reads the answer to a COMMIT that was sent behind a statement. If that has done
// nothing, whatever ends the transaction will do.
func (w *writer) endedBehind(nothing bool) (failed *wire.Err, err error) {
	if !nothing {
		return w.Committed()
	}
	ended, err := w.Await()
	if err == nil && ended.Failed != nil {
		return nil, w.RestoreText(dialogue.TextAbort)
	}
	return nil, err
}

// pushBatch is push for the first statement that writes a row back.
func (w *writer) pushBatch() {
	if w.batch.execution {
		w.Push(w.batch.statement(0))
		return
	}
	w.Server.SetSequence(0)
	out := w.AppendQuery(w.Server.OpenPacket())
	w.Server.ClosePacket(append(out, w.batch.statement(0)...))
	w.Pushed(wire.ComQuery)
}

// written counts the row that the n-th statement has written.
func (w *writer) written(ok *wire.OK, n int) error {
	w.last = *ok
	write := w.batch.write
	if t := w.batch.target(n); t != nil {
		write = t.writing
	}
	if w.st.Run.Kind == sql.Delete {
		w.changed += int(ok.AffectedRows)
		if ok.AffectedRows != 1 && !write.Cascades && !w.st.Run.Ignore {
			return errLostRow()
		}
		return nil
	}
	if said.MatchedRows(ok) != 1 {
		return errLostRow()
	}
	if w.targets != nil && w.hidden(ok, n) {
		return sqlerr.StatementRefused("UPDATE IGNORE of several tables, on a row whose change has an error that is ignored,")
	}
	w.changed += said.ChangedRows(ok)
	return nil
}

// errLostRow is the refusal of a statement whose row was not found again by its key.
func errLostRow() error {
	return sqlerr.StatementRefused("a statement on a row that its key does not find again")
}
