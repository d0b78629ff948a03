package crypt

import (
	"encoding/binary"
	"fmt"
	"slices"

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
//	5       1     always 0
//	6       n     nonce, ciphertext and tag of the scheme, of a record
//
// The associated data are these six bytes, then
//
//	offset  size  field
//	0       16    project
//	16      16    ID of the family
//	32      32    SHA-256 of the layout, as AppendLayout writes it
//
// A form does not say which row it is of: the record does, where it has columns of the row's key.
//
// It may be used by any number of goroutines, and allocates nothing for a row but what the caller's slices need to grow.
type Family struct {
	id      catalog.ID
	tree    *keys.Tree
	epoch   uint16
	layouts map[uint16]*layout
	written *layout // by which new forms are made

	sealer *gcm.Sealer // of the epoch that is written
	bound  *gcm.Bound  // and of the layout that is

	others bounds[formHead]

	absent []absent // what rows of layouts without a column have for it, by the columns that values are asked of
}

// absent is the value of a column that a layout lacks.
type absent struct {
	known bool
	value []byte // nil is NULL
}

// formHead is what of a form's header is chosen by.
type formHead struct{ epoch, layout uint16 }

// Sizes and values of the header.
const (
	layoutOffset = scheme.HeaderSize
	zeroOffset   = layoutOffset + 2
	familyHeader = zeroOffset + 1
)

// LayoutsMax is the greatest number of a layout.
const LayoutsMax = 1<<16 - 1

// headersMax is how many other headers a family keeps: a table that is being rotated has rows of some epochs and layouts.
const headersMax = 256

// NewFamily makes a family of the layouts that rows may have, of which the last one is written. epoch is
// that of the key of new forms. columns are those that values are asked of, by their places there; a layout may lack some and
// have others, and added says what rows of it have for the first. id is of this family alone: its key seals nothing that has another header. What it seals is counted in seals. It
// fails with ErrLayout.
func NewFamily(tree *keys.Tree, id catalog.ID, epoch uint16, layouts []catalog.Layout, columns []catalog.ID, added []catalog.AddedColumn, seals *Seals) (*Family, error) {
	f := &Family{id: id, tree: tree, epoch: epoch, layouts: map[uint16]*layout{}, absent: make([]absent, len(columns))}
	for _, a := range added {
		if i := slices.Index(columns, a.Column); i >= 0 {
			f.absent[i] = absentOf(&a)
		}
	}
	for _, of := range layouts {
		l, err := readLayout(of.Written)
		if err != nil {
			return nil, err
		}
		if l.number = of.Number; l.number == 0 || f.layouts[l.number] != nil {
			return nil, fmt.Errorf("%w: of no number of its own", ErrLayout)
		}
		for _, c := range columns {
			l.places = append(l.places, slices.Index(l.columns, c))
		}
		f.layouts[l.number], f.written = l, l
	}
	if f.written == nil {
		return nil, fmt.Errorf("%w: none at all", ErrLayout)
	}
	var err error
	if f.sealer, err = sealerOf(tree, id, epoch); err != nil {
		return nil, err
	}
	f.sealer.CountIn(seals.counter(keys.Use{Domain: keys.Domain(id), Epoch: epoch}))
	f.bound = f.bind(f.sealer, f.written)
	return f, nil
}

// Columns are those of the layout that is written, in its order.
func (f *Family) Columns() []catalog.ID { return f.written.columns }

func absentOf(a *catalog.AddedColumn) absent {
	if a.Null {
		return absent{known: true}
	}
	return absent{known: true, value: append([]byte{}, a.Value...)} // an empty value is not NULL
}

// bind makes what seals and opens the forms of a layout.
func (f *Family) bind(s *gcm.Sealer, l *layout) *gcm.Bound {
	project := f.tree.Project()
	further := append(binary.BigEndian.AppendUint16(nil, l.number), 0)
	return s.Headed(further...).Bind(slices.Concat(project[:], f.id[:], l.hash[:]))
}

// AppendSealed appends a new sealed form of the canonical values of all columns of the layout that is written, in its order;
// nil is NULL. It fails with record.ErrValue.
func (f *Family) AppendSealed(dst []byte, values [][]byte) ([]byte, error) {
	buffer, ok := inputs.Get().(*[]byte)
	if !ok {
		return dst, errScheme
	}
	plain, err := f.written.fields.Append((*buffer)[:0], values)
	if err == nil {
		dst = f.bound.AppendSeal(dst, plain)
	}
	clear(plain)
	if cap(plain) <= inputKept {
		*buffer = plain
		inputs.Put(buffer)
	}
	return dst, err
}

// AppendOpened appends the record of a sealed form of whatever epoch and layout, and reads it: its values are parts of
// what is appended. The errors are those of package scheme and record.ErrRecord: an alarm each.
func (f *Family) AppendOpened(dst, sealed []byte) ([]byte, Opened, error) {
	h, l, err := f.head(sealed)
	if err != nil {
		return dst, Opened{}, err
	}
	bound, err := f.boundFor(h, l)
	if err != nil {
		return dst, Opened{}, err
	}
	at := len(dst)
	opened, err := bound.AppendOpen(dst, sealed)
	if err != nil {
		return dst, Opened{}, err
	}
	r, err := l.fields.Read(opened[at:])
	if err != nil {
		clear(opened[at:])
		return dst, Opened{}, err
	}
	return opened, Opened{record: r, layout: l, absent: f.absent}, nil
}

// head reads the header of a form, which is not authenticated yet, and finds its layout.
func (f *Family) head(sealed []byte) (h formHead, l *layout, err error) {
	if len(sealed) < familyHeader {
		return h, nil, scheme.ErrForm
	}
	s, epoch, _ := scheme.Header(sealed)
	h = formHead{epoch, binary.BigEndian.Uint16(sealed[layoutOffset:])}
	if l = f.written; h.layout != l.number {
		l = f.layouts[h.layout]
	}
	switch {
	case s != suite:
		return h, nil, scheme.ErrSuite
	case l == nil || sealed[zeroOffset] != 0:
		return h, nil, scheme.ErrForm
	case epoch > f.epoch: // nothing was sealed under it yet
		return h, nil, scheme.ErrEpoch
	}
	return h, l, nil
}

// boundFor is what opens the forms of a header.
func (f *Family) boundFor(h formHead, l *layout) (*gcm.Bound, error) {
	if h.epoch == f.epoch && l == f.written {
		return f.bound, nil
	}
	if known := f.others.of(h); known != nil {
		return known, nil
	}
	return f.others.add(h, headersMax, func() (*gcm.Bound, error) {
		if h.epoch == f.epoch {
			return f.bind(f.sealer, l), nil
		}
		s, err := sealerOf(f.tree, f.id, h.epoch)
		if err != nil {
			return nil, scheme.ErrEpoch
		}
		return f.bind(s, l), nil
	})
}

// Opened is a record that was opened. It belongs to one goroutine.
type Opened struct {
	record record.Record
	layout *layout
	absent []absent
}

// Value is the canonical value of a column of the family, nil for NULL, as record.Record.Value returns it; false if the row is of a layout
// without the column, and it is not known what such a row has.
func (o *Opened) Value(dst []byte, column int) (value, longer []byte, ok bool) {
	at := o.layout.places[column]
	if at < 0 {
		a := o.absent[column]
		return a.value, dst, a.known
	}
	value, longer = o.record.Value(dst, at)
	return value, longer, true
}

// Layout is the number of the layout.
func (o *Opened) Layout() uint16 { return o.layout.number }
