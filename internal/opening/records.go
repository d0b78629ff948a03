package opening

import (
	"bytes"
	"encoding/binary"

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
	longer []byte   // values of the row that are longer than what a record has of them
	kept   int      // bytes of the forms that are kept open
	tokens []byte   // that a form is compared with
}

// opened is the opened form of a cell.
type opened struct {
	row    uint64
	now    *form
	single form // one that is not kept
	repeated
}

// form is a form that was opened, and what it was found to go with.
type form struct {
	sealed []byte // nil if it is not kept
	buffer []byte
	record crypt.Opened
	tokens []byte // that it was compared with
	room   int    // bytes that are counted for it
}

// repeated are forms of a cell that have come before, as a row does that is joined with many: what they were opened to
// is kept until the rows end.
//
//	marks[i]   the mark of the form that came last of those that belong to place i
//	forms[i]   the one that is kept there; a form is kept when it comes the second time
type repeated struct {
	come  int
	marks []uint32
	forms []*form
}

const (
	repeatedAfter  = 256       // forms of a cell come before any is noted
	repeatedPlaces = 1 << 12   // of a cell, a power of two
	repeatedBytes  = 2 << 20   // about what all that are kept take
	formBytes      = 160       // what a kept form takes beside its bytes
	markBytes      = 4         // the last of a form's tag
	repeatedLeast  = markBytes // bytes of a form that has a mark
)

// next begins with another row.
func (r *records) next() { r.row, r.longer = r.row+1, r.longer[:0] }

// value is the value that is fetched of a family's cell, nil for NULL, until the next row. A form that is NULL is
// none of tunic's: the server has one for each row, and for each group of them. Nor is one of the row that is of another.
func (r *records) value(st *binding.Statement, f *recipe.Fetch, cells []wire.Cell, sought *binding.Sought) (value []byte, err error) {
	for len(r.of) <= f.Cell {
		r.of = append(r.of, opened{})
	}
	c, o := st.Columns[f.Column], &r.of[f.Cell]
	if o.row != r.row {
		if err := r.open(st, c, f.Cell, cells, sought); err != nil {
			return nil, err
		}
		o.row = r.row
	}
	at := len(r.longer)
	value, longer, ok := o.now.record.Value(r.longer, c.InRecord)
	if r.longer = longer; !ok {
		r.longer = longer[:at]
		return nil, scheme.ErrForm
	}
	return value, nil
}

// open opens the form of a cell, or finds it among those that are kept, and compares it.
func (r *records) open(st *binding.Statement, c *binding.Column, at int, cells []wire.Cell, sought *binding.Sought) (err error) {
	cell, o := &cells[at], &r.of[at]
	if cell.Null {
		return scheme.ErrForm
	}
	place, again := o.note(cell.Bytes)
	if kept := o.at(place); kept != nil && bytes.Equal(kept.sealed, cell.Bytes) {
		o.now = kept
		return r.compare(st, at, cells, sought)
	}
	o.now = &o.single
	if again {
		o.now = r.room(o, place, len(cell.Bytes))
	}
	o.now.tokens, o.now.sealed = o.now.tokens[:0], o.now.sealed[:0] // it is none until it is opened and compared
	if o.now.buffer, o.now.record, err = c.Family.AppendOpened(o.now.buffer[:0], cell.Bytes); err != nil {
		return err
	}
	if err := sought.Compare(st, at, cells, &o.now.record); err != nil {
		return err
	}
	if o.now != &o.single {
		o.now.tokens, o.now.sealed = st.AppendTokens(o.now.tokens, at, cells), append(o.now.sealed, cell.Bytes...)
	}
	return nil
}

// compare compares a form that is kept, unless it has been with the same tokens.
func (r *records) compare(st *binding.Statement, at int, cells []wire.Cell, sought *binding.Sought) error {
	now := r.of[at].now
	if r.tokens = st.AppendTokens(r.tokens[:0], at, cells); bytes.Equal(r.tokens, now.tokens) {
		return nil
	}
	return sought.Compare(st, at, cells, &now.record)
}

// note finds the place of a form, -1 as long as none is noted, and whether the form that came last of those that belong there
// had the same mark.
func (p *repeated) note(sealed []byte) (place int, again bool) {
	if p.come++; p.come <= repeatedAfter || len(sealed) < repeatedLeast {
		return -1, false
	}
	if p.marks == nil {
		p.marks = make([]uint32, repeatedPlaces)
	}
	mark := binary.LittleEndian.Uint32(sealed[len(sealed)-markBytes:])
	place = int(mark % repeatedPlaces)
	again = p.marks[place] == mark
	p.marks[place] = mark
	if again && p.forms == nil {
		p.forms = make([]*form, repeatedPlaces)
	}
	return place, again
}

// at is the form that is kept at a place, nil for none.
func (p *repeated) at(place int) *form {
	if place < 0 || p.forms == nil {
		return nil
	}
	return p.forms[place]
}

// room is where a form is kept: in the place of the one that was there, or of none, as long as there is room for more.
func (r *records) room(o *opened, place, bytes int) *form {
	kept, need := o.forms[place], formBytes+2*bytes
	has := 0
	if kept != nil {
		has = kept.room
	}
	if need > has {
		if r.kept+need-has > repeatedBytes {
			return &o.single
		}
		r.kept += need - has
		has = need
	}
	if kept == nil {
		kept = &form{}
		o.forms[place] = kept
	}
	kept.room = has
	return kept
}

// begin begins with the rows of a statement: what was kept of others is of other columns.
func (r *records) begin() {
	for i := range r.of {
		r.of[i].repeated = repeated{}
	}
	r.kept = 0
	r.next()
}

// end lets go of buffers that one large value has left. What was opened is opened no more.
func (r *records) end() {
	for i := range r.of {
		o := &r.of[i]
		o.single.record, o.now = crypt.Opened{}, nil
		o.single.buffer = arena.Bounded(o.single.buffer, 1)
	}
	r.longer = arena.Bounded(r.longer, 1)
	r.begin()
}
