package exec

import (
	"bytes"
	"errors"
	"slices"

	"tunic/internal/binding"
	"tunic/internal/dialogue"
	"tunic/internal/eval"
	"tunic/internal/exec/said"
	"tunic/internal/recipe"
	"tunic/internal/wire"
)

// A client without a transaction that changes one row needs none of tunic's either:
// the row is read, and written if it is still as it was read, which its sealed forms
// tell.
//
//	SELECT … FOR UPDATE ──► row ──► UPDATE … WHERE key AND sealed <=> as it was
//
// If it is not, if the server warns of something, or if a packet has no room for both what the row was and what it becomes, all is
// done again in a transaction. If there is no row, or it stays as it is, that is the answer: the read has locked the row, and the
// server has refused it to who may write nothing.

// writesAtOnce writes a row without a transaction of tunic's, or without reading it, where that can be; done is false if it is to be
// read in a transaction. It has the server prepare what writes a row back.
func (w *writer) writesAtOnce(command []byte) (done bool, err error) {
	write, from := w.st.write, w.knownFrom()
	compares := w.own && w.session.mayCompare(w.st, w.own) && w.st.trial.Tries()
	by := write.Back
	if from == fromCache || compares {
		by = write.Guarded
	}
	if err := w.repeats(write, by); err != nil {
		return false, err
	}
	switch from {
	case fromTransaction:
		done, err = w.recalled()
	case fromCache:
		done, err = w.cached()
	}
	if done || err != nil {
		return done, err
	}
	if rows := &w.session.recall; w.st.Run.Key != nil && (!w.own || rows.Cache.Keeps()) {
		rows.Take(w.st.Run.Table) // when it is read
	}
	if !compares {
		return false, nil
	}
	return w.guarded(command)
}

// mayCompare reports whether a statement may write its row by one that compares it with what it was; own says that the client has no
// transaction. One that a node of Galera has ended would be another one then.
func (s *Session) mayCompare(st *Statement, own bool) bool {
	return st.write.Guarded != nil && !s.link.Owner.Locked() && !st.unnamed() && (own || !s.engine.options.Apart)
}

// guarded carries out such a statement; done is false if nothing has been done.
func (w *writer) guarded(command []byte) (done bool, err error) {
	notices := w.session.binder.Notices
	w.Push(command)
	if err := w.Flush(); err != nil {
		return false, err
	}
	refused, err := w.awaitPrepared()
	if err != nil {
		return false, err
	}
	warnings, err := w.fetchRows()
	if err = firstOf(refused, w.chosen(err)); err != nil {
		return false, err
	}
	if warnings > 0 || w.fetched > 1 {
		return false, w.inVain(notices)
	}
	w.batch.begin(w)
	if w.fetched > 0 {
		w.takeSealed()
	}
	switch err := w.guardedRow(); {
	case errors.Is(err, dialogue.ErrPacket):
		return false, w.inVain(notices)
	case err != nil || len(w.batch.ends) == 0:
		return err == nil, err
	}
	w.pushBatch()
	if err := w.Flush(); err != nil {
		return false, err
	}
	r, err := w.Await()
	switch {
	case err != nil:
		return false, err
	case r.Failed != nil:
		return false, w.refusedFirst(r.Failed)
	case said.MatchedRows(&r.OK) == 0:
		return false, w.inVain(notices)
	}
	w.st.trial.Succeeded()
	return true, w.written(&r.OK, 0)
}

// takeSealed keeps the sealed forms of the row that was read, one for each of its values.
func (w *writer) takeSealed() {
	fetch := w.st.Run.Fetch
	w.batch.sealed = w.batch.sealed[:0]
	for i := range fetch {
		if same := slices.IndexFunc(fetch[:i], func(f recipe.Fetch) bool { return f.Cell == fetch[i].Cell }); same >= 0 { // of a family
			w.batch.sealed = append(w.batch.sealed, w.batch.sealed[same])
			continue
		}
		cell := &w.session.rows.Cells[fetch[i].Cell]
		stored := bytes.Clone(cell.Bytes)
		if cell.Null {
			stored = nil
		} else if stored == nil {
			stored = []byte{}
		}
		w.batch.sealed = append(w.batch.sealed, stored)
	}
}

// guardedRow computes the row, and the statement that writes it if it changes.
func (w *writer) guardedRow() error {
	b := w.session.binder
	b.Row = 1
	defer func() { b.Row = 0 }()
	return w.rows.Each(func(_ int, row eval.Row) error {
		w.matched = 1
		changed, err := w.computer.Compute(row)
		if err != nil || !changed {
			return err
		}
		return w.batch.add(w.st.write.Guarded, row, w.computer.Row)
	})
}

// inVain is again for a row that is to be locked now.
func (w *writer) inVain(notices binding.Notices) error {
	w.st.trial.Failed()
	return w.again(notices)
}

// again forgets what was found out of the row.
func (w *writer) again(notices binding.Notices) error {
	w.session.binder.Notices = notices
	w.matched, w.changed, w.warnings = 0, 0, 0
	w.account.Close()
	if w.choice != nil {
		w.choice.close()
		w.choice = nil
	}
	if !w.session.rows.Binary {
		return w.prepareRows(nil)
	}
	return w.prepareRows(append([]wire.Type{}, w.session.rows.Types...))
}
