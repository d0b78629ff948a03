package scheme

import (
	"encoding/binary"
	"math/bits"
)

// Padding says how the plaintexts of a column are brought to lengths that tell
// little, before they are sealed. The zero value pads strings.
type Padding struct {
	width int // 0: strings
}

// PadString pads values of any length: a byte 0x80, then as few zero bytes as
// bring the whole to a multiple of 16 (ISO/IEC 7816-4). A sealed string shows
// its length only in steps of 16 bytes. Values that themselves end in 0x80 or in
// zeros come back unharmed, because the marker is always there.
var PadString = Padding{}

// padUnit is the step of lengths in bytes, and padMark the first byte of padding.
const (
	padUnit = 16
	padMark = 0x80
)

// PadExact is the padding of types whose encodings have one width in bytes:
// nothing is added, and any other length is refused. It panics if width is not
// positive.
func PadExact(width int) Padding {
	if width <= 0 {
		panic("scheme: a width that is not positive")
	}
	return Padding{width}
}

// Size returns the padded size of a value of n bytes.
func (p Padding) Size(n int) int {
	if p.width != 0 {
		return p.width
	}
	return n - n%padUnit + padUnit
}

// Append appends the padded value, or fails with ErrValue.
func (p Padding) Append(dst, value []byte) ([]byte, error) {
	if p.width != 0 {
		if len(value) != p.width {
			return dst, ErrValue
		}
		return append(dst, value...), nil
	}
	dst = append(dst, value...)
	dst = append(dst, padMark)
	return append(dst, zeros[:padUnit-1-len(value)%padUnit]...), nil
}

var zeros [padUnit]byte

// Strip returns the value inside padded, without copying it, or fails with
// ErrPadding.
//
// It takes a time that depends on the padding. That tells nobody anything:
// padding is inside the seal, so only bytes tunic itself padded get here, and no
// one can ask about bytes of their own.
func (p Padding) Strip(padded []byte) ([]byte, error) {
	if p.width != 0 {
		if len(padded) != p.width {
			return nil, ErrPadding
		}
		return padded, nil
	}
	if len(padded)%padUnit != 0 || len(padded) == 0 {
		return nil, ErrPadding
	}
	end := len(padded) - padUnit + lastOf(padded[len(padded)-padUnit:])
	if padded[end] != padMark {
		return nil, ErrPadding
	}
	return padded[:end], nil
}

// lastOf is where the last byte of a unit is that is not zero, 0 if all are. It is looked for
// in two words: of short values a loop over the bytes is a tenth of what opening them costs.
func lastOf(unit []byte) int {
	const wordBytes = 8
	if second := binary.LittleEndian.Uint64(unit[wordBytes:]); second != 0 {
		return wordBytes + (bits.Len64(second)-1)/8
	}
	return max(bits.Len64(binary.LittleEndian.Uint64(unit))-1, 0) / 8
}
