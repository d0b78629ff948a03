package charset

import (
	"unicode/utf8"

	"vitess.io/vitess/go/mysql/collations/colldata"
)

// uca9Weigher is a collation of UCA 9.0.0, with the tables of the library. What
// is not well formed is appended as it is, behind FFFF, which is no weight: the
// library stops there, and strings that differ further on would be equal.
type uca9Weigher struct{ lib colldata.Collation }

func (w uca9Weigher) appendWeights(dst, s []byte) []byte {
	if utf8.Valid(s) {
		return w.lib.WeightString(dst, s, 0)
	}
	good := 0
	for {
		r, n := utf8.DecodeRune(s[good:])
		if r == utf8.RuneError && n == 1 {
			break
		}
		good += n
	}
	dst = w.lib.WeightString(dst, s[:good], 0)
	return append(append(dst, 0xFF, 0xFF), s[good:]...)
}

// ucaWeigher is a collation of UCA 4.0.0 for a language, with the tables of the
// library. It adds what the library leaves out: surrogates, U+FFFF, and where
// every character has two bytes or more, U+FFFD.
type ucaWeigher struct {
	lib colldata.Collation
	set *Charset
}

func (w *ucaWeigher) appendWeights(dst, s []byte) []byte {
	for {
		at, r, n := w.next(s)
		if at > 0 {
			dst = w.lib.WeightString(dst, s[:at], 0)
		}
		switch s = s[at:]; {
		case len(s) == 0:
			return dst
		case n == 0:
			return append(append(dst, 0xFF, 0xFF), s...)
		case r == utf8.RuneError:
			dst = appendRoot(dst, 224, r) // no language has it elsewhere
		default:
			dst = appendImplicit(dst, 0xFBC0, r)
		}
		s = s[n:]
	}
}

// next finds the first character of s that is not the library's: its offset,
// which is the length of s if there is none, itself and its length, which is 0
// if it is not well formed.
func (w *ucaWeigher) next(s []byte) (at int, r rune, n int) {
	for i := w.set.asciiRun(s); i < len(s); i += w.set.asciiRun(s[i:]) {
		r, n := w.set.codec.decode(s[i:])
		if n == 0 || isImplicit(r) || r == utf8.RuneError && w.set.BytesMin > 1 {
			return i, r, n
		}
		i += n
	}
	return len(s), 0, 0
}
