package recipe

import "slices"

// Fetched adds a value in a cell of its own.
func (r *Run) Fetched(f Fetch) {
	f.Cell = r.Returned(Cell{Column: f.Column, Sealed: f.Opened})
	r.Fetch = append(r.Fetch, f)
}

// FetchedAgain adds a value of a sealed form that a cell has already; false if none has.
func (r *Run) FetchedAgain(f Fetch) bool {
	f.Cell = slices.IndexFunc(r.Cells, func(c Cell) bool { return c.Sealed && f.Opened && c.Column == f.Column })
	if f.Cell < 0 {
		return false
	}
	r.Fetch = append(r.Fetch, f)
	return true
}

// Returned adds a cell, and is its number.
func (r *Run) Returned(c Cell) int {
	r.Cells = append(r.Cells, c)
	return len(r.Cells) - 1
}

// FetchAnew forgets what was fetched.
func (r *Run) FetchAnew() { r.Cells, r.Fetch = nil, nil }
