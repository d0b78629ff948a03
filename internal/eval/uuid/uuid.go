package uuid

import "encoding/hex"

// A UUID as text is 32 hexadecimal digits: in groups of 8, 4, 4, 4 and 12 with
// dashes between them, the same in braces, or without dashes (MySQL manual,
// "Miscellaneous Functions").
const (
	Bytes      = 16
	uuidDigits = 2 * Bytes
	Chars      = uuidDigits + 4
)

// uuidGroups are the bytes of the groups.
var uuidGroups = [...]int{4, 2, 2, 2, 6}

// Read reads the text of a UUID.
func Read(s []byte) (u [Bytes]byte, ok bool) {
	if len(s) == Chars+2 && s[0] == '{' && s[len(s)-1] == '}' {
		s = s[1 : len(s)-1]
	}
	if len(s) == uuidDigits {
		_, err := hex.Decode(u[:], s)
		return u, err == nil
	}
	if len(s) != Chars {
		return u, false
	}
	to := u[:]
	for i, n := range uuidGroups {
		if i > 0 {
			if s[0] != '-' {
				return u, false
			}
			s = s[1:]
		}
		if _, err := hex.Decode(to[:n], s[:2*n]); err != nil {
			return u, false
		}
		s, to = s[2*n:], to[n:]
	}
	return u, true
}

// Append writes the text of a UUID.
func Append(dst []byte, u [Bytes]byte) []byte {
	from := u[:]
	for i, n := range uuidGroups {
		if i > 0 {
			dst = append(dst, '-')
		}
		dst = hex.AppendEncode(dst, from[:n])
		from = from[n:]
	}
	return dst
}

// Swap has the parts of the time in the order of their weight: the high one
// first.
func Swap(u [Bytes]byte) (v [Bytes]byte) {
	copy(v[0:], u[6:8])
	copy(v[2:], u[4:6])
	copy(v[4:], u[0:4])
	copy(v[8:], u[8:])
	return v
}

// Unswap is the way back.
func Unswap(v [Bytes]byte) (u [Bytes]byte) {
	copy(u[0:], v[4:8])
	copy(u[4:], v[2:4])
	copy(u[6:], v[0:2])
	copy(u[8:], v[8:])
	return u
}
