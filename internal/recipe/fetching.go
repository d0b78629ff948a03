package recipe

import "slices"

// AddFetch adds a value in a cell of its own.
func (r *Run) AddFetch(f Fetch) {
	f.Cell = r.AddCell(Cell{Column: f.Column, Sealed: f.Opened})
	r.Fetch = append(r.Fetch, f)
}

// ShareCell adds a value of a sealed form that a cell has already; false if none has.
func (r *Run) ShareCell(f Fetch) bool {
	f.Cell = slices.IndexFunc(r.Cells, func(c Cell) bool { return c.Sealed && f.Opened && c.Column == f.Column })
	if f.Cell < 0 {
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
