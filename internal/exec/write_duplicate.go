package exec

import (
	"tunic/internal/binding"
	"tunic/internal/catalog"
	"tunic/internal/eval"
	"tunic/internal/exec/made"
	"tunic/internal/sqlerr"
	"tunic/internal/translation"
	"tunic/internal/value"
	"tunic/internal/wire"
)

// translated is an error of the server about the n-th statement that writes a row
// back. Of a duplicate the client is shown the values that the row would have had.
func (w *writer) translated(failed *wire.Err, n int) *sqlerr.Error {
	if n < len(w.batch.said) { // it has ended there: of the rows behind it nothing is said
		w.session.binder.Notices.Forget(w.batch.said[n], w.batch.raised)
		w.batch.raised = w.batch.said[n]
	}
	st := w.wordsOf(n)
	e := translation.Error(&st.Statement, failed)
	e.Message = string(binding.OfRow([]byte(e.Message), w.rowOf(n)))
	if !translation.IsDuplicate(failed.Number) || n >= len(w.batch.of) {
		return e
	}
	d, ok := translation.AsDuplicate(failed.Message)
	if !ok {
		return e
	}
	key := translation.Key(&st.Statement, d.Key)
	if key == nil || translation.PlainKey(&st.Statement, key.Name) {
		return e
	}
	if entry, ok := w.entry(key, n); ok {
		e.Message = string(d.With(&st.Statement, entry))
	}
	return e
}

// rowOf is the number, in the messages of the client's statement, of the row that the n-th
// statement writes: among the rows that it finds, or those of an INSERT. Those of a
// statement over several tables are not counted by MySQL.
func (w *writer) rowOf(n int) int {
	switch {
	case w.st.upsert != nil:
		return w.upserted.number + 1
	case w.targets == nil && n < len(w.batch.of):
		return w.batch.of[n] + 1
	case w.targets != nil && w.session.env.Value.Flavor == value.MySQL:
		return 1
	}
	return w.batch.rowsBefore(n) + 1
}

// wordsOf is the statement whose words the n-th of those that write rows back is told in:
// its own, or one over the table that the row is of.
func (w *writer) wordsOf(n int) *Statement {
	if t := w.batch.target(n); t != nil {
		return t.words
	}
	return w.st
}

// entry are the values of a key in the row that the n-th statement writes, as it becomes;
// false if not all of them were read.
func (w *writer) entry(key *catalog.Key, n int) (entry []byte, ok bool) {
	row := w.batch.of[n]
	if t := w.batch.target(n); t != nil {
		return w.targetEntry(t, key, row)
	}
	b := w.session.binder
	notices, computing := b.Notices, b.Row
	b.Row = w.rowOf(n)
	defer func() { b.Notices, b.Row = notices, computing }() // what is computed again says nothing new
	_ = w.rows.Each(func(n int, r eval.Row) error {
		if n < row {
			return nil
		}
		if _, err := w.computer.Compute(w.withNew(r)); err != nil {
			return made.ErrStop
		}
		entry, ok = w.shown(w.st, key, w.computer.Row)
		return made.ErrStop
	})
	return entry, ok
}

// shown are the values of a key in a row of a statement, as servers show them.
func (w *writer) shown(st *Statement, key *catalog.Key, row eval.Row) ([]byte, bool) {
	var entry []byte
	for i, p := range key.Parts {
		column := st.Run.Table.Column(p.Column)
		at := st.FetchedAt(column)
		switch {
		case at < 0 || row[at] == nil:
			return nil, false
		case i > 0:
			entry = append(entry, '-')
		}
		entry = w.session.env.AppendShown(entry, &st.Columns[column].Type, row[at])
	}
	return w.session.binder.CutEntry(entry), true
}
