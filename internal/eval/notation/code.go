package notation

import "tunic/internal/value/charset"

// FirstByte is the first byte.
func FirstByte(_ *charset.Charset, s []byte) int64 {
	if len(s) == 0 {
		return 0
	}
	return int64(s[0])
}

// FirstChar is the first character's bytes as a number.
func FirstChar(set *charset.Charset, s []byte) (code int64) {
	for _, b := range set.TruncateChars(s, 1) {
		code = code<<8 | int64(b)
	}
	return code
}

// AppendCode appends the bytes of a number without zeros before them, one at
// least.
func AppendCode(dst []byte, n uint32) []byte {
	for shift := 24; shift > 0; shift -= 8 {
		if n>>shift != 0 {
			dst = append(dst, byte(n>>shift))
		}
	}
	return append(dst, byte(n))
}
