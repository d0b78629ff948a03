package charset

import (
	"slices"
	"sync"
	"unicode/utf8"

	"vitess.io/vitess/go/mysql/collations/colldata"
)

// byteWeigher is binary, and every _bin collation of an encoding that orders as
// its bytes do.
type byteWeigher struct{}

func (byteWeigher) appendWeights(dst, s []byte) []byte { return append(dst, s...) }

// tableWeigher is a collation with one weight for every byte.
type tableWeigher [256]byte

func (t *tableWeigher) appendWeights(dst, s []byte) []byte {
	start := len(dst)
	dst = append(dst, s...)
	for i, b := range dst[start:] {
		dst[start+i] = t[b]
	}
	return dst
}

// newTableWeigher reads the table out of the library, which has it inside.
func newTableWeigher(lib colldata.Collation) *tableWeigher {
	t := new(tableWeigher)
	for b := range t {
		copy(t[b:], lib.WeightString(nil, []byte{byte(b)}, 0)[:1])
	}
	return t
}

// sortCodes is what a general_ci collation makes of a character of the BMP.
type sortCodes [0x10000]uint16

// beyondBMP is the sort code of all other characters.
const beyondBMP = 0xFFFD

// runeWeigher weighs character by character: general_ci with a table, and _bin
// without one where the bytes of the encoding do not order as code points do.
// A weight is written in the form of UTF-8, which orders as the number does and
// is one byte for most text.
type runeWeigher struct {
	set   *Charset
	codes *sortCodes // nil for _bin
}

func (w *runeWeigher) appendWeights(dst, s []byte) []byte {
	for i := 0; i < len(s); {
		if w.set.ascii && s[i] < utf8.RuneSelf {
			var n int
			dst, n = w.appendASCII(dst, s[i:])
			i += n
			continue
		}
		r, n := w.set.codec.decode(s[i:])
		if n == 0 {
			return append(append(dst, 0xFF), s[i:]...) // FF starts no weight
		}
		i += n
		switch {
		case w.codes == nil:
		case r > 0xFFFF:
			r = beyondBMP
		default:
			r = rune(w.codes[r])
		}
		dst = appendCode(dst, r)
	}
	return dst
}

// appendASCII appends the weights of the ASCII characters that s begins with, of which
// there are n.
func (w *runeWeigher) appendASCII(dst, s []byte) (_ []byte, n int) {
	dst = slices.Grow(dst, len(s))
	out := dst[len(dst) : len(dst)+len(s)]
	for i, b := range s {
		if b >= utf8.RuneSelf {
			return dst[:len(dst)+i], i
		}
		out[i] = byte(w.codes[b])
	}
	return dst[:len(dst)+len(s)], len(s)
}

// appendCode appends r as UTF-8 does, surrogates like any other.
func appendCode(dst []byte, r rune) []byte {
	if r < utf8.RuneSelf {
		return append(dst, byte(r))
	}
	dst, _ = utf8Codec{bytesMax: 4, surrogates: true}.encode(dst, r)
	return dst
}

// generalCodes is the table of general_ci, read out of the library.
var generalCodes = sync.OnceValue(func() *sortCodes {
	lib := colldata.Lookup(45) // utf8mb4_general_ci
	codes := new(sortCodes)
	var char, weight [4]byte
	for r := range rune(len(codes)) {
		codes[r] = uint16(r)
		n := utf8.EncodeRune(char[:], r)
		if r >= 0xD800 && r <= 0xDFFF {
			continue // EncodeRune wrote another character
		}
		w := lib.WeightString(weight[:0], char[:n], 0)
		codes[r] = uint16(w[0])<<8 | uint16(w[1])
	}
	return codes
})
