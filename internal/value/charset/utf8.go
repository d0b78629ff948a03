package charset

import "unicode/utf8"

// utf8Codec is utf8mb3 and utf8mb4. MariaDB takes the code points of surrogates
// for characters; MySQL does not.
type utf8Codec struct {
	bytesMax   int // 3 or 4
	surrogates bool
}

func (c utf8Codec) decode(s []byte) (rune, int) {
	r, n := utf8.DecodeRune(s)
	switch {
	case r != utf8.RuneError || n == 3:
		if n > c.bytesMax {
			return 0, 0
		}
		return r, n
	case c.surrogates && len(s) >= 3 && isSurrogate(s):
		return 0xD000 | rune(s[1]&0x3F)<<6 | rune(s[2]&0x3F), 3
	}
	return 0, 0
}

// isSurrogate reports whether s starts with U+D800 to U+DFFF as UTF-8 would
// write them if it could. s has three bytes or more.
func isSurrogate(s []byte) bool {
	return s[0] == 0xED && s[1]&0xE0 == 0xA0 && s[2]&0xC0 == 0x80
}

func (c utf8Codec) encode(dst []byte, r rune) ([]byte, bool) {
	switch {
	case r >= 0xD800 && r <= 0xDFFF:
		if !c.surrogates {
			return dst, false
		}
		return append(dst, 0xED, 0x80|byte(r>>6)&0x3F, 0x80|byte(r)&0x3F), true
	case r > 0xFFFF && c.bytesMax < 4, r > utf8.MaxRune, r < 0:
		return dst, false
	}
	return utf8.AppendRune(dst, r), true
}
