package exec

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"time"

	"tunic/internal/binding"
	"tunic/internal/catalog"
	"tunic/internal/dialogue"
	"tunic/internal/sql"
	"tunic/internal/sqlerr"
	"tunic/internal/translation"
	"tunic/internal/value"
	"tunic/internal/wire"
)

// Several statements are one text, which the server stops to run at the first that
// fails. As commands of their own those behind it would be run as well: after a
// deadlock, which ends the transaction, each of them for itself.

// part is what a statement of a text of several is for.
type part uint8

const (
	partSave part = iota
	partRead
	partRow
	partBeside   // writes rows that refer to the next
	partWarnings // of the row before
	partTime     // stops the session's clock, or lets it go on
	partEnd
)

// textBytesMax is about how long a text of several statements is.
const textBytesMax = 1 << 20

// writeSeveral writes rows back with all that is before and behind them.
func (w *writer) writeSeveral() error {
	most := min(textBytesMax, w.session.env.PacketBytes/2)
	var text []byte
	var parts []part
	add := func(p part, statement string) {
		if len(text) > 0 {
			text = append(text, ';')
		}
		text, parts = append(text, statement...), append(parts, p)
		w.cuts = append(w.cuts, len(text))
	}
	w.cuts = w.cuts[:0]
	if !w.own {
		add(partSave, dialogue.TextSavepoint)
	}
	if w.batch.timed = len(w.batch.ends) > 1 && w.stamps(); w.batch.timed {
		add(partTime, setClock(w.session.env.Value.Now))
	}
	row := 0 // of those that are written, the first of the next text
	send := func(next int) error {
		err := w.runSeveral(text, parts, row)
		text, parts, row, w.cuts = text[:0], parts[:0], next, w.cuts[:0]
		return err
	}
	for n := range w.batch.ends {
		statement := string(w.batch.statement(n))
		if n > row && len(text)+len(statement)+packetRoom > w.session.env.PacketBytes { // none alone is longer
			if err := send(n); err != nil {
				return w.undo(err)
			}
		}
		if w.batch.asides[n] {
			add(partBeside, statement)
			continue
		}
		add(partRow, statement)
		if w.batch.plain {
			add(partWarnings, dialogue.TextWarnings)
		}
		last := n == len(w.batch.ends)-1
		if !last && len(text) < most {
			continue
		} else if last && w.batch.timed {
			add(partTime, setClock(w.session.env.Fixed))
		}
		if last && w.batch.failed == nil && !w.loses() {
			add(partEnd, w.ending())
		}
		if err := send(n + 1); err != nil {
			return w.undo(err)
		}
	}
	return w.endSeveral(row)
}

// endSeveral ends what was written, where the text of the last rows has not: all of so many have been.
func (w *writer) endSeveral(rows int) error {
	switch {
	case w.batch.failed != nil:
		return w.undo(w.batch.failed)
	case !w.loses():
		return nil
	}
	if err := w.runSeveral([]byte(w.ending()), []part{partEnd}, rows); err != nil {
		return w.undo(err)
	}
	return nil
}

// ending is the statement that ends what was written: tunic's transaction or its savepoint.
func (w *writer) ending() string {
	if w.own {
		return dialogue.TextCommit
	}
	return dialogue.TextRelease
}

// loses reports whether a row that is written can take another one with it that is to be
// written as well: by a foreign key, or a trigger of a plain table. The server has no error
// for a row that is gone, so that the end waits until tunic has seen them all.
func (w *writer) loses() bool {
	return len(w.batch.ends) > 1 && (w.targets != nil || len(w.st.Run.Table.ForeignKeys) > 0)
}

// stamps reports whether the server puts times into the rows: for a plain server they
// are all of one statement.
func (w *writer) stamps() bool {
	if w.targets != nil {
		return slices.ContainsFunc(w.targets, func(t *targetRun) bool { return stamps(t.Table) || t.writing.Plain != nil })
	}
	return stamps(w.st.Run.Table) || w.batch.write.Plain != nil
}

// stamps reports whether the server puts the time of a change into rows of a table.
func stamps(t *catalog.Table) bool {
	return slices.ContainsFunc(t.Columns, func(c catalog.Column) bool { return c.OnUpdateNow && !c.Protected() })
}

// setClock stops the session's clock at a moment, or lets it go on at none.
func setClock(at time.Time) string {
	if at.IsZero() {
		return "SET timestamp = DEFAULT"
	}
	const micros = 1_000_000
	return fmt.Sprintf("SET timestamp = %d.%06d", at.UnixMicro()/micros, at.UnixMicro()%micros)
}

// undo is abandon for whatever error.
func (w *writer) undo(err error) error {
	refused, ok := err.(*sqlerr.Error) //nolint:errorlint // never wrapped
	if !ok {
		return err
	}
	if w.batch.timed {
		if err := w.RestoreText(setClock(w.session.env.Fixed)); err != nil {
			return err
		}
	}
	return w.abandon(refused)
}

// runSeveral runs one text of several statements. A client that may not send any is
// allowed to for as long as it takes.
func (w *writer) runSeveral(text []byte, parts []part, row int) error {
	failed, err := w.exchangeSeveral(text, len(parts), func() (failed, err error) { return w.followParts(parts, &row) })
	switch {
	case err != nil:
		return err
	case failed != nil:
		return failed
	case w.own && parts[len(parts)-1] == partEnd: // there is no transaction any more
		w.Server.ForgetUntold()
	}
	return w.lost() // or the next text would be done for itself
}

// exchangeSeveral sends one text of n statements, and has its answers read: failed is the
// first that is an error.
func (w *writer) exchangeSeveral(text []byte, n int, read func() (failed, err error)) (failed, err error) {
	st := &w.st.Statement
	words := func(m *wire.Err) *sqlerr.Error { return translation.Error(st, m) }
	t := dialogue.Several{Text: text, Cuts: w.cuts, One: n == 1, Allowed: w.session.link.Caps.Has(wire.ClientMultiStatements), Words: words}
	return w.SendSeveral(&t, read)
}

// followParts reads the answers to a text of several statements: failed is the first
// that is an error. row is that of the next part that writes one.
func (w *writer) followParts(parts []part, row *int) (failed, err error) {
	err = w.Follow(func(n int, payload []byte) error {
		if n < len(parts) && parts[n] == partWarnings {
			return w.warned(payload, *row)
		}
		return nil
	}, func(n int, r dialogue.Reply) error {
		switch {
		case r.Failed != nil && r.Failed.Number == errNoSavepoint && w.batch.set && n < len(parts) && parts[n] == partEnd:
			failed = cmp.Or(failed, error(w.gone()))
			w.batch.saved = false
		case r.Failed != nil:
			failed = w.translated(r.Failed, *row)
		case n >= len(parts):
			return &dialogue.BrokenError{Err: wire.ErrMalformed}
		case parts[n] == partSave:
			w.batch.saved, w.batch.set = true, true
		case parts[n] == partRow:
			*row++
			lost := w.written(&r.OK, *row-1)
			if outside(r.OK.Status) {
				lost = w.gone()
			}
			failed = cmp.Or(failed, lost)
		case parts[n] == partBeside:
			*row++
			if outside(r.OK.Status) {
				failed = cmp.Or(failed, error(w.gone()))
			}
		case parts[n] == partTime && *row > 0:
			w.batch.timed = false
		case parts[n] == partEnd:
			w.batch.saved = false
		}
		return nil
	})
	return failed, err
}

// warned keeps a warning that the server has of the row that was written last.
func (w *writer) warned(payload []byte, row int) error {
	return w.warnedWith(payload, func(code uint16, message []byte) []byte {
		return binding.OfRow(translation.Message(&w.wordsOf(row-1).Statement, code, message), w.rowOf(row-1))
	})
}

// warnedWith is warned with other words for the message.
func (w *writer) warnedWith(payload []byte, words func(code uint16, message []byte) []byte) error {
	n, err := decodeNotice(payload)
	if err != nil {
		return err
	}
	message := w.session.words.Violated(n.Code, n.Message)
	if message == nil {
		message = words(n.Code, n.Message)
	}
	w.session.binder.Note(n.Level, n.Code, bytes.Clone(message))
	w.session.binder.Notices.HaveHeard()
	return nil
}

// sessionFlags are those of a status that speak of the session.
const sessionFlags = wire.StatusInTransaction | wire.StatusAutocommit | wire.StatusInReadOnlyTrans | wire.StatusNoBackslashEscapes | wire.StatusANSIQuotes

// answer is what the client is told.
func (w *writer) answer() wire.OK {
	notices := &w.session.binder.Notices
	if w.session.env.Value.Flavor == value.MariaDB {
		w.matched -= w.failing // which MariaDB does not count
	}
	ok := wire.OK{
		AffectedRows: uint64(w.changed), LastInsertID: w.last.LastInsertID,
		Status: w.response.Status & sessionFlags, Warnings: notices.With(uint16(min(w.warnings, 1<<16-1))),
	}
	if w.st.Run.Kind == sql.Delete {
		return ok
	}
	if w.session.link.Caps.Has(wire.ClientFoundRows) {
		ok.AffectedRows = uint64(w.matched)
	}
	ok.Info = strconv.AppendInt(append(ok.Info, "Rows matched: "...), int64(w.matched), 10)
	ok.Info = strconv.AppendInt(append(ok.Info, "  Changed: "...), int64(w.changed), 10)
	warnings := notices.Count() + w.warnings
	if w.targets != nil && w.session.env.Value.Flavor == value.MariaDB { // it counts values that were cut there
		warnings -= w.warningsTaken
	}
	ok.Info = strconv.AppendInt(append(ok.Info, "  Warnings: "...), int64(warnings), 10)
	return ok
}
