package recipe

import (
	"slices"

	"tunic/internal/catalog"
)

// CellOf is the cell that has the values of a table's i-th column: of one that is in a family it is the family's, under
// the number of its first column.
func CellOf(t *catalog.Table, i int) Cell {
	c := Cell{Column: i, Sealed: t.Columns[i].Protected()}
	if f := t.FamilyOf(i); f != nil {
		c.Column, c.Record = t.Members(f)[0], true
	}
	return c
}

// AddFetch adds a value in a cell of its own.
func (r *Run) AddFetch(of Cell, f Fetch) {
	f.Cell, f.Opened = r.AddCell(of), of.Sealed
	r.Fetch = append(r.Fetch, f)
}

// ShareCell adds a value of a sealed form that a cell has already; false if none has.
func (r *Run) ShareCell(of Cell, f Fetch) bool {
	f.Cell, f.Opened = slices.Index(r.Cells, of), of.Sealed
	if !of.Sealed || f.Cell < 0 {
		return false
	}
	r.Fetch = append(r.Fetch, f)
	return true
}

// AddCell adds a cell, and is its number.
func (r *Run) AddCell(c Cell) int {
	r.Cells = append(r.Cells, c)
	return len(r.Cells) - 1
}

// ResetFetch forgets what was fetched.
func (r *Run) ResetFetch() { r.Cells, r.Fetch = nil, nil }
