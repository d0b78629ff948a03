package notation

import "encoding/base64"

// base64Line is how many characters TO_BASE64 writes before it begins a new line.
const base64Line = 76

// AppendBase64 writes base 64, in lines.
func AppendBase64(dst, s []byte) []byte {
	const each = base64Line / 4 * 3
	for len(s) > each {
		dst = append(base64.StdEncoding.AppendEncode(dst, s[:each]), '\n')
		s = s[each:]
	}
	return base64.StdEncoding.AppendEncode(dst, s)
}

// AppendFromBase64 reads base 64; spaces do not count.
func AppendFromBase64(dst, s []byte) ([]byte, bool) {
	start := len(dst)
	for _, b := range s {
		switch b {
		case ' ', '\t', '\n', '\v', '\f', '\r':
		default:
			dst = append(dst, b)
		}
	}
	n, err := base64.StdEncoding.Decode(dst[start:], dst[start:])
	return dst[:start+n], err == nil
}
