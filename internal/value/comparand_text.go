package value

import (
	"encoding/binary"

	"tunic/internal/value/charset"
)

// compareText serves strings, compared in the column's collation. The literal's
// own collation yields to it; whether it does (COLLATE, other columns) is for the
// caller to know.
func compareText(dst []byte, t *Type, s *Source) ([]byte, Exactness) {
	if s.Form != FormString {
		return dst, NotServable
	}
	if exact, _ := t.Collation.Exact(); !exact {
		return dst, NotServable
	}
	start := len(dst)
	dst, ok := inColumnCharset(dst, t, s)
	if !ok {
		return dst[:start], NotServable
	}
	return dst, Exact
}

// inColumnCharset appends a literal in the column's character set; false if that
// loses characters.
func inColumnCharset(dst []byte, t *Type, s *Source) ([]byte, bool) {
	to := t.Collation.Charset
	from := s.charset(to.Flavor)
	if from != to && !from.ConvertibleTo(to) {
		return dst, false
	}
	dst, bad := charset.Convert(dst, to, from, s.Bytes)
	return dst, bad < 0
}

func convertible(cs *charset.Charset) bool {
	ok, _ := cs.Convertible()
	return ok
}

// compareBytes serves strings as the bytes they are.
func compareBytes(dst []byte, s *Source) ([]byte, Exactness) {
	switch s.Form {
	case FormString, FormHex, FormBit, FormHexString:
		return append(dst, s.Bytes...), Exact
	default:
		return dst, NotServable
	}
}

// compareEnum serves labels, which are compared as strings, and numbers, which
// are compared with the index.
func compareEnum(dst []byte, t *Type, s *Source) ([]byte, Exactness) {
	switch s.Form {
	case FormInt:
		return indexComparand(dst, int64(s.Number), uint64(len(t.Labels)))
	case FormString:
		text, ok := comparableLabel(t, s)
		if !ok {
			return dst, NotServable
		}
		switch n, many := t.matchLabels(text); {
		case many:
			return dst, NotServable
		case n == 0:
			return dst, Never
		default:
			return appendIndex(dst, uint64(n)), ExactEquality
		}
	default:
		return dst, NotServable
	}
}

// indexComparand places a number among 0 to most.
func indexComparand(dst []byte, n int64, most uint64) ([]byte, Exactness) {
	switch {
	case n < 0:
		return dst, Below
	case uint64(n) > most:
		return dst, Above
	}
	return binary.BigEndian.AppendUint64(dst, uint64(n)), Exact
}

// matchLabels returns the index of the label that equals the text; many says that
// there is more than one, which non-strict mode allows.
func (t *Type) matchLabels(text []byte) (n int, many bool) {
	for i, label := range t.Labels {
		if t.Collation.Compare(label, text) == 0 {
			many = n > 0
			n = i + 1
		}
	}
	return n, many
}

// hasEqualLabels reports whether two labels are equal in the collation.
func (t *Type) hasEqualLabels() bool {
	for _, label := range t.Labels {
		if _, many := t.matchLabels(label); many {
			return true
		}
	}
	return false
}

// comparableLabel returns a literal of ASCII characters other than control
// characters: such as no collation ignores, and none takes for a comma. One of
// spaces only could be the label of 0.
func comparableLabel(t *Type, s *Source) ([]byte, bool) {
	if exact, _ := t.Collation.Exact(); !exact || t.Collation.Charset.BytesMin > 1 {
		return nil, false
	}
	for _, b := range s.Bytes {
		if b < ' ' || b > '~' {
			return nil, false
		}
	}
	return s.Bytes, !onlySpaces(s.Bytes)
}

// compareSet serves numbers, compared with the bits, and lists of labels in the
// order of the column, which are compared as one string.
func compareSet(dst []byte, t *Type, s *Source) ([]byte, Exactness) {
	switch s.Form {
	case FormInt:
		if len(t.Labels) < 63 {
			return indexComparand(dst, int64(s.Number), 1<<len(t.Labels)-1)
		}
		return dst, NotServable
	case FormString:
		text, ok := comparableLabel(t, s)
		if !ok || t.hasEqualLabels() {
			return dst, NotServable
		}
		var o Outcome
		bits, unknown := t.findLabels(text, &o)
		if unknown || bits == 0 {
			return dst, Never
		}
		var room [128]byte
		if t.Collation.Compare(t.appendLabels(room[:0], bits), text) != 0 {
			return dst, Never
		}
		return appendIndex(dst, bits), ExactEquality
	default:
		return dst, NotServable
	}
}
