package layers

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"

	"tunic/internal/catalog"
	"tunic/internal/crypt"
	"tunic/internal/identifier"
	"tunic/internal/scheme"
)

// source is a stored column that values of rows are read from: the sealed forms of a column, those of a family, or a plain
// column. It has the values of one row at a time.
type source struct {
	stored   string
	selected string // the expression that reads it
	of       string // what errors call it

	// One of them is there.
	column *crypt.Column
	family *crypt.Family
	plain  func(cell []byte) ([]byte, error) // makes the canonical form of what a plain column has

	// header is what stands in forms that are made now, from scheme.EpochOffset on: the epoch, of a family the layout as well.
	header []byte
	width  int  // bytes that its values may have, about
	long   bool // one of them may be longer than a row

	cell   []byte // of the row at hand, nil for NULL
	broken bool   // it does not open
	buffer []byte // what was opened of it
	record crypt.Opened
	longer []byte // values that are longer than what a record has of them
	all    [][]byte
	proof  *source // by which new forms are looked at
}

// errUnlaid is of a row of an older layout than the column.
var errUnlaid = errors.New("the row is of a layout that lacks it")

// sources are the stored columns that a table's rows are read by, each once.
type sources struct {
	table *catalog.Table
	ring  *crypt.Ring
	all   []*source
}

// of is the source of a column of the table, and the place that the column's values have there.
func (s *sources) of(c *catalog.Column) (from *source, at int, err error) {
	if c.Family != "" {
		return s.member(c)
	}
	known := slices.IndexFunc(s.all, func(x *source) bool { return x.stored == c.Stored() })
	if known >= 0 {
		return s.all[known], 0, nil
	}
	x := &source{
		stored: c.Stored(), of: "column " + c.ID.String(), width: widthOf(&c.Type), long: isLong(&c.Type),
		buffer: []byte{}, header: binary.BigEndian.AppendUint16(nil, c.Epoch),
	}
	if c.Protected() {
		x.selected = identifier.Quoted(x.stored)
		if x.column, err = s.ring.Column(c); err != nil {
			return nil, 0, err
		}
	} else {
		x.selected = selectedPlain(x.stored, &c.Type)
		x.plain = named(c, canonicalOf(&c.Type))
	}
	s.all = append(s.all, x)
	return x, 0, nil
}

// member is the source of a column that is in a family.
func (s *sources) member(c *catalog.Column) (from *source, at int, err error) {
	f := s.table.FamilyNamed(c.Family)
	if f == nil {
		return nil, 0, crypt.ErrLayout
	}
	if from, err = s.ofFamily(f); err != nil {
		return nil, 0, err
	}
	if at = slices.Index(from.family.Columns(), c.ID); at < 0 {
		return nil, 0, crypt.ErrLayout
	}
	return from, at, nil
}

// open opens the cells of a row.
func (s *sources) open(cells []*string) error {
	for i, x := range s.all {
		var cell []byte
		if cells[i] != nil {
			cell = []byte(*cells[i])
		}
		if err := x.open(cell); err != nil {
			return err
		}
	}
	return nil
}

// ofFamily is the source that the forms of a family of the table are.
func (s *sources) ofFamily(f *catalog.Family) (*source, error) {
	if known := slices.IndexFunc(s.all, func(x *source) bool { return x.stored == f.Stored }); known >= 0 {
		return s.all[known], nil
	}
	x := &source{stored: f.Stored, selected: identifier.Quoted(f.Stored), of: "family " + f.ID.String(), buffer: []byte{}}
	x.header = binary.BigEndian.AppendUint16(binary.BigEndian.AppendUint16(nil, f.Epoch), f.Layouts[len(f.Layouts)-1].Number)
	for _, i := range s.table.Members(f) {
		t := &s.table.Columns[i].Type
		x.width += widthOf(t)
		x.long = x.long || isLong(t)
	}
	var err error
	if x.family, err = s.ring.Family(s.table, f); err != nil {
		return nil, err
	}
	s.all = append(s.all, x)
	return x, nil
}

// hides reports whether the server does not see which values are NULL.
func (x *source) hides() bool { return x.family != nil }

// open reads the cell of a row, whose values are there until the next one. A form that does not open is ErrForeign, and so is
// one of a family that is NULL.
func (x *source) open(cell []byte) (err error) {
	x.cell, x.broken = cell, false
	switch {
	case x.family != nil:
		x.buffer, x.record, err = x.family.AppendOpened(x.buffer[:0], cell)
	case cell == nil:
		return nil
	case x.plain != nil:
		x.buffer, err = x.plain(cell)
		return err
	default:
		x.buffer, err = x.column.AppendOpened(x.buffer[:0], cell)
	}
	if x.broken = err != nil; x.broken {
		return fmt.Errorf("%w: %s: %w", ErrForeign, x.of, err)
	}
	return nil
}

// value is the canonical form of the value at a place of what was opened, nil for NULL, until the next one is asked for. A row of
// a layout that has not its column is ErrForeign.
func (x *source) value(at int) ([]byte, error) {
	if x.family == nil {
		if x.cell == nil {
			return nil, nil
		}
		return x.buffer, nil
	}
	value, longer, ok := x.record.Value(x.longer[:0], at)
	if x.longer = longer[:0]; !ok {
		return nil, x.lacksColumn(at)
	}
	return value, nil
}

// lacksColumn is the error of a row whose layout has no such column.
func (x *source) lacksColumn(at int) error {
	return fmt.Errorf("%w: column %s: %w", ErrForeign, x.family.Columns()[at], errUnlaid)
}

// wipe forgets what was opened.
func (x *source) wipe() {
	clear(x.buffer[:cap(x.buffer)])
	clear(x.longer[:cap(x.longer)])
}

// isNew reports whether a form is one as they are made now.
func (x *source) isNew(form []byte) bool {
	from := scheme.EpochOffset
	return len(form) >= from+len(x.header) && string(form[from:from+len(x.header)]) == string(x.header)
}
