package document

import (
	"bytes"
	"strconv"
	"unicode/utf8"
)

// The escapes of one letter and what they stand for.
const (
	escapes = `"\/bfnrt`
	meant   = "\"\\/\b\f\n\r\t"
)

// unitBytes is the length of uXXXX.
const unitBytes = 5

// unit reads uXXXX.
func unit(s []byte) (rune, bool) {
	if len(s) < unitBytes || s[0] != 'u' {
		return 0, false
	}
	n, err := strconv.ParseUint(string(s[1:unitBytes]), 16, 16)
	return rune(n), err == nil
}

// AppendText appends what a string or a name stands for that Parse has read.
func AppendText(dst, raw []byte) []byte {
	for i := 0; i < len(raw); i++ {
		if raw[i] != '\\' {
			dst = append(dst, raw[i])
			continue
		}
		i++
		if at := bytes.IndexByte([]byte(escapes), raw[i]); at >= 0 {
			dst = append(dst, meant[at])
			continue
		}
		r, _ := unit(raw[i:])
		dst = utf8.AppendRune(dst, r)
		i += unitBytes - 1
	}
	return dst
}

// AppendRaw appends text as it stands between the quotes of a string: what has to
// be escaped is, and nothing else.
func AppendRaw(dst, text []byte) []byte {
	for _, b := range text {
		at := bytes.IndexByte([]byte(meant), b)
		switch {
		case at >= 0 && b != '/':
			dst = append(dst, '\\', escapes[at])
		case b < ' ':
			dst = append(dst, `\u00`...)
			dst = append(dst, "0123456789abcdef"[b>>4], "0123456789abcdef"[b&15])
		default:
			dst = append(dst, b)
		}
	}
	return dst
}

// Text is a string of text.
func Text(text []byte) Value { return Value{Kind: String, Raw: AppendRaw(nil, text)} }
