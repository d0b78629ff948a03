package exec

import (
	"tunic/internal/arena"
	"tunic/internal/description"
	"tunic/internal/eval"
	"tunic/internal/exec/change"
	"tunic/internal/exec/made"
	"tunic/internal/wire"
)

// writeReturning carries out a DELETE that reads rows first and returns them: what was
// read goes to the client when it has been deleted, and a transaction of tunic's has
// ended. A refusal comes before anything is sent.
func (s *Session) writeReturning(st *Statement, d *description.Description, a *asked) error {
	command, types, err := s.reading(st, a)
	if err != nil {
		return err
	}
	return s.returning(st, d, a, func(w *writer) error { return w.run(command, types) }, func(w *writer) *made.Rows { return &w.rows })
}

// returning has the writer do something, and answers the client with rows of its.
func (s *Session) returning(st *Statement, d *description.Description, a *asked, do func(*writer) error, rows func(*writer) *made.Rows) error {
	out := s.spareResult(d, a)
	defer out.close()
	c, err := s.begins(st.returns, out.start)
	if err != nil {
		return err
	}
	defer c.close()
	return s.writesAndTells(st, do, func(w *writer) error {
		s.dialogue.Response.Status &= sessionFlags
		return out.finish(rows(w).Each(func(_ int, row eval.Row) error { return out.Row(row) }))
	})
}

// returnRow reads a row again that has been inserted or updated, to return it.
func (w *writer) returnRow(row *change.UpsertRow, element int) error {
	if w.st.returns == nil {
		return nil
	}
	found, err := w.readRow(&row.Finds[row.Sure], element)
	switch {
	case err != nil:
		return err
	case !found:
		return errLostRow()
	}
	return w.rows.Each(func(_ int, r eval.Row) error {
		if err := w.returns.Keep(arena.RowBytes(r)); err != nil {
			return err
		}
		w.returned.Add(r)
		return nil
	})
}

// reading is the command that reads the rows, and the types of their columns in the
// binary protocol.
func (s *Session) reading(st *Statement, a *asked) (command []byte, types []wire.Type, err error) {
	if a.prepared == nil {
		command, err = s.readingText(st)
		return command, nil, err
	}
	command, err = s.readingExecution(a.prepared, a.execute)
	return command, a.prepared.types, err
}
