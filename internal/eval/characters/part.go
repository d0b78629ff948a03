package characters

import (
	"bytes"
	"math"
	"strings"

	"tunic/internal/value/charset"
)

// Substring counts characters from 1, or from the end if position is negative.
func Substring(set *charset.Charset, s []byte, n []int64) []byte {
	length := int64(math.MaxInt64)
	if len(n) > 1 {
		length = n[1]
	}
	position := n[0]
	if position == 0 || length <= 0 {
		return nil
	}
	chars := int64(set.CharLen(s))
	if position < 0 {
		position += chars + 1
	}
	if position < 1 || position > chars {
		return nil
	}
	s = s[len(set.TruncateChars(s, int(position-1))):]
	return set.TruncateChars(s, int(min(length, chars)))
}

// Left is so many characters from the start.
func Left(set *charset.Charset, s []byte, n []int64) []byte {
	return set.TruncateChars(s, int(min(max(n[0], 0), int64(len(s)))))
}

// Right is so many characters up to the end.
func Right(set *charset.Charset, s []byte, n []int64) []byte {
	chars := int64(set.CharLen(s))
	if n[0] <= 0 {
		return nil
	}
	return s[len(set.TruncateChars(s, int(max(chars-n[0], 0)))):]
}

// Trim is text without what is cut from its ends.
func Trim(s, cut []byte, leading, trailing bool) []byte {
	if len(cut) == 0 {
		return s
	}
	for leading && bytes.HasPrefix(s, cut) {
		s = s[len(cut):]
	}
	for trailing && bytes.HasSuffix(s, cut) {
		s = s[:len(s)-len(cut)]
	}
	return s
}

// IsSelfSynchronizing reports whether bytes that are a character are nowhere
// part of another one.
func IsSelfSynchronizing(set *charset.Charset) bool {
	return set.BytesMax == 1 || strings.HasPrefix(set.Name, "utf8")
}

// AppendReplaced appends text with something in the place of each part, which is compared as bytes.
func AppendReplaced(dst, s, from, to []byte) []byte {
	if len(from) == 0 {
		return append(dst, s...)
	}
	for {
		i := bytes.Index(s, from)
		if i < 0 {
			return append(dst, s...)
		}
		dst = append(append(dst, s[:i]...), to...)
		s = s[i+len(from):]
	}
}

// Around is what stands before and behind a part of text. A length that is no
// length, or reaches beyond the end, is up to the end.
func Around(set *charset.Charset, s []byte, position, length int64) (before, after []byte, ok bool) {
	chars := int64(set.CharLen(s))
	if position < 1 || position > chars {
		return nil, nil, false
	}
	before = set.TruncateChars(s, int(position-1))
	rest := s[len(before):]
	if length < 0 || length > chars-position {
		return before, nil, true
	}
	return before, rest[len(set.TruncateChars(rest, int(length))):], true
}

// SubstringIndex is text up to the n-th delimiter, or behind the n-th from the end.
func SubstringIndex(s, delimiter []byte, n int64) []byte {
	if n == 0 || len(delimiter) == 0 {
		return nil
	}
	rest := s
	for n > 0 {
		i := bytes.Index(rest, delimiter)
		if i < 0 {
			return s
		}
		if n--; n == 0 {
			return s[:len(s)-len(rest)+i]
		}
		rest = rest[i+len(delimiter):]
	}
	for end := len(s); ; {
		i := bytes.LastIndex(s[:end], delimiter)
		if i < 0 {
			return s
		}
		if n++; n == 0 {
			return s[i+len(delimiter):]
		}
		end = i
	}
}

// OverlapsItself reports whether two of s may share bytes, as two of "aba" do.
func OverlapsItself(s []byte) bool {
	for n := 1; n < len(s); n++ {
		if bytes.Equal(s[:n], s[len(s)-n:]) {
			return true
		}
	}
	return false
}

// AppendReversed appends text from its last character to its first.
func AppendReversed(dst []byte, set *charset.Charset, s []byte) []byte {
	start := len(dst)
	dst = append(dst, s...)
	out, end := dst[start:], len(s)
	for rest := s; len(rest) > 0; {
		n := len(set.TruncateChars(rest, 1))
		copy(out[end-n:end], rest[:n])
		rest, end = rest[n:], end-n
	}
	return dst
}

// AppendFill appends so many characters of a text that is repeated.
func AppendFill(dst []byte, set *charset.Charset, fill []byte, chars int) []byte {
	each := set.CharLen(fill)
	for ; chars >= each; chars -= each {
		dst = append(dst, fill...)
	}
	return append(dst, set.TruncateChars(fill, chars)...)
}
