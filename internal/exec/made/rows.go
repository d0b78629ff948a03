package made

import (
	"errors"

	"tunic/internal/arena"
	"tunic/internal/eval"
)

// ErrStop ends Rows.Each without an error.
var ErrStop = errors.New("no more rows")

// Rows are rows that are to be written, in the order in which they were read.
type Rows struct {
	cells []byte
	ends  []int // of the values in cells, -1 for NULL
	width int
	row   eval.Row
}

// Begin has no rows yet, of so many values each.
func (r *Rows) Begin(width int) {
	r.cells, r.ends, r.width = append(r.cells[:0], 0), r.ends[:0], width // one byte: what is empty is not nil
}

// Width is how many values a row has, and Values how many all of them have.
func (r *Rows) Width() int  { return r.width }
func (r *Rows) Values() int { return len(r.ends) }

// Add copies a row.
func (r *Rows) Add(row eval.Row) {
	for _, v := range row {
		if v == nil {
			r.ends = append(r.ends, -1)
			continue
		}
		r.cells = append(r.cells, v...)
		r.ends = append(r.ends, len(r.cells))
	}
}

// Each shows the rows. It ends with the first error, and with ErrStop without one.
func (r *Rows) Each(do func(n int, row eval.Row) error) error {
	begin := 1
	for n := 0; n*r.width < len(r.ends); n++ {
		r.row = r.row[:0]
		for _, end := range r.ends[n*r.width : (n+1)*r.width] {
			if end < 0 {
				r.row = append(r.row, nil)
				continue
			}
			r.row = append(r.row, r.cells[begin:end:end])
			begin = end
		}
		switch err := do(n, r.row); {
		case errors.Is(err, ErrStop):
			return nil
		case err != nil:
			return err
		}
	}
	return nil
}

// End lets go of what one statement with many rows has left.
func (r *Rows) End() {
	clear(r.row)
	if cap(r.cells) > arena.KeepMax {
		r.cells = nil
	}
	if 8*cap(r.ends) > arena.KeepMax {
		r.ends = nil
	}
}
