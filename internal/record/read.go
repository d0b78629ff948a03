package record

import (
	"encoding/binary"
	"fmt"
	"math/bits"
)

// Record is the bytes of a record that has been read. It keeps them, and no copy.
type Record struct {
	layout *Layout
	bytes  []byte
	last   int // where the value begins that has no length
	end    int // where it ends

	// next is the one of the fields that are not fixed whose value begins at at: where
	// Value was the time before, so that to read all of many is not to add all lengths
	// for each.
	next, at int
}

// Read reads a record, all of which it checks. It fails with ErrRecord if Append makes
// these bytes of no values.
func (l *Layout) Read(record []byte) (Record, error) {
	r := Record{layout: l, bytes: record, at: l.values}
	wrong := r.measure()
	if wrong == "" {
		wrong = r.checkNulls()
	}
	if wrong != "" {
		return Record{}, fmt.Errorf("%w: %s", ErrRecord, wrong)
	}
	return r, nil
}

// measure finds where the values end, and returns what is wrong with sizes, "" if
// nothing is.
func (r *Record) measure() string {
	l := r.layout
	if len(l.others) == 0 {
		if len(r.bytes) != l.values {
			return "size"
		}
		return ""
	}
	r.end, r.last = paddingAt(r.bytes), l.values
	if r.end < l.values {
		return "padding"
	}
	for _, i := range l.others {
		f := &l.fields[i]
		n := r.length(f)
		if n < 0 || n > f.Longest {
			return "length"
		}
		if f.stored != 0 {
			r.last += n
		}
	}
	return ""
}

// length is the bytes of a value that is not fixed. Of the last one it is what the
// others leave, below 0 if they are longer than what is there.
func (r *Record) length(f *field) int {
	switch f.stored {
	case 0:
		return r.end - r.last
	case 1:
		return int(r.bytes[f.at])
	case 2:
		return int(binary.BigEndian.Uint16(r.bytes[f.at:]))
	}
	return int(binary.BigEndian.Uint32(r.bytes[f.at:]))
}

// checkNulls returns what is wrong with the NULLs, "" if nothing is: each has a field
// and nothing else than zeros.
func (r *Record) checkNulls() string {
	l := r.layout
	for at, b := range r.bytes[:l.nulls] {
		for ; b != 0; b &= b - 1 {
			i := 8*at + bits.TrailingZeros8(b)
			if i >= len(l.fields) {
				return "spare bits"
			}
			f := &l.fields[i]
			if f.Size == 0 && r.length(f) != 0 || f.Size != 0 && !allAre(r.bytes[f.at:f.at+f.stored], 0) {
				return "a value that is NULL"
			}
		}
	}
	return ""
}

// Value returns the canonical form of field i, from 0; nil is NULL, and an empty value
// is not. It is a part of the record, or, if bytes of it are left out there, what is
// appended to dst. It panics if the layout has no field i.
func (r *Record) Value(dst []byte, i int) (value, longer []byte) {
	f := &r.layout.fields[i]
	if r.bytes[i/8]>>(i%8)&1 != 0 {
		return nil, dst
	}
	if f.Size == 0 {
		return r.other(f), dst
	}
	stored := r.bytes[f.at : f.at+f.stored : f.at+f.stored]
	if f.stored == f.Size {
		return stored, dst
	}
	n := len(dst)
	longer = append(dst, leads[f.lead(stored)&1][:f.Head]...)
	longer = append(longer, stored...)
	longer = append(longer, leads[0][:f.Tail]...)
	return longer[n:len(longer):len(longer)], longer
}

// leads are bytes that were left out: of numbers that are not below zero, and of others.
var leads = [2][numberMax]byte{1: {
	0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
	0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
}}

// other is the value of a field that is not fixed.
func (r *Record) other(f *field) []byte {
	if f.stored == 0 {
		return r.bytes[r.last:r.end:r.end]
	}
	if f.rank < r.next {
		r.next, r.at = 0, r.layout.values
	}
	for ; r.next < f.rank; r.next++ {
		r.at += r.length(&r.layout.fields[r.layout.others[r.next]])
	}
	end := r.at + r.length(f)
	return r.bytes[r.at:end:end]
}
