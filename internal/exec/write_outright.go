package exec

import (
	"errors"

	"tunic/internal/arena"
	"tunic/internal/dialogue"
	"tunic/internal/eval"
	"tunic/internal/exec/said"
	"tunic/internal/sql"
	"tunic/internal/sqlerr"
	"tunic/internal/translation"
	"tunic/internal/value"
	"tunic/internal/wire"
)

// An UPDATE that sets columns of one row to values need not wait for the row: it is
// read, for the count of rows that change, and written in one text.

// writeOutright carries out such a statement; done is false if it has to be carried
// out in two halves, and nothing has been sent.
func (s *Session) writeOutright(st *Statement) (done bool, err error) {
	if s.env.Safe || s.link.Owner.Locked() {
		return false, nil
	}
	r := s.dialogue.Response
	alone := r.Current && r.Status&wire.StatusAutocommit != 0 && r.Status&wire.StatusInTransaction == 0
	if alone && st.write.Guarded != nil && !s.link.Caps.Has(wire.ClientMultiStatements) {
		return false, nil // two commands are less than four with what it takes to send them as one
	}
	b := s.binder
	if s.seeksCached(st, alone) {
		if s.recall.IsCached(b) {
			return false, nil
		}
		s.missesCached(st)
	}
	if s.recall.Cache.Keeps() && st.Run.Key != nil {
		s.recall.Change(st.Run.Table)
	}
	notices := b.Notices
	b.Begin(&st.whole.Statement)
	update, failed := s.filled(st.whole, s.texts[0][:0])
	s.texts[0] = arena.Bounded(update, 1)
	b.Notices = notices // they are raised again if there is a row
	b.Begin(&st.Statement)
	if failed != nil {
		s.recall.Discard()
		return false, nil //nolint:nilerr // it is none if there is no row, which two halves find out
	}
	read, err := s.filled(st, s.texts[1][:0])
	s.texts[1] = arena.Bounded(read, 1)
	if err != nil || len(read)+len(update) >= s.env.PacketBytes/2 {
		s.recall.Discard()
		return false, err
	}
	read = s.unbounded(read, false)
	return true, s.writes(st, func(w *writer) error { return w.outright(read, update) }, (*writer).answer)
}

// filled is the stored statement as text, of a prepared statement as well.
func (s *Session) filled(st *Statement, dst []byte) ([]byte, error) {
	return s.filledAround(st, dst, nil)
}

// filledAround is filled with more around the rows that it inserts; nil is nothing.
func (s *Session) filledAround(st *Statement, dst []byte, around *sql.Around) ([]byte, error) {
	b := s.binder
	return st.Run.Remote.FillAround(dst, b.ElementCount, func(dst []byte, h sql.Hole, element int) ([]byte, error) {
		switch h.Kind {
		case sql.HoleSlot:
			begin := len(dst)
			dst, err := b.FillSlot(dst, h.Number, element)
			if err == nil && s.recall.Taking() {
				s.recall.Filled(&st.Run.Slots[h.Number], b.Form, string(dst[begin:]) == "NULL")
			}
			return dst, err
		case sql.HoleParam:
			return b.AppendParamAt(dst, h)
		default:
			return b.AppendPlace(dst, h.Place, element)
		}
	}, around)
}

// outright reads and writes the row in one text.
func (w *writer) outright(read, update []byte) error {
	b := w.session.binder
	if err := w.computer.Begin(&w.st.Statement, w.st.query, w.st.write, b); err != nil {
		return err
	}
	if err := w.prepareRows(nil); err != nil {
		return err
	}
	if err := w.findTransaction(); err != nil {
		return err
	}
	text, parts := w.command[:0], w.parts[:0]
	add := func(p part, statement []byte) {
		if len(parts) > 0 {
			text = append(text, ';')
		}
		text, parts = append(text, statement...), append(parts, p)
		w.cuts = append(w.cuts, len(text))
	}
	w.cuts = w.cuts[:0]
	if w.own {
		add(partSave, []byte(dialogue.TextBegin))
	}
	add(partRead, read)
	add(partRow, update)
	if w.own {
		add(partEnd, []byte(dialogue.TextCommit))
	}
	w.command, w.parts = text, parts
	failed, err := w.exchangeSeveral(text, len(parts), w.followOutright)
	if err != nil {
		return err
	}
	if failed != nil {
		return w.undo(failed)
	}
	return w.countOutright()
}

// followOutright reads the answers. failed is the first that is an error.
func (w *writer) followOutright() (failed, err error) {
	err = w.Follow(func(n int, payload []byte) error {
		if w.parts[n] == partRead && failed == nil {
			failed = w.takeOld(payload)
		}
		return nil
	}, func(n int, r dialogue.Reply) error {
		switch {
		case r.Failed != nil && failed == nil:
			failed = w.session.translated(w.st.whole, r.Failed)
		case r.Failed == nil && failed == nil && w.parts[n] == partRead:
			failed = w.check()
		case r.Failed == nil && w.parts[n] == partRow:
			w.matched = said.MatchedRows(&r.OK)
			w.warnings += int(r.OK.Warnings)
			if failed == nil && outside(r.OK.Status) {
				failed = w.gone()
			}
		}
		return nil
	})
	return failed, err
}

// takeOld takes the row as it was. The server goes on to write it whatever is found out here, so
// that a value that does not open, or is not the one that the row was found by, is none of an error any
// more: it is another one than what takes its place, of which the client is warned.
func (w *writer) takeOld(payload []byte) error {
	err := w.takeRow(payload)
	if err == nil { // nearly always
		return nil
	}
	if !errors.Is(err, sqlerr.NotAuthentic("")) && !errors.Is(err, sqlerr.TokenMoved("")) {
		return err
	}
	e, _ := errors.AsType[*sqlerr.Error](err)
	w.session.binder.Notices.Add(value.Warning, e.Number, []byte(e.Message))
	return nil
}

// countOutright counts the row if it has changed. One that was not there when it was
// read is another session's, and has.
func (w *writer) countOutright() error {
	b := w.session.binder
	w.changed = w.matched
	if w.matched != 1 {
		w.session.recall.Discard()
	}
	b.Row = 1
	defer func() { b.Row = 0 }()
	return w.rows.Each(func(_ int, row eval.Row) error {
		changed, err := w.computer.Compute(row)
		if !changed {
			w.changed = 0
		}
		return err
	})
}

// translated is an error of the server in the words of the logical statement.
func (s *Session) translated(st *Statement, m *wire.Err) error {
	e := translation.Error(&st.Statement, m)
	s.binder.Begin(&st.Statement)
	e.Message = string(s.words.Sent(&st.Statement, m))
	return e
}
