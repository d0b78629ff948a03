package charset

import (
	"unicode/utf8"

	"vitess.io/vitess/go/mysql/collations"
	"vitess.io/vitess/go/mysql/collations/charset"
)

// libraryIDs bounds the numbers of the library's collations.
const libraryIDs collations.ID = 1024

// libraryCodec is a multi-byte encoding of the library.
type libraryCodec struct {
	lib      charset.Charset
	bytesMin int
	strict   bool // surrogates are not well formed
	pairs    bool // surrogates stand for other characters, in pairs
}

func (c libraryCodec) decode(s []byte) (rune, int) {
	if c.bytesMin == 4 && (s[0] != 0 || len(s) > 1 && s[1] > 0x10) {
		return 0, 0 // the library takes it for U+FFFD
	}
	r, n := c.lib.DecodeRune(s)
	if n > len(s) || r == utf8.RuneError && n < max(c.bytesMin, 2) {
		return 0, 0
	}
	if c.strict && r >= 0xD800 && r <= 0xDFFF {
		return 0, 0
	}
	return r, n
}

func (c libraryCodec) encode(dst []byte, r rune) ([]byte, bool) {
	if c.pairs && r >= 0xD800 && r <= 0xDFFF {
		return dst, false
	}
	start := len(dst)
	dst = append(dst, 0, 0, 0, 0)
	n := c.lib.EncodeRune(dst[start:], r)
	return dst[:start+max(n, 0)], n > 0
}

// minWidth is the length of the shortest character.
func minWidth(lib charset.Charset) int {
	switch lib.(type) {
	case charset.Charset_utf32:
		return 4
	case charset.Charset_utf16, charset.Charset_utf16le, charset.Charset_ucs2:
		return 2
	}
	return 1
}

// unknownCodec is an encoding nothing is known of: no byte of it is well formed.
type unknownCodec struct{}

func (unknownCodec) decode([]byte) (rune, int) { return 0, 0 }

func (unknownCodec) encode(dst []byte, _ rune) ([]byte, bool) { return dst, false }
