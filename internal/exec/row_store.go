package exec

import (
	"errors"

	"tunic/internal/arena"
	"tunic/internal/eval"
)

// errStop ends rowStore.each without an error.
var errStop = errors.New("no more rows")

// rowStore keeps the rows that are to be written, in the order in which they were
// read.
type rowStore struct {
	cells []byte
	ends  []int // of the values in cells, -1 for NULL
	width int
	row   eval.Row
}

func (r *rowStore) begin(width int) {
	r.cells, r.ends, r.width = append(r.cells[:0], 0), r.ends[:0], width // one byte: what is empty is not nil
}

// add copies a row.
func (r *rowStore) add(row eval.Row) {
	for _, v := range row {
		if v == nil {
			r.ends = append(r.ends, -1)
			continue
		}
		r.cells = append(r.cells, v...)
		r.ends = append(r.ends, len(r.cells))
	}
}

// each shows the rows. It ends with the first error, and with errStop without one.
func (r *rowStore) each(do func(n int, row eval.Row) error) error {
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
		case errors.Is(err, errStop):
			return nil
		case err != nil:
			return err
		}
	}
	return nil
}

// end lets go of what one statement with many rows has left.
func (r *rowStore) end() {
	clear(r.row)
	if cap(r.cells) > arena.KeepMax {
		r.cells = nil
	}
	if 8*cap(r.ends) > arena.KeepMax {
		r.ends = nil
	}
}
