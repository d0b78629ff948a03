package opening

import (
	"tunic/internal/arena"
	"tunic/internal/binding"
	"tunic/internal/crypt"
	"tunic/internal/recipe"
	"tunic/internal/scheme"
	"tunic/internal/wire"
)

// records are the opened forms of families of one row, each opened once whatever is read of it. Their buffers stay.
type records struct {
	of     []opened // by the number of the cell
	row    uint64   // that they are of
	longer []byte   // a value that is longer than what a record has of it
}

// opened is an opened form.
type opened struct {
	row    uint64
	buffer []byte
	record crypt.Opened
}

// next begins with another row.
func (r *records) next() { r.row++ }

// value is the value that is fetched of a family's cell, nil for NULL, until the next one is asked for. A form that is NULL is
// none of tunic's: the server has one for each row, and for each group of them. Nor is one of the row that is of another.
func (r *records) value(st *binding.Statement, f *recipe.Fetch, cells []wire.Cell, sought *binding.Sought) (value []byte, err error) {
	cell := &cells[f.Cell]
	if cell.Null {
		return nil, scheme.ErrForm
	}
	for len(r.of) <= f.Cell {
		r.of = append(r.of, opened{})
	}
	c, o := st.Columns[f.Column], &r.of[f.Cell]
	if o.row != r.row {
		if o.buffer, o.record, err = c.Family.AppendOpened(o.buffer[:0], cell.Bytes); err != nil {
			return nil, err
		}
		if err = sought.Compare(st, f.Cell, cells, &o.record); err != nil {
			return nil, err
		}
		o.row = r.row
	}
	value, longer, ok := o.record.Value(r.longer[:0], c.InRecord)
	if r.longer = longer[:0]; !ok {
		return nil, scheme.ErrForm
	}
	return value, nil
}

// end lets go of buffers that one large value has left. What was opened is opened no more.
func (r *records) end() {
	for i := range r.of {
		o := &r.of[i]
		o.record = crypt.Opened{}
		if cap(o.buffer) > arena.KeepMax {
			o.buffer = nil
		}
	}
	r.next()
}
