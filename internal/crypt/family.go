package crypt

import (
	"encoding/binary"
	"fmt"
	"maps"
	"slices"
	"sync"
	"sync/atomic"

	"tunic/internal/catalog"
	"tunic/internal/keys"
	"tunic/internal/record"
	"tunic/internal/scheme"
	"tunic/internal/scheme/gcm"
)

// Family is the cryptography of columns that have one sealed form.
//
//	offset  size  field
//	0       3     header of the scheme: suite and key epoch
//	3       2     number of the layout, big endian, from 1
//	5       1     0: bound to no row; 1: to the key of its row
//	6       n     nonce, ciphertext and tag of the scheme, of a record
//
// The associated data are these six bytes, then
//
//	offset  size  field
//	0       16    project
//	16      16    ID of the family
//	32      32    SHA-256 of the layout, as AppendLayout writes it
//	64      n     stored key of the row, of a form that is bound to it
//
// It may be used by any number of goroutines, and allocates nothing for a row but what the caller's slices need to grow.
type Family struct {
	id      catalog.ID
	tree    *keys.Tree
	epoch   uint16
	layouts []*layout // that of number n is at n-1; the last is written
	places  [][]int   // by layout: where the columns are in it, -1 for one that it has not

	sealer     *gcm.Sealer // of the epoch that is written
	free, rows *gcm.Bound  // and of the layout that is: without a row, and with one

	deriver sync.Mutex
	others  atomic.Pointer[map[formHead]*gcm.Bound]
}

// formHead is what of a form's header is chosen by.
type formHead struct {
	epoch, layout uint16
	bound         byte
}

// Sizes and values of the header.
const (
	layoutOffset = scheme.HeaderSize
	boundOffset  = layoutOffset + 2
	familyHeader = boundOffset + 1

	boundToNone = 0
	boundToRow  = 1
)

// LayoutsMax is how many layouts a family can have had.
const LayoutsMax = 1<<16 - 1

// NewFamily makes a family of its layouts, in the order of their numbers from 1, of which the last one is written. epoch is
// that of the key of new forms. columns are those that values are asked of, by their places there; a layout may lack some and
// have others. id is of this family alone: its key seals nothing that has another header. It fails with ErrLayout.
func NewFamily(tree *keys.Tree, id catalog.ID, epoch uint16, layouts [][]byte, columns []catalog.ID) (*Family, error) {
	if len(layouts) == 0 || len(layouts) > LayoutsMax {
		return nil, fmt.Errorf("%w: %d of them", ErrLayout, len(layouts))
	}
	f := &Family{id: id, tree: tree, epoch: epoch}
	for _, written := range layouts {
		l, err := readLayout(written)
		if err != nil {
			return nil, err
		}
		places := make([]int, len(columns))
		for i, c := range columns {
			places[i] = slices.Index(l.columns, c)
		}
		f.layouts, f.places = append(f.layouts, l), append(f.places, places)
	}
	var err error
	if f.sealer, err = sealerOf(tree, id, epoch); err != nil {
		return nil, err
	}
	written := uint16(len(layouts))
	f.free, f.rows = f.bind(f.sealer, written, boundToNone), f.bind(f.sealer, written, boundToRow)
	return f, nil
}

// bind makes what seals and opens the forms of a layout.
func (f *Family) bind(s *gcm.Sealer, number uint16, bound byte) *gcm.Bound {
	project, l := f.tree.Project(), f.layouts[number-1]
	further := append(binary.BigEndian.AppendUint16(nil, number), bound)
	return s.Headed(further...).Bind(slices.Concat(project[:], f.id[:], l.hash[:]))
}

// AppendSealed appends a new sealed form of the canonical values of all columns of the layout that is written, in its order;
// nil is NULL. row is the stored key of the row, nil if the form is bound to none. It fails with record.ErrValue.
func (f *Family) AppendSealed(dst, row []byte, values [][]byte) ([]byte, error) {
	buffer, ok := inputs.Get().(*[]byte)
	if !ok {
		return dst, errScheme
	}
	plain, err := f.layouts[len(f.layouts)-1].fields.Append((*buffer)[:0], values)
	if err == nil {
		bound := f.free
		if len(row) > 0 {
			bound = f.rows
		}
		dst = bound.AppendSeal(dst, row, plain)
	}
	clear(plain)
	if cap(plain) <= inputKept {
		*buffer = plain
		inputs.Put(buffer)
	}
	return dst, err
}

// AppendOpened appends the record of a sealed form of whatever epoch and layout, and reads it: its values are parts of
// what is appended. row is the stored key of the row that the form is in, which only a form that is bound to one needs. The errors
// are those of package scheme and record.ErrRecord: an alarm each.
func (f *Family) AppendOpened(dst, row, sealed []byte) ([]byte, Opened, error) {
	h, err := f.head(sealed)
	if err != nil {
		return dst, Opened{}, err
	}
	bound, err := f.of(h)
	if err != nil {
		return dst, Opened{}, err
	}
	if h.bound == boundToNone {
		row = nil
	} else if len(row) == 0 {
		return dst, Opened{}, scheme.ErrOpen
	}
	at := len(dst)
	opened, err := bound.AppendOpen(dst, row, sealed)
	if err != nil {
		return dst, Opened{}, err
	}
	l := int(h.layout) - 1
	r, err := f.layouts[l].fields.Read(opened[at:])
	if err != nil {
		return dst, Opened{}, err
	}
	return opened, Opened{record: r, places: f.places[l], isBound: h.bound == boundToRow, layout: h.layout}, nil
}

// head reads the header of a form, which is not authenticated yet.
func (f *Family) head(sealed []byte) (h formHead, err error) {
	if len(sealed) < familyHeader {
		return h, scheme.ErrForm
	}
	s, epoch, _ := scheme.Header(sealed)
	h = formHead{epoch, binary.BigEndian.Uint16(sealed[layoutOffset:]), sealed[boundOffset]}
	switch {
	case s != suite:
		return h, scheme.ErrSuite
	case h.layout == 0 || int(h.layout) > len(f.layouts) || h.bound > boundToRow:
		return h, scheme.ErrForm
	case epoch > f.epoch: // nothing was sealed under it yet
		return h, scheme.ErrEpoch
	}
	return h, nil
}

// of is what opens the forms of a header.
func (f *Family) of(h formHead) (*gcm.Bound, error) {
	if h.epoch == f.epoch && int(h.layout) == len(f.layouts) {
		if h.bound == boundToRow {
			return f.rows, nil
		}
		return f.free, nil
	}
	if known := f.others.Load(); known != nil {
		if b := (*known)[h]; b != nil {
			return b, nil
		}
	}
	f.deriver.Lock()
	defer f.deriver.Unlock()
	next := map[formHead]*gcm.Bound{}
	if known := f.others.Load(); known != nil && len(*known) < epochsMax {
		next = maps.Clone(*known)
	}
	s := f.sealer
	if h.epoch != f.epoch {
		var err error
		if s, err = sealerOf(f.tree, f.id, h.epoch); err != nil {
			return nil, scheme.ErrEpoch
		}
	}
	next[h] = f.bind(s, h.layout, h.bound)
	f.others.Store(&next)
	return next[h], nil
}

// Opened is a record that was opened. It belongs to one goroutine.
type Opened struct {
	record  record.Record
	places  []int
	layout  uint16
	isBound bool
}

// Value is the canonical value of a column of the family, nil for NULL, as record.Record.Value returns it; false if the row is of a layout
// without the column.
func (o *Opened) Value(dst []byte, column int) (value, longer []byte, ok bool) {
	at := o.places[column]
	if at < 0 {
		return nil, dst, false
	}
	value, longer = o.record.Value(dst, at)
	return value, longer, true
}

// Layout is the number of the layout.
func (o *Opened) Layout() uint16 { return o.layout }

// IsBound reports whether the form is bound to the key of its row.
func (o *Opened) IsBound() bool { return o.isBound }
