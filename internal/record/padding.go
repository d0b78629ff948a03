package record

import (
	"encoding/binary"
	"math/bits"
)

// padUnit is the step of lengths in bytes, and padMark the first byte of padding.
const (
	padUnit = 16
	padMark = 0x80
)

// padded is the size of n bytes with their padding.
func padded(n int) int { return n - n%padUnit + padUnit }

// paddingAt is where padding begins, -1 if the record is not padded. It takes a time
// that depends on the padding, which tells nobody anything: it is inside the seal.
func paddingAt(record []byte) int {
	if len(record) == 0 || len(record)%padUnit != 0 {
		return -1
	}
	at := len(record) - padUnit + lastOf(record[len(record)-padUnit:])
	if record[at] != padMark {
		return -1
	}
	return at
}

// lastOf is where the last byte of a unit is that is not zero, 0 if all are.
func lastOf(unit []byte) int {
	const wordBytes = 8
	if second := binary.LittleEndian.Uint64(unit[wordBytes:]); second != 0 {
		return wordBytes + (bits.Len64(second)-1)/8
	}
	return max(bits.Len64(binary.LittleEndian.Uint64(unit))-1, 0) / 8
}
