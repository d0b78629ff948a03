package binding

import (
	"bytes"

	"tunic/internal/arena"
	"tunic/internal/crypt"
	"tunic/internal/policy"
	"tunic/internal/scheme"
	"tunic/internal/wire"
)

// comparison is what a value of a family's form has to agree with for the form to be of its row.
type comparison struct {
	column *Column
	seek   int // the condition that the row was found by; -1 for the token in a cell
	cell   int
	layer  policy.Capabilities // of that token
	number int                 // among those with tokens in cells
}

// takeComparisons finds what the forms of families are compared with: see recipe.Cell.Layer, and recipe.Slot.Sought.
func (st *Statement) takeComparisons() {
	tokens := 0
	for at, cell := range st.Run.Cells {
		if !cell.Record {
			continue
		}
		var all []comparison
		family := st.Columns[cell.Column].Family
		for n, s := range st.seeks {
			if c := st.Columns[s.column]; c.Family == family {
				all = append(all, comparison{column: c, seek: n})
			}
		}
		for i, other := range st.Run.Cells {
			if other.Layer != 0 && st.Columns[other.Column].Family == family {
				all = append(all, comparison{column: st.Columns[other.Column], seek: -1, cell: i, layer: other.Layer, number: tokens})
				tokens++
			}
		}
		if all != nil && st.comparisons == nil {
			st.comparisons = make([][]comparison, len(st.Run.Cells))
		}
		if all != nil {
			st.comparisons[at] = all
		}
	}
}

// computedToken is the token of a value.
type computedToken struct{ canonical, token []byte }

// Compare looks whether the record that was opened of a cell is of the row that these cells are of, as far as that is
// known: it has the values that the row was found by, and those of the tokens in the row's key.
func (q *Sought) Compare(st *Statement, cell int, cells []wire.Cell, opened *crypt.Opened) error {
	if st.comparisons == nil {
		return nil
	}
	for i := range st.comparisons[cell] {
		c := &st.comparisons[cell][i]
		if c.seek >= 0 && q.of != st { // another statement: rows of a cursor, behind one
			continue
		}
		value, longer, ok := opened.Value(q.longer[:0], c.column.InRecord)
		if q.longer = longer[:0]; !ok {
			return scheme.ErrForm
		}
		if c.seek >= 0 {
			if err := q.one(st, c.seek, value, value == nil); err != nil {
				return err
			}
		} else if !q.hasToken(st, c, value, &cells[c.cell]) {
			return &OtherValueError{c.column}
		}
	}
	return nil
}

// hasToken reports whether the token in a cell is that of a value, nil for NULL.
func (q *Sought) hasToken(st *Statement, c *comparison, value []byte, cell *wire.Cell) bool {
	if value == nil || cell.Null {
		return value == nil && cell.Null
	}
	if q.computedOf != st {
		q.forgetComputed()
		q.computedOf = st
	}
	for len(q.computed) <= c.number {
		q.computed = append(q.computed, computedToken{})
	}
	known := &q.computed[c.number]
	if len(known.token) == 0 || !bytes.Equal(known.canonical, value) {
		var err error
		if known.token, err = c.column.Forms.AppendToken(known.token[:0], c.layer, value); err != nil {
			known.token = known.token[:0]
			return false
		}
		known.canonical = append(known.canonical[:0], value...)
	}
	return bytes.Equal(known.token, cell.Bytes)
}

// forgetComputed lets go of the tokens that were computed, and of buffers that one large value has left.
func (q *Sought) forgetComputed() {
	for i := range q.computed {
		k := &q.computed[i]
		k.canonical, k.token = arena.Bounded(k.canonical, 1)[:0], arena.Bounded(k.token, 1)[:0]
	}
	q.computedOf = nil
}
