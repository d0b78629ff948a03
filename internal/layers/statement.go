package layers

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"tunic/internal/identifier"
)

// row is a row of the stored table as it was read: its key, what it has in each source, and if that was asked for what it has
// of what is backfilled, or of each target whether it lacks something.
type row struct{ key, read, have [][]byte }

// largeBytes is from when on a value is one of a row that is backfilled by a statement of its own.
const largeBytes = 1<<16 - 256

// isLarge reports whether a row has a value whose sealed form may be longer than 65,535 bytes. In a list
// of several rows (update) MariaDB cuts it off there.
func (r *row) isLarge() bool {
	return slices.ContainsFunc(r.read, func(cell []byte) bool { return len(cell) > largeBytes })
}

// nextJoins reports whether the row behind the i-th is written by the same statement, which has so many
// bytes of values.
func nextJoins(batch []row, i, bytes int) bool {
	return i+1 < len(batch) && bytes < textMax && !batch[i].isLarge() && !batch[i+1].isLarge()
}

// selectNext reads the next rows, and whether they lack something, and locks them. Those that
// somebody else has locked are left out.
func (w *worker) selectNext(after [][]byte, rows int) string {
	return string(w.selectRows(w.selectedLacking(), "", after, false)) + " ORDER BY " + w.key.order() + " LIMIT " + strconv.Itoa(rows) + w.locking()
}

// selectedLacking are the columns that are read where it is asked what a row lacks.
func (w *worker) selectedLacking() []string { return append(w.selected(false), w.lackingOf()...) }

// locking is how rows that are backfilled are locked.
func (w *worker) locking() string {
	if w.alone {
		return ""
	}
	return " FOR UPDATE SKIP LOCKED"
}

// selectAll reads the next rows with what was backfilled.
func (w *worker) selectAll(after [][]byte, rows int) string {
	return string(w.selectRows(nil, "", after, true)) + " ORDER BY " + w.key.order() + " LIMIT " + strconv.Itoa(rows)
}

// selectSome reads the next rows of a condition.
func (w *worker) selectSome(condition string, after [][]byte, rows int) string {
	return string(w.selectRows(nil, condition, after, false)) + " ORDER BY " + w.key.order() + " LIMIT " + strconv.Itoa(rows)
}

// selectLeft reads the keys of rows that lack something.
func (w *worker) selectLeft() string {
	return string(w.selectRows(w.selectedKey(), w.lacks(), nil, false)) + " ORDER BY " + w.key.order() + " LIMIT " + strconv.Itoa(restMany)
}

// selectMaybe reads the next of the rows that lack something for all that the server sees.
func (w *worker) selectMaybe(after [][]byte, rows int) string {
	return string(w.selectRows(w.selectedLacking(), w.lacks(), after, false)) + " ORDER BY " + w.key.order() + " LIMIT " + strconv.Itoa(rows)
}

// selectThese reads those of some rows, by their keys, that lack something and that nobody
// else has locked.
func (w *worker) selectThese(keys [][][]byte) string {
	b := append(w.selectRows(w.selectedLacking(), w.lacks(), nil, false), " AND ("...)
	for i, key := range keys {
		if i > 0 {
			b = append(b, " OR "...)
		}
		b = w.key.appendEqual(b, key)
	}
	return string(b) + ")" + w.locking()
}

// selectRows is a query of columns, nil for those of a row, up to its conditions.
func (w *worker) selectRows(columns []string, condition string, after [][]byte, backfilled bool) []byte {
	if columns == nil {
		columns = w.selected(backfilled)
	}
	b := append([]byte("SELECT "), strings.Join(columns, ", ")...)
	b = append(append(append(b, " FROM "...), w.name()...), " FORCE INDEX ("+identifier.Quoted(w.key.name)+")"...)
	word := " WHERE "
	if fence := w.fenced(word); fence != "" {
		b = append(b, fence...)
		word = " AND "
	}
	if condition != "" {
		b = append(append(b, word...), condition...)
		word = " AND "
	}
	if after != nil {
		b = w.key.appendAfter(append(b, word...), after)
	}
	return b
}

// selectedKey are the columns of the key.
func (w *worker) selectedKey() (list []string) {
	for i := range w.key.parts {
		list = append(list, w.key.parts[i].selected())
	}
	return list
}

// selected are the columns that are read.
func (w *worker) selected(backfilled bool) []string {
	list := w.selectedKey()
	for _, s := range w.sources {
		list = append(list, s.selected)
	}
	for i := range w.targets {
		if backfilled {
			list = append(list, w.targets[i].selectedStored()...)
		}
	}
	return list
}

// read reads rows.
func (w *worker) read(ctx context.Context, statement string) ([]row, error) {
	rows, err := w.link.query(ctx, statement)
	if err != nil {
		return nil, err
	}
	all := make([]row, len(rows))
	for i, cells := range rows {
		all[i] = w.split(cells)
	}
	return all, nil
}

// Each statement names the table's fence: one of a worker that was stopped for a while is
// refused if the table has got another revision.

// update is the statement that backfills rows: a join with a list of them, which finds
// each by its key.
//
//	UPDATE (SELECT 7 AS a0, x'…' AS b0 UNION ALL SELECT 8, x'…') v
//	  STRAIGHT_JOIN shop.t ON shop.t.id = v.a0 SET shop.t.`k$eq` = v.b0
//
// Every server has this form, and it costs 10 to 12 µs a row on both. A list of VALUES
// is no faster; a CASE over the keys is, but names each key for every row.
type update struct {
	*worker
	values []byte
	rows   int
}

func (u *update) reset() { u.values, u.rows = u.values[:0], 0 }

// add adds a row that was opened.
func (u *update) add(r *row) error {
	if u.rows > 0 {
		u.values = append(u.values, " UNION ALL "...)
	}
	u.values = append(u.values, "SELECT "...)
	for i := range u.key.parts {
		u.values = u.key.parts[i].appendLiteral(u.values, r.key[i])
		u.label("a", i)
		u.values = append(u.values, ", "...)
	}
	n := 0
	for i := range u.targets {
		cells, err := u.targets[i].cells()
		if err != nil {
			return err
		}
		for _, cell := range cells {
			u.values = appendHex(u.values, cell)
			u.label("b", n)
			if n++; n < u.cells {
				u.values = append(u.values, ", "...)
			}
		}
	}
	u.rows++
	return nil
}

// label names a column of the list, which its first row does.
func (u *update) label(prefix string, i int) {
	if u.rows == 0 {
		u.values = strconv.AppendInt(append(append(u.values, " AS "...), prefix...), int64(i), 10)
	}
}

func (u *update) statement() string {
	own := func(column string) string { return u.name() + "." + identifier.Quoted(column) } // LOCK TABLES knows no other name
	b := append([]byte("UPDATE ("), u.values...)
	b = append(append(append(b, ") AS v STRAIGHT_JOIN "...), u.name()...), " ON "...)
	for i := range u.key.parts {
		if i > 0 {
			b = append(b, " AND "...)
		}
		b = append(append(b, own(u.key.parts[i].stored)...), " = v.a"+strconv.Itoa(i)...)
	}
	b = append(b, " SET "...)
	n := 0
	for i := range u.targets {
		x := &u.targets[i]
		for j, stored := range x.stored() {
			if n > 0 {
				b = append(b, ", "...)
			}
			b = append(append(b, own(stored)...), " = "+x.assigned(j, "v.b"+strconv.Itoa(n))...)
			n++
		}
	}
	b = u.keepTimes(b, own)
	return string(b)
}

// fenced is the condition that names the table's fence, behind a word; "" without one.
func (w *worker) fenced(word string) string {
	if fence := w.table.Fence(); fence != "" {
		return word + "(TRUE OR " + identifier.Quoted(fence) + ")"
	}
	return ""
}

// keepTimes keeps the times of plain columns that the server would set to now, and names
// the fence.
func (w *worker) keepTimes(b []byte, own func(column string) string) []byte {
	for i := range w.table.Columns {
		if c := &w.table.Columns[i]; c.OnUpdateNow && !c.Protected() {
			b = append(b, ", "+own(c.Stored())+" = "+own(c.Stored())...)
		}
	}
	if fence := w.table.Fence(); fence != "" {
		b = append(b, ", "+own(fence)+" = DEFAULT"...)
	}
	return b
}

// split is a row as it was read.
func (w *worker) split(cells [][]byte) row {
	keys, sources := len(w.key.parts), len(w.sources)
	return row{key: cells[:keys], read: cells[keys : keys+sources], have: cells[keys+sources:]}
}
