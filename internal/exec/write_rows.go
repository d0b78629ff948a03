package exec

import (
	"cmp"
	"errors"

	"tunic/internal/arena"
	"tunic/internal/dialogue"
	"tunic/internal/eval"
	"tunic/internal/local"
	"tunic/internal/translation"
	"tunic/internal/wire"
)

// errNoTransaction is of a statement that reads rows before it writes them.
var errNoTransaction = errors.New("no transaction after one was begun")

// errNoSavepoint is the server's ER_SP_DOES_NOT_EXIST: SAVEPOINT … does not exist.
const errNoSavepoint = 1305

// prepareRows prepares for the rows that are to be written. A refusal comes before
// anything is sent.
func (w *writer) prepareRows(types []wire.Type) (err error) {
	s := w.session
	w.rows.Begin(w.st.written())
	w.fetched = 0
	s.rows.Binary, s.rows.Types = types != nil, append(s.rows.Types[:0], types...)
	if !w.st.local() {
		return s.fetcher.Begin(&w.st.Statement, &s.env)
	}
	w.choice, err = s.choose(w.st, w.keep)
	return err
}

// keep keeps a row that is to be written.
func (w *writer) keep(row eval.Row) error {
	row = row[:w.rows.Width()]
	if err := w.account.Keep(arena.RowBytes(row)); err != nil {
		return err
	}
	w.rows.Add(row)
	return nil
}

// readRows reads the rows that are to be written, and takes over what the server warns of.
func (w *writer) readRows() error {
	warnings, done := w.fetchRows()
	if done == nil || errors.Is(done, local.ErrEnough) {
		if err := w.takeWarnings(warnings); err != nil {
			return err
		}
	}
	return w.chosen(done)
}

// chosen ends the choice among the rows that were read, with how that has ended.
func (w *writer) chosen(done error) error {
	switch {
	case errors.Is(done, local.ErrEnough):
		return nil
	case done == nil && w.choice != nil:
		return w.choice.End()
	}
	return done
}

// fetchRows reads the rows, and how many warnings the server has of them. A failure of its own does
// not keep it from reading the answer to its end.
func (w *writer) fetchRows() (warnings uint16, err error) {
	var done error
	err = w.Follow(func(_ int, payload []byte) error {
		if done == nil {
			done = w.takeRow(payload)
		}
		if broken, ok := errors.AsType[*dialogue.BrokenError](done); ok {
			return broken
		}
		return nil
	}, func(_ int, r dialogue.Reply) error {
		if r.Failed != nil {
			done = translation.Error(&w.st.Statement, r.Failed)
		}
		warnings = r.OK.Warnings
		return nil
	})
	return warnings, cmp.Or(err, done)
}

// takeRow takes a row of the answer.
func (w *writer) takeRow(payload []byte) error {
	w.fetched++
	row, err := w.session.fetchRow(w.st, payload)
	switch {
	case err != nil:
		return err
	case w.choice != nil:
		return w.choice.Row(row)
	}
	if err := w.account.Read(); err != nil {
		return err
	}
	return w.keep(row)
}
