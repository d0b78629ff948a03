package record

import (
	"encoding/binary"
	"fmt"
	"slices"
)

// Append appends the record of values, which are canonical forms in the order of the
// fields; nil is NULL, and an empty value is not. It fails with ErrValue if there are
// more or fewer values than fields, or if a value is not of its field's size, is
// longer than its longest, or has bits in the bytes that are left out.
func (l *Layout) Append(dst []byte, values [][]byte) ([]byte, error) {
	size, err := l.size(values)
	if err != nil {
		return dst, err
	}
	n := len(dst)
	longer := slices.Grow(dst, size)[:n+size]
	record := longer[n:]
	clear(record[:l.values])
	at := l.values
	for i, v := range values {
		f := &l.fields[i]
		switch {
		case v == nil:
			record[i/8] |= 1 << (i % 8)
		case f.Size != 0:
			copy(record[f.at:f.at+f.stored], v[f.Head:])
		default:
			f.putLength(record, len(v))
			at += copy(record[at:], v)
		}
	}
	if at < size {
		clear(record[at:])
		record[at] = padMark
	}
	return longer, nil
}

// size is the bytes of the record of values that fit.
func (l *Layout) size(values [][]byte) (int, error) {
	if len(values) != len(l.fields) {
		return 0, fmt.Errorf("%w: %d values of %d fields", ErrValue, len(values), len(l.fields))
	}
	n := l.values
	for i, v := range values {
		if f := &l.fields[i]; v != nil {
			if !f.takes(v) {
				return 0, fmt.Errorf("%w: field %d", ErrValue, i)
			}
			if f.Size == 0 {
				n += len(v)
			}
		}
	}
	if len(l.others) == 0 {
		return n, nil
	}
	return padded(n), nil
}

// takes reports whether a value is one of the field.
func (f *field) takes(v []byte) bool {
	if f.Size == 0 {
		return len(v) <= f.Longest
	}
	if len(v) != f.Size {
		return false
	}
	if f.stored == f.Size {
		return true
	}
	stored := v[f.Head : f.Head+f.stored]
	return allAre(v[:f.Head], f.lead(stored)) && allAre(v[f.Head+f.stored:], 0)
}

// lead is what each byte is that was left out at the beginning.
func (f *field) lead(stored []byte) byte {
	if f.Signed && stored[0]&0x80 != 0 {
		return 0xff
	}
	return 0
}

func allAre(all []byte, b byte) bool {
	for _, c := range all {
		if c != b {
			return false
		}
	}
	return true
}

// putLength writes the length of a value that is not fixed, unless it is left out.
func (f *field) putLength(record []byte, n int) {
	switch f.stored {
	case 1:
		record[f.at] = byte(n)
	case 2:
		binary.BigEndian.PutUint16(record[f.at:], uint16(n))
	case 4:
		binary.BigEndian.PutUint32(record[f.at:], uint32(n))
	}
}
