package exec

import (
	"bytes"
	"slices"

	"tunic/internal/binding"
	"tunic/internal/catalog"
	"tunic/internal/eval"
	"tunic/internal/policy"
	"tunic/internal/recipe"
	"tunic/internal/sqlerr"
)

// beside is a recipe.Beside made ready.
type beside struct {
	*recipe.Beside
	slots   []backSlot
	changed []int // where the columns are in the rows that are read
	full    []int
}

// takeBeside looks up the columns of tables whose rows are written beside others.
func (st *Statement) takeBeside(e *Engine) error {
	take := func(w *recipe.Write) (err error) {
		for i := range w.Beside {
			t := w.Beside[i].Table
			if st.beside == nil {
				st.beside = map[*catalog.Table][]*binding.Column{}
			}
			if st.beside[t], err = st.ColumnsOf(e.options.Forms, t); err != nil {
				return err
			}
		}
		return nil
	}
	if st.Run.Write != nil {
		return take(st.Run.Write)
	}
	for _, t := range st.Run.Targets {
		if err := take(t.Write); err != nil {
			return err
		}
	}
	return nil
}

// besideOf makes one ready. rows is the statement whose rows are written.
func (st *Statement) besideOf(of *recipe.Beside, rows *Statement) beside {
	b := beside{Beside: of}
	for _, s := range of.Slots {
		columns := rows.Columns
		if s.Of.Kind == recipe.FromSet {
			columns = st.beside[of.Table]
		}
		b.slots = append(b.slots, backSlot{
			Column: columns[s.Column], at: rows.FetchedAt(s.From), form: s.Form, layer: s.Layer, of: s.Of,
		})
	}
	for _, i := range of.Changed {
		b.changed = append(b.changed, rows.FetchedAt(i))
	}
	for _, i := range of.Full {
		b.full = append(b.full, rows.FetchedAt(i))
	}
	return b
}

// concerns reports whether rows that refer to a row have to follow it. to is nil if it is
// deleted.
func (b *beside) concerns(row, to eval.Row) bool {
	if to == nil {
		return true
	}
	if slices.ContainsFunc(b.full, func(at int) bool { return to[at] == nil }) {
		return false
	}
	return slices.ContainsFunc(b.changed, func(at int) bool {
		return (to[at] == nil) != (row[at] == nil) || !bytes.Equal(to[at], row[at])
	})
}

// besides adds the statements for rows that refer to a row. target is the table of several
// that it is of, nil if there is one.
func (t *batch) besides(w *writing, row, to eval.Row, target *targetRun) error {
	defer func() { t.beside = nil }()
	for i := range w.beside {
		b := &w.beside[i]
		if !b.concerns(row, to) {
			continue
		}
		t.beside = b
		if err := t.add(b.Printed, row, to); err != nil {
			return err
		}
		if target != nil {
			t.changes = append(t.changes, true)
		}
	}
	return nil
}

// spells refuses a row that gets another spelling of a value that other rows refer to.
func (c *computer) spells(row eval.Row) error {
	for i := range c.write.spelled {
		s := &c.write.spelled[i]
		from, to := row[s.at], c.row[s.at]
		if from == nil || to == nil || bytes.Equal(from, to) {
			continue
		}
		was, err := s.Forms.AppendToken(nil, policy.Equality, from)
		if err != nil {
			return sqlerr.ValueRefused("a value")
		}
		is, err := s.Forms.AppendToken(nil, policy.Equality, to)
		if err != nil {
			return sqlerr.ValueRefused("a value")
		}
		if bytes.Equal(was, is) {
			return sqlerr.ValueRefused("another spelling of a value that a foreign key refers to")
		}
	}
	return nil
}

// rowsBefore is how many of the first n statements write rows of the statement's own.
func (t *batch) rowsBefore(n int) (rows int) {
	rows = n
	for _, aside := range t.asides[:min(n, len(t.asides))] {
		if aside {
			rows--
		}
	}
	return rows
}
