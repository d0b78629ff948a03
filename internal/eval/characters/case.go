package characters

import (
	"unicode"
	"unicode/utf8"
)

// AppendCase appends UTF-8 text in lower or upper case. known is false if it has a
// character that servers may treat otherwise: one that they lose, or, where there is no
// table, one whose other case is not the same in all versions of Unicode.
func (t *CaseTable) AppendCase(dst, s []byte, toUpper bool) (out []byte, known bool) {
	for i := 0; i < len(s); {
		b := s[i]
		if b < utf8.RuneSelf {
			dst = append(dst, asciiCase(b, toUpper))
			i++
			continue
		}
		r, n := utf8.DecodeRune(s[i:])
		if r, known = t.other(r, toUpper); !known {
			return dst, false
		}
		dst = utf8.AppendRune(dst, r)
		i += n
	}
	return dst, true
}

// other is the other case of a character, one and the same for all tables if t is nil.
func (t *CaseTable) other(r rune, toUpper bool) (other rune, known bool) {
	switch {
	case t != nil:
		return t.of(r, toUpper)
	case toUpper:
		return unicode.ToUpper(r), HasPlainCase(r)
	default:
		return unicode.ToLower(r), HasPlainCase(r)
	}
}

func asciiCase(b byte, toUpper bool) byte {
	switch {
	case toUpper && b >= 'a' && b <= 'z':
		return b - 'a' + 'A'
	case !toUpper && b >= 'A' && b <= 'Z':
		return b - 'A' + 'a'
	}
	return b
}

// HasPlainCase reports whether a character is of a range whose letters have had
// one and the same other case, or none, in every version of Unicode that the
// servers have tables of. TestCase compares all of them.
func HasPlainCase(r rune) bool {
	switch r {
	case 0xB5, 0xDF, 0xFF, 0x130, 0x131, 0x138, 0x149, 0x178, 0x17F:
		return false
	}
	switch {
	case r >= 0xA0 && r < 0x180, // Latin-1 and Latin Extended-A
		r >= 0x3B1 && r <= 0x3C9 && r != 0x3C2, r >= 0x391 && r <= 0x3A9, // Greek
		r >= 0x400 && r < 0x460,   // Cyrillic
		r >= 0x5D0 && r <= 0x5EA,  // Hebrew
		r >= 0x620 && r <= 0x64A,  // Arabic
		r >= 0x3040 && r < 0x3100, // Hiragana and Katakana
		r >= 0x4E00 && r < 0x9FA6, // CJK
		r >= 0xAC00 && r < 0xD7A4: // Hangul
		return true
	}
	return false
}
