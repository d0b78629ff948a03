package binding

import (
	"bytes"
	"encoding/binary"

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

// AppendTokens appends the tokens of a row that the form of a cell is compared with, each behind its length: beside the same ones
// it need not be compared again, as long as the rows are those of one execution.
func (st *Statement) AppendTokens(dst []byte, cell int, cells []wire.Cell) []byte {
	if st.comparisons == nil {
		return dst
	}
	for i := range st.comparisons[cell] {
		if c := &st.comparisons[cell][i]; c.seek < 0 {
			dst = binary.AppendUvarint(dst, uint64(len(cells[c.cell].Bytes)))
			dst = append(dst, cells[c.cell].Bytes...)
		}
	}
	return dst
}

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
		q.computed = append(q.computed, computedTokens{})
	}
	token, err := q.computed[c.number].of(c, value)
	return err == nil && bytes.Equal(token, cell.Bytes)
}

// forgetComputed lets go of the tokens that were computed, and of buffers that one large value has left.
func (q *Sought) forgetComputed() {
	for i := range q.computed {
		q.computed[i].forget()
	}
	q.computedOf = nil
}
