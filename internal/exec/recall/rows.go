package recall

import (
	"bytes"
	"slices"

	"tunic/internal/catalog"
	"tunic/internal/exec/rowcache"
)

// Bounds of what a session keeps. A row of order entry has one form, or two, of some hundred bytes.
const (
	rowsMost     = 64
	bytesMost    = 64 << 10
	rowBytesMost = 16 << 10
	// rowBytesLeast is the memory that a row has to begin with.
	rowBytesLeast = 1 << 10
)

// Rows are those that a session keeps. The zero value is none.
type Rows struct {
	// Cache gets what is known of each row, for all sessions; nil for none.
	Cache *rowcache.Cache

	kept  []*Row // the oldest first
	spare []*Row // whose memory is used again
	bytes int    // of all that are kept
	// vouched says that the statement before is known to have left the rows alone.
	vouched bool
	taken   *Row                       // that is being read or written; nil for none
	came    bool                       // the one that is taken has cells
	written bool                       // they are of what it becomes
	key     Key                        // of the statement under way
	forms   struct{ key, form []byte } // buffers for the cache
}

// Row is a row as it is stored.
type Row struct {
	table *catalog.Table
	data  []byte // the key, and behind it the cells
	key   int    // how long that is
	cells []cell
}

// cell is a sealed form of a row. column is the number of its column in the table, or of the first one of its family.
type cell struct {
	column   int
	from, to int // in the row's data
	null     bool
}

// Any reports whether there are rows.
func (r *Rows) Any() bool { return len(r.kept) > 0 }

// Next is before a statement, or another command that may change rows: what the one before has not vouched for is gone.
func (r *Rows) Next() {
	r.Settle()
	r.vouched = false
}

// Settle is behind a statement: if it has not vouched for the rows they are gone.
func (r *Rows) Settle() {
	if !r.vouched && (len(r.kept) > 0 || r.taken != nil) {
		r.Forget()
	}
}

// Vouch says that the statement under way has succeeded, is in a transaction, and has changed no rows but those that
// it has told of.
func (r *Rows) Vouch() { r.vouched = true }

// Forget lets go of all rows.
func (r *Rows) Forget() {
	r.vouched = false
	r.drop(len(r.kept))
	r.Discard()
}

// drop lets go of the first rows.
func (r *Rows) drop(n int) {
	for _, row := range r.kept[:n] {
		r.bytes -= len(row.data)
		r.release(row)
	}
	r.kept = slices.Delete(r.kept, 0, n)
}

// release overwrites a row that is not kept any more.
func (r *Rows) release(row *Row) {
	clear(row.data)
	row.table, row.data, row.key, row.cells = nil, row.data[:0], 0, row.cells[:0]
	if cap(row.data) <= rowBytesMost && len(r.spare) < rowsMost {
		r.spare = append(r.spare, row)
	}
}

// Take begins with a row that is being read: its cells follow.
func (r *Rows) Take(t *catalog.Table) {
	r.Discard()
	if n := len(r.spare); n > 0 {
		r.taken, r.spare = r.spare[n-1], r.spare[:n-1]
	} else {
		r.taken = &Row{}
	}
	r.taken.table, r.came, r.written = t, false, false
}

// Change begins with a row that is being written: the cells that it gets follow.
func (r *Rows) Change(t *catalog.Table) {
	r.Take(t)
	r.came, r.written = true, true
}

// Comes is before the cells of a row that is read. If one is being written they are what it was. A second row that is read is not that
// of a key: nothing becomes of either.
func (r *Rows) Comes() bool {
	if r.taken == nil || r.came && !r.written {
		r.Discard()
		return false
	}
	r.came = true
	return true
}

// Came reports whether the row has come that is being read, or is being written.
func (r *Rows) Came() bool { return r.taken != nil && r.came }

// Taking reports whether a row is being read or written.
func (r *Rows) Taking() bool { return r.taken != nil }

// Cell is a cell of the row that is being read or written: it takes the place of one of the same column.
func (r *Rows) Cell(column int, form []byte, null bool) {
	row := r.taken
	if row == nil {
		return
	}
	if len(row.data)+len(form) > rowBytesMost {
		r.Discard()
		return
	}
	from := len(row.data)
	row.append(form)
	made := cell{column, from, len(row.data), null}
	if at := row.at(column); at >= 0 {
		row.cells[at] = made
		return
	}
	row.cells = append(row.cells, made)
}

// at is the place of a column among the cells, -1 if it has none there.
func (row *Row) at(column int) int {
	return slices.IndexFunc(row.cells, func(c cell) bool { return c.column == column })
}

// append appends to a row's data. Memory that it leaves is overwritten.
func (row *Row) append(b []byte) {
	if n := len(row.data) + len(b); n > cap(row.data) {
		grown := append(make([]byte, 0, max(rowBytesLeast, 2*n)), row.data...)
		clear(row.data)
		row.data = grown
	}
	row.data = append(row.data, b...)
}

// Discard says that nothing becomes of the row that is being read or written.
func (r *Rows) Discard() {
	if r.taken != nil {
		r.release(r.taken)
		r.taken = nil
	}
}

// Keep keeps the row that was read or written, under its key, with what is known of it besides.
func (r *Rows) Keep(key []byte) {
	row := r.taken
	if row == nil {
		return
	}
	if at := r.find(row.table, key); at >= 0 {
		r.carry(r.kept[at])
		r.removeAt(at)
	}
	if r.taken == nil || len(row.cells) == 0 || len(row.data)+len(key) > rowBytesMost {
		r.Discard()
		return
	}
	r.taken = nil
	row.append(key)
	row.key = len(key)
	r.kept = append(r.kept, row)
	for r.bytes += len(row.data); r.bytes > bytesMost || len(r.kept) > rowsMost; {
		r.drop(1)
	}
}

// carry gives the row that was read or written the cells that it had, and has got no others for.
func (r *Rows) carry(was *Row) {
	for i := range was.cells {
		c := &was.cells[i]
		r.add(c.column, was.data[c.from:c.to], c.null)
	}
}

// add gives it a cell that it has none for.
func (r *Rows) add(column int, form []byte, null bool) {
	if r.taken != nil && r.taken.at(column) < 0 {
		r.Cell(column, form, null)
	}
}

// Remove lets go of one row.
func (r *Rows) Remove(t *catalog.Table, key []byte) {
	if at := r.find(t, key); at >= 0 {
		r.removeAt(at)
	}
}

func (r *Rows) removeAt(at int) {
	r.bytes -= len(r.kept[at].data)
	r.release(r.kept[at])
	r.kept = slices.Delete(r.kept, at, at+1)
}

// Find is the row of a table that has a key, nil if it is not kept. It is good until rows are taken.
func (r *Rows) Find(t *catalog.Table, key []byte) *Row {
	if at := r.find(t, key); at >= 0 {
		return r.kept[at]
	}
	return nil
}

func (r *Rows) find(t *catalog.Table, key []byte) int {
	return slices.IndexFunc(r.kept, func(row *Row) bool {
		return row.table.Is(t) && bytes.Equal(row.data[len(row.data)-row.key:], key)
	})
}

// Cell is the sealed form that a row has in a column, nil for NULL; ok is false if it is not known.
func (row *Row) Cell(column int) (form []byte, ok bool) {
	at := row.at(column)
	if at < 0 {
		return nil, false
	}
	switch c := &row.cells[at]; {
	case c.null:
		return nil, true
	case c.from == c.to: // of no data it would be nil
		return []byte{}, true
	default:
		return row.data[c.from:c.to:c.to], true
	}
}

// publish gives the cache what is known of a row.
func (r *Rows) publish(row *Row, key []byte) {
	f := &r.forms
	for i := range row.cells {
		c := &row.cells[i]
		f.key = rowcache.AppendKey(f.key[:0], row.table, c.column, key)
		f.form = rowcache.AppendForm(f.form[:0], row.data[c.from:c.to], c.null)
		r.Cache.Put(f.key, f.form)
	}
}

// load gives the row that is taken a form that the cache has of it.
func (r *Rows) load(column int, key []byte) (ok bool) {
	f := &r.forms
	f.key = rowcache.AppendKey(f.key[:0], r.taken.table, column, key)
	if f.form, ok = r.Cache.Find(f.form[:0], f.key); ok {
		form, null := rowcache.Form(f.form)
		r.Cell(column, form, null)
	}
	return ok && r.taken != nil
}

// isCached reports whether the cache has a form of a row.
func (r *Rows) isCached(t *catalog.Table, column int, key []byte) bool {
	r.forms.key = rowcache.AppendKey(r.forms.key[:0], t, column, key)
	return r.Cache.Has(r.forms.key)
}
