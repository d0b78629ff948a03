package exec

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"slices"
	"strings"

	"tunic/internal/binding"
	"tunic/internal/dialogue"
	"tunic/internal/eval"
	"tunic/internal/exec/change"
	"tunic/internal/recipe"
	"tunic/internal/sql"
	"tunic/internal/sqlerr"
	"tunic/internal/translation"
	"tunic/internal/value"
	"tunic/internal/wire"
)

// findRow reads the row that is there already, in a transaction, and reports whether
// it still is.
func (w *writer) findRow(row *change.UpsertRow, element int, known *wire.Err) (bool, error) {
	d, _ := translation.AsDuplicate(known.Message)
	name := d.Key[strings.LastIndexByte(d.Key, '.')+1:]
	for i := range row.Finds {
		if f := &row.Finds[i]; strings.EqualFold(f.Key, name) {
			return w.readRow(f, element)
		}
	}
	return false, sqlerr.StatementRefused("ON DUPLICATE KEY UPDATE, where a key is met whose values tunic does not know,")
}

// readRow reads a row by a key.
func (w *writer) readRow(f *change.Find, element int) (bool, error) {
	command := w.AppendQuery(nil)
	command, err := f.Remote.Fill(command, nil, func(dst []byte, h sql.Hole, _ int) ([]byte, error) {
		return w.session.binder.AppendFind(dst, &f.Slots[h.Number].Slot, f.Slots[h.Number].Operand, element)
	})
	if err != nil {
		return false, err
	}
	command = w.session.unboundedQuery(command, false)
	w.account.Close()
	if err := w.prepareRows(nil); err != nil {
		return false, err
	}
	if !w.begun {
		w.PushText(dialogue.TextBegin)
	}
	w.Push(command)
	if err := w.Flush(); err != nil {
		return false, err
	}
	if !w.begun {
		if err := w.begins(); err != nil {
			return false, err
		}
		w.begun = true
	}
	if err := w.readRows(); err != nil {
		return false, err
	}
	if err := w.check(); err != nil {
		return false, err
	}
	return w.rows.Values() == len(w.st.Run.Fetch), nil
}

// updateRow writes back the row that was read.
func (w *writer) updateRow(row *change.UpsertRow, element int) error {
	b := w.session.binder
	w.computer.Inserted, w.computer.Element = row, element
	if err := w.computer.Begin(&w.st.Statement, w.st.query, row.Write, b); err != nil {
		return err
	}
	if err := w.repeats(row.Write, row.Write.Back); err != nil {
		return err
	}
	saved, set := w.batch.saved, w.batch.set
	w.batch.begin(w)
	w.batch.saved, w.batch.set, w.batch.element = saved, set, element
	before, unsure := w.changed, false
	w.matched = 1
	b.Row = w.upserted.number + 1
	if w.st.from != nil {
		defer func(before bool) { b.Env.Value.NullFails = before }(b.Env.Value.NullFails)
		b.Env.Value.NullFails = true // servers take no row of a query for one of several there
	}
	err := w.rows.Each(func(_ int, r eval.Row) error {
		w.renumber(row, element, r)
		unsure = slices.ContainsFunc(row.Nulls, func(at int) bool { return r[at] == nil })
		return w.one(w.withNew(r))
	})
	b.Row = 0
	switch {
	case err != nil:
		return err
	case len(w.batch.ends) > 0:
		commit := w.own && w.alone() && row.Write.Plain == nil
		if err := w.writeFirst(commit); err != nil {
			return err
		}
		if err := w.collectUpdate(); err != nil {
			return err
		}
		if w.last.LastInsertID != 0 {
			w.upserted.called = w.last.LastInsertID
		}
		if commit {
			w.count(before)
			return nil
		}
	}
	if unsure && w.changed == before && !w.leaves() {
		return sqlerr.StatementRefused("ON DUPLICATE KEY UPDATE that changes nothing of a row with NULL in a plain column that has a default")
	}
	w.count(before)
	return w.endAlone()
}

// collectUpdate is collect for the update of a row. Of rows of a query a NULL for a column that is NOT NULL fails
// the statement in every sql_mode, where the server has a warning for tunic's UPDATE.
func (w *writer) collectUpdate() error {
	if w.st.from == nil {
		return w.collect(&w.last)
	}
	var failed error
	err := w.eachWarning(w.last.Warnings, func(payload []byte) error {
		n, err := decodeNotice(payload)
		if err != nil {
			return err
		}
		if n.Code == uint16(value.BadNull) && failed == nil {
			failed = binding.ServerError(w.session.env.Value.Flavor, n.Code, string(translation.Message(&w.st.Statement, n.Code, n.Message)))
		}
		return w.warned(payload, w.upserted.number+1)
	})
	return cmp.Or(err, failed)
}

// renumber notes the number of a row that was there, as it is when it has been written back.
func (w *writer) renumber(row *change.UpsertRow, element int, r eval.Row) {
	if at := w.st.upsert.NumberAt; at >= 0 && len(r[at]) == 8 {
		w.upserted.last = binary.BigEndian.Uint64(r[at])
	}
	if row.Renumber == nil {
		return
	}
	if n, known := w.session.binder.Number(row.Renumber, element); known {
		w.upserted.last = n
	}
}

// makesNumber reports whether the row under way, of an upsert, has nothing for the column that is
// AUTO_INCREMENT, where the server has a number for it that tunic is not told.
func (w *writer) makesNumber() bool {
	row := w.computer.Inserted
	if row == nil || row.Numbering != recipe.NumberGiven {
		return false
	}
	n, known := w.session.binder.Number(&row.Number, w.computer.Element)
	return known && n == 0
}

// endAlone commits what was done with a row that is the only one, if that was in a transaction of tunic's.
func (w *writer) endAlone() error {
	if !w.own || !w.alone() || !w.begun {
		return nil
	}
	if err := w.Unkilled(); err != nil {
		return err
	}
	return w.commit()
}

// count counts a row that was there already.
func (w *writer) count(before int) {
	switch {
	case w.changed > before:
		w.upserted.updated++
	case w.leaves():
		w.upserted.almost++
	default:
		w.upserted.same++
	}
}

// withNew is a row with what the expressions need of the new one behind it.
func (w *writer) withNew(row eval.Row) eval.Row {
	u := w.st.upsert
	if u == nil {
		return row
	}
	c := &w.computer
	extended := append(eval.Row{}, row...)
	for _, i := range u.NewColumns {
		v, err := c.Inserted.Value(c.Binder, w.st.Columns[i].Column, c.Element)
		if err != nil {
			v = nil // it has been bound before
		}
		extended = append(extended, bytes.Clone(v))
		if v != nil && len(v) == 0 {
			extended[len(extended)-1] = []byte{}
		}
	}
	return extended
}

// leaves reports whether a column is set to NULL over the NULL that it has, where
// servers compare what is behind it.
func (w *writer) leaves() bool {
	for i := range w.computer.Write.Settings {
		s := &w.computer.Write.Settings[i]
		if s.Leaves && w.computer.Row[s.At] == nil {
			return true
		}
	}
	return false
}
