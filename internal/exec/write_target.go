package exec

import (
	"bytes"
	"encoding/binary"
	"slices"

	"tunic/internal/arena"
	"tunic/internal/binding"
	"tunic/internal/catalog"
	"tunic/internal/eval"
	"tunic/internal/exec/change"
	"tunic/internal/exec/made"
	"tunic/internal/exec/said"
	"tunic/internal/local"
	"tunic/internal/recipe"
	"tunic/internal/sql"
	"tunic/internal/sqlerr"
	"tunic/internal/value"
	"tunic/internal/wire"
)

// A statement that finds its rows in several tables reads them all before it writes the
// first, as servers do with tables that they cannot write while they read:
//
//	tree ──► row of all tables ──► for each target: seen before? ──► as it is, as it becomes
//	                                                                        │ at the end
//	                                           UPDATE by key, one a row ◄───┘ table by table
//
// A row is written once, whatever is found of it: the values are those of when it was
// found first (MySQL manual, "UPDATE Statement").

// targetRun is a target in one execution.
type targetRun struct {
	*target
	columns []int // where its columns are in the rows of the tree
	values  []*targetValue
	rows    made.Rows // each as it is and, behind it, as it becomes
	row     eval.Row
	seen    *arena.Keys // the keys of rows that were found
	// others are targets of the same table, by other names.
	others []*targetRun
}

// targetValue computes what a column is set to; nil for a value of the statement's own.
type targetValue struct {
	*local.Running
	rounds *local.Rounding
	item   *local.Item
}

// prepareTargets prepares for the rows that are to be written. A refusal comes before
// anything is sent.
func (w *writer) prepareTargets(types []wire.Type) (err error) {
	s := w.session
	s.rows.Binary, s.rows.Types = types != nil, append(s.rows.Types[:0], types...)
	w.computer.BeginSeveral(&w.st.Statement, s.binder)
	w.choice, err = s.begins(w.st, func(c *choice, p *local.Program) (local.Sink, error) {
		w.targets = nil
		for _, t := range w.st.targets {
			made, err := t.begin(&c.Execution, p)
			if err != nil {
				return nil, err
			}
			w.join(made)
		}
		return &targetTaker{writer: w}, nil
	})
	return err
}

// begin begins an execution.
func (t *target) begin(x *local.Execution, p *local.Program) (*targetRun, error) {
	r := &targetRun{target: t, seen: new(arena.Keys)}
	r.rows.Begin(2 * len(t.Columns))
	for i := range t.Columns {
		it := &p.Items[t.First+i]
		if it.Expression != nil {
			return nil, sqlerr.StatementUnread()
		}
		r.columns = append(r.columns, it.Column)
	}
	for _, n := range t.Values {
		var v *targetValue
		if n >= 0 {
			run, err := p.Items[n].Source.Begin(x)
			if err != nil {
				return nil, err
			}
			v = &targetValue{Running: run, rounds: p.Items[n].Rounds, item: &p.Items[n]}
		}
		r.values = append(r.values, v)
	}
	return r, nil
}

// join adds a target. Of two of one table a row is deleted once.
func (w *writer) join(t *targetRun) {
	for _, other := range w.targets {
		if other.Table == t.Table {
			t.others, other.others = append(t.others, other), append(other.others, t)
			if w.st.Run.Kind == sql.Delete {
				t.seen = other.seen
			}
		}
	}
	w.targets = append(w.targets, t)
}

// targetTaker takes the rows of the tree.
type targetTaker struct {
	*writer
	found int // rows of the tree
	key   []byte
}

func (k *targetTaker) Row(r eval.Row) error {
	k.found++
	b := k.session.binder
	if b.Row = k.found; k.session.env.Value.Flavor == value.MySQL { // nothing is written yet: see rowOf
		b.Row = 1
	}
	defer func() { b.Row = 0 }()
	for _, t := range k.targets {
		if err := k.take(t, r); err != nil {
			return err
		}
	}
	return nil
}

func (k *targetTaker) End() error { return nil }

// take takes what of a row is of one target.
func (k *targetTaker) take(t *targetRun, r eval.Row) error {
	t.row = t.row[:0]
	for _, at := range t.columns {
		t.row = append(t.row, r[at])
	}
	if !k.keyOf(t.row[:t.Keys]) || t.seen.Number(k.key) >= 0 {
		return nil
	}
	for _, other := range t.others {
		if other.seen.Number(k.key) >= 0 && t.collides(other) {
			return sqlerr.ValueRefused("a row that the statement sets by two names of its table")
		}
	}
	t.seen.Add(k.key)
	k.matched++
	if k.st.Run.Kind == sql.Delete {
		k.computer.Copy(t.row)
	} else if err := k.computeTarget(t, r); err != nil {
		return err
	}
	if err := k.account.Keep(arena.RowBytes(t.row) + arena.RowBytes(k.computer.Row) + len(k.key) + arena.KeyBytes + arena.ValueBytes); err != nil {
		return err
	}
	t.rows.Add(t.row)
	t.rows.Add(k.computer.Row)
	return nil
}

// keyOf makes bytes that are those of no other row's key; false if there is no row.
func (k *targetTaker) keyOf(values eval.Row) bool {
	k.key = k.key[:0]
	for _, v := range values {
		if v == nil {
			return false
		}
		k.key = append(binary.AppendUvarint(k.key, uint64(len(v))), v...)
	}
	return true
}

// collides reports whether what two names of a table do to a row hangs on each other. Columns of one family are written
// together.
func (t *targetRun) collides(other *targetRun) bool {
	if t.writing.Plain != nil || other.writing.Plain != nil || t.writing.Guards != nil || other.writing.Guards != nil {
		return true
	}
	for _, a := range t.writing.Set {
		if slices.ContainsFunc(other.writing.Set, func(b recipe.Assignment) bool { return a.Column == b.Column }) {
			return true
		}
	}
	families := other.families()
	return slices.ContainsFunc(t.families(), func(f string) bool { return slices.Contains(families, f) })
}

// families are those that are written where a row changes, by their stored columns.
func (t *targetRun) families() (all []string) {
	for _, i := range t.writing.Written() {
		if f := t.Table.Columns[i].Family; f != "" {
			all = append(all, f)
		}
	}
	return all
}

// computeTarget computes what a row of a target becomes: values of the row of all
// tables, as they were read.
func (w *writer) computeTarget(t *targetRun, r eval.Row) error {
	c := &w.computer
	c.Write = t.writing
	c.Copy(t.row)
	for i := range t.writing.Settings {
		v := t.values[i]
		if v == nil {
			if err := c.Set(i, nil); err != nil {
				return err
			}
			continue
		}
		asText := !t.writing.Settings[i].Type.Kind.IsNumber()
		if v.rounds != nil && v.rounds.Shows(r, &w.session.env.Value, asText) {
			return local.ErrRounding()
		}
		if err := v.item.Shown(r, &w.session.env.Value, asText); err != nil {
			return err
		}
		if t.staysTwice(c, i, v) {
			return binding.ErrTwiceSet
		}
		result, err := v.Eval(r)
		if err != nil {
			return err
		}
		if err := c.Take(&t.writing.Settings[i], v.Run, &result); err != nil {
			return err
		}
	}
	if !c.Changed(t.row) {
		return nil
	}
	if err := c.Spells(t.row); err != nil {
		return err
	}
	if err := c.CompleteRow(); err != change.ErrFails { //nolint:errorlint // never wrapped
		return err
	}
	return sqlerr.StatementRefused("UPDATE IGNORE of several tables, on a row that fails a CHECK,")
}

// staysTwice reports whether a TIMESTAMP that clocks show twice is set to itself. MySQL leaves it
// as it is where it writes a row as it finds it, and makes the first of two moments of it where it
// keeps the row for later, which hangs on its plan.
func (t *targetRun) staysTwice(c *change.Computer, i int, v *targetValue) bool {
	s, zone := &t.writing.Settings[i], c.Binder.Env.Clocks()
	if zone == nil || s.Type.Kind != value.Timestamp || c.Row[s.At] == nil {
		return false
	}
	at, ok := v.Run.Column()
	return ok && at == t.columns[s.At] && value.Repeats(c.Row[s.At], zone)
}

// addTargets makes the statements that write the rows back, one table after the other.
func (w *writer) addTargets() error {
	w.computer.Write = nil
	w.batch.begin(w)
	for _, t := range w.targets {
		w.batch.write = t.writing
		w.batch.plain = w.batch.plain || t.writing.Plain != nil
		width := len(t.Columns)
		if err := t.rows.Each(func(n int, both eval.Row) error { return w.addRow(t, n, both[:width], both[width:]) }); err != nil {
			return err
		}
	}
	return nil
}

// addRow makes the statement that writes a row of a target back, if it is to be written.
func (w *writer) addRow(t *targetRun, n int, row, to eval.Row) error {
	p := t.writing.Back
	if w.st.Run.Kind != sql.Delete && !t.differs(row, to) {
		if p = t.writing.Plain; p == nil {
			return nil
		}
	}
	if p == t.writing.Back {
		becomes := to
		if w.st.Run.Kind == sql.Delete {
			becomes = nil
		}
		if err := w.batch.besides(t.writing, row, becomes, t); err != nil {
			return err
		}
	}
	if err := w.batch.add(p, row, to); err != nil {
		return err
	}
	w.batch.changes = append(w.batch.changes, p == t.writing.Back)
	for i := len(w.batch.targets); i < len(w.batch.of); i++ { // and what is written beside it
		w.batch.of[i] = n
		w.batch.targets = append(w.batch.targets, t)
	}
	return nil
}

// hidden reports whether the n-th statement has met an error that IGNORE hides. MariaDB
// counts such a row as one that changes if it has read the table before it writes, and
// not if it writes while it reads.
func (w *writer) hidden(ok *wire.OK, n int) bool {
	return w.st.Run.Ignore && w.session.env.Value.Flavor == value.MariaDB && w.batch.changes[n] && said.ChangedRows(ok) == 0
}

// differs reports whether a row becomes another one.
func (t *targetRun) differs(row, to eval.Row) bool {
	for i := range t.writing.Settings {
		at := t.writing.Settings[i].At
		if (to[at] == nil) != (row[at] == nil) || !bytes.Equal(to[at], row[at]) {
			return true
		}
	}
	return false
}

// targetEntry are the values of a key in a row of a target as it becomes.
func (w *writer) targetEntry(t *targetRun, key *catalog.Key, row int) (entry []byte, ok bool) {
	_ = t.rows.Each(func(n int, both eval.Row) error {
		if n < row {
			return nil
		}
		entry, ok = w.shown(t.words, key, both[len(t.Columns):])
		return made.ErrStop
	})
	return entry, ok
}
