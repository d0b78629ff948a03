package charset

import (
	"encoding/binary"
	"slices"
)

// Most text is ASCII, and ASCII is looked at eight bytes at a time.
const (
	asciiBytes = 8
	asciiOnes  = 0x0101010101010101
	asciiHighs = 0x80 * asciiOnes // the bits that no ASCII character has
)

// asciiRun returns how many bytes at the start of s are below 0x80.
func asciiRun(s []byte) int {
	i := 0
	for i+asciiBytes <= len(s) && binary.LittleEndian.Uint64(s[i:])&asciiHighs == 0 {
		i += asciiBytes
	}
	for i < len(s) && s[i] < 0x80 {
		i++
	}
	return i
}

// appendUpper appends the ASCII characters that s begins with, letters as capitals, of
// which there are n.
func appendUpper(dst, s []byte) (_ []byte, n int) {
	dst = slices.Grow(dst, len(s))
	out := dst[len(dst) : len(dst)+len(s)]
	for n+asciiBytes <= len(s) {
		chars := binary.LittleEndian.Uint64(s[n:])
		if chars&asciiHighs != 0 {
			break
		}
		binary.LittleEndian.PutUint64(out[n:], upperOf(chars))
		n += asciiBytes
	}
	for ; n < len(s) && s[n] < 0x80; n++ {
		out[n] = byte(upperOf(uint64(s[n])))
	}
	return dst[:len(dst)+n], n
}

// upperOf makes capitals of the letters of eight ASCII characters. Adding to each of
// them sets its highest bit where it is an 'a' or more, or more than a 'z', and never
// carries into the next.
func upperOf(chars uint64) uint64 {
	fromA := chars + (0x80-'a')*asciiOnes
	beyondZ := chars + (0x80-'z'-1)*asciiOnes
	const toCase = 2 // from the highest bit to the one in which the cases differ
	return chars ^ (fromA&^beyondZ&asciiHighs)>>toCase
}

// isUpper reports whether a collation gives every ASCII character the weight of its
// capital.
func isUpper(weight func(b byte) uint16) bool {
	for b := range byte(0x80) {
		if uint64(weight(b)) != upperOf(uint64(b)) {
			return false
		}
	}
	return true
}

// IsASCII reports whether s has no byte above 0x7F.
func IsASCII(s []byte) bool { return asciiRun(s) == len(s) }

// InUTF8 reports whether text in a character set is UTF-8, of as many bytes as the set has.
func InUTF8(name string) bool {
	return slices.Contains([]string{"utf8mb4", "utf8mb3", "utf8", "ascii"}, name)
}
