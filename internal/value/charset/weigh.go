package charset

import (
	"sync"
	"unicode/utf8"

	"vitess.io/vitess/go/mysql/collations/colldata"
)

// byteWeigher is binary, and every _bin collation of an encoding that orders as
// its bytes do.
type byteWeigher struct{}

func (byteWeigher) appendWeights(dst, s []byte) []byte { return append(dst, s...) }

func (byteWeigher) firstWeights(eight uint64) (uint64, bool) { return eight, true }

// tableWeigher is a collation with one weight for every byte.
type tableWeigher struct {
	weights [256]byte
	upper   bool // ASCII characters have the weights of their capitals
}

func (t *tableWeigher) appendWeights(dst, s []byte) []byte {
	if t.upper {
		var n int
		dst, n = appendUpper(dst, s)
		s = s[n:]
	}
	start := len(dst)
	dst = append(dst, s...)
	for i, b := range dst[start:] {
		dst[start+i] = t.weights[b]
	}
	return dst
}

func (t *tableWeigher) firstWeights(eight uint64) (first uint64, ok bool) { //nolint:unparam // others have bytes without
	if t.upper && eight&asciiHighs == 0 {
		return upperOf(eight), true
	}
	for shift := 56; shift >= 0; shift -= 8 {
		first = first<<8 | uint64(t.weights[byte(eight>>shift)])
	}
	return first, true
}

// newTableWeigher reads the table out of the library, which has it inside.
func newTableWeigher(lib colldata.Collation) *tableWeigher {
	t := new(tableWeigher)
	for b := range t.weights {
		copy(t.weights[b:], lib.WeightString(nil, []byte{byte(b)}, 0)[:1])
	}
	t.upper = isUpper(func(b byte) uint16 { return uint16(t.weights[b]) })
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
	upper bool       // ASCII characters have the weights of their capitals
}

// newRuneWeigher is that of general_ci.
func newRuneWeigher(set *Charset) *runeWeigher {
	codes := generalCodes()
	return &runeWeigher{set, codes, isUpper(func(b byte) uint16 { return codes[b] })}
}

func (w *runeWeigher) appendWeights(dst, s []byte) []byte {
	for i := 0; i < len(s); {
		if w.set.ascii && w.upper && s[i] < utf8.RuneSelf {
			var n int
			dst, n = appendUpper(dst, s[i:])
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

func (w *runeWeigher) firstWeights(eight uint64) (uint64, bool) {
	if !w.set.ascii || !w.upper || eight&asciiHighs != 0 {
		return 0, false
	}
	return upperOf(eight), true
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
