package recall

import (
	"tunic/internal/binding"
	"tunic/internal/exec/change"
	"tunic/internal/recipe"
	"tunic/internal/wire"
)

// Come takes the sealed forms of a row that has come, if it is to be taken.
func (r *Rows) Come(st *binding.Statement, cells []wire.Cell) {
	if !r.Comes() {
		return
	}
	for i := range st.Run.Cells {
		if c := &st.Run.Cells[i]; c.Sealed {
			r.add(c.Column, cells[i].Bytes, cells[i].Null)
		}
	}
}

// Written takes what a slot of the statement that writes the row was filled with.
func (r *Rows) Written(w *change.Write, n int, form []byte, null bool) {
	fill := &w.Fills[n]
	switch isForm := fill.Form == recipe.Record || fill.Form == recipe.Sealed; {
	case !isForm || fill.Of.Kind == recipe.FromRow:
	case fill.Of.Kind != recipe.FromSet:
		r.Discard()
	default:
		r.Cell(w.Slots[n].Column, form, null)
	}
}

// Filled takes what a slot was filled with of a statement that sets a row to values of the client's.
func (r *Rows) Filled(slot *recipe.Slot, form []byte, null bool) {
	if slot.Form == recipe.Record || slot.Form == recipe.Sealed {
		r.Cell(slot.Column, form, null)
	}
}

// AppendCells appends the cells that the statement under way would read of its row; false if one is not known.
func (r *Rows) AppendCells(dst []wire.Cell, b *binding.Binder) (_ []wire.Cell, ok bool) {
	st := b.Statement
	if !r.Any() || !r.key.Of(b) {
		return dst, false
	}
	row := r.Find(st.Run.Table, r.key.text)
	if row == nil {
		return dst, false
	}
	return r.appendCells(dst, st, row)
}

// AppendCached is AppendCells of what the cache has of the row, which is taken as one that is being written. The server may
// have another one.
func (r *Rows) AppendCached(dst []wire.Cell, b *binding.Binder) (_ []wire.Cell, ok bool) {
	st := b.Statement
	if !r.key.Of(b) {
		return dst, false
	}
	r.Change(st.Run.Table)
	for i := range st.Run.Cells {
		if c := &st.Run.Cells[i]; c.Sealed && !r.load(c.Column, r.key.text) {
			r.Discard()
			return dst, false
		}
	}
	dst, ok = r.appendCells(dst, st, r.taken)
	if !ok {
		r.Discard()
	}
	return dst, ok
}

// IsCached reports whether the cache has all forms of the row that the statement under way would read.
func (r *Rows) IsCached(b *binding.Binder) bool {
	st := b.Statement
	if !r.key.Of(b) {
		return false
	}
	for i := range st.Run.Cells {
		if c := &st.Run.Cells[i]; c.Sealed && !r.isCached(st.Run.Table, c.Column, r.key.text) {
			return false
		}
	}
	return true
}

// appendCells appends the cells of a row that a statement would read.
func (r *Rows) appendCells(dst []wire.Cell, st *binding.Statement, row *Row) (_ []wire.Cell, ok bool) {
	for i := range st.Run.Cells {
		c := &st.Run.Cells[i]
		var form []byte
		if c.Sealed {
			form, ok = row.Cell(c.Column)
		} else {
			form, ok = r.key.digits(st, c.Column)
		}
		if !ok {
			return dst, false
		}
		dst = append(dst, wire.Cell{Bytes: form, Null: form == nil})
	}
	return dst, true
}

// Share gives the cache what the statement under way has read or written of its row, if it is of one.
func (r *Rows) Share(b *binding.Binder) {
	if r.Came() && r.Cache.Keeps() && b.Statement.Run.Key != nil && r.key.Of(b) {
		r.publish(r.taken, r.key.text)
	}
}

// Leaves is behind a statement that has succeeded in a transaction and leaves alone all rows but the one that it locks, if it
// is of one: that is kept as it was read or written, or, if neither is known, let go of.
func (r *Rows) Leaves(b *binding.Binder) {
	r.Vouch()
	st := b.Statement
	switch known := r.Came(); {
	case !st.Run.Locks || !known && !r.Any():
	case !r.key.Of(b):
		r.Forget()
	case known:
		r.Keep(r.key.text)
	default:
		r.Remove(st.Run.Table, r.key.text)
	}
}
