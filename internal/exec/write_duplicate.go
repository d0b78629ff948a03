package exec

import (
	"bytes"

	"tunic/internal/catalog"
	"tunic/internal/eval"
	"tunic/internal/sqlerr"
	"tunic/internal/wire"
)

// translated is an error of the server about the statement that writes the n-th of
// the rows back. Of a duplicate the client is shown the values that the row would
// have had.
func (w *writer) translated(failed *wire.Err, n int) *sqlerr.Error {
	e := w.st.translated(failed)
	if failed.Number != errDuplicate && failed.Number != errDuplicateName || n >= len(w.batch.of) {
		return e
	}
	at := bytes.LastIndex(failed.Message, forKey)
	if at < 0 {
		return e
	}
	name := failed.Message[at+len(forKey):]
	key := w.st.keyNamed(string(bytes.Trim(name, "'`")))
	if key == nil || w.st.plainKey(key.Name) {
		return e
	}
	if entry, ok := w.entry(key, w.batch.of[n]); ok {
		e.Message = string(duplicateEntry) + " '" + string(entry) + "'" + string(forKey) + string(w.st.renameQuoted(name))
	}
	return e
}

// entry are the values of a key in a row as it becomes; false if not all of them were
// read.
func (w *writer) entry(key *catalog.Key, row int) (entry []byte, ok bool) {
	b := w.session.binder
	notices := b.notices
	defer func() { b.notices = notices }() // what is computed again says nothing new
	_ = w.rows.each(func(n int, r eval.Row) error {
		if n < row {
			return nil
		}
		if _, err := w.computer.compute(w.withNew(r)); err != nil {
			return errStop
		}
		entry, ok = w.shown(key)
		return errStop
	})
	return entry, ok
}

// shown are the values of a key in the row that was computed last, as servers show
// them.
func (w *writer) shown(key *catalog.Key) ([]byte, bool) {
	var entry []byte
	for i, p := range key.Parts {
		column := w.st.run.Table.Column(p.Column)
		at := w.st.fetchedAt(column)
		switch {
		case at < 0 || w.computer.row[at] == nil:
			return nil, false
		case i > 0:
			entry = append(entry, '-')
		}
		entry = w.session.env.appendShown(entry, &w.st.columns[column].Type, w.computer.row[at])
	}
	return w.session.binder.cutEntry(entry), true
}
