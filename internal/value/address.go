package value

import (
	"encoding/hex"
	"net/netip"
)

// MariaDB's UUID, INET4 and INET6 are written as text and kept as bytes.
const (
	uuidBytes  = 16
	inet4Bytes = 4
	inet6Bytes = 16
)

// addressWord is the word of the server's message.
func addressWord(k Kind) string { return kindNames[k] }

// assignAddress stores text, or the bytes of a binary string of the very length.
// What is none becomes NULL, even in a NOT NULL column of the server's inner
// workings, which then has the zero value.
func assignAddress(dst []byte, t *Type, s *Source, env *Env, o *Outcome) []byte {
	start := len(dst)
	ok := false
	switch s.Form {
	case FormString:
		dst, ok = appendAddress(dst, t.Kind, s.Bytes)
	case FormHex, FormHexString, FormBit:
		if ok = len(s.Bytes) == addressBytes(t.Kind); ok {
			dst = append(dst, s.Bytes...)
		}
	default:
	}
	if ok && !(t.Kind == UUID && unsortable(dst[start:])) {
		return dst
	}
	o.warn(env, WrongValue, addressWord(t.Kind))
	if t.NotNull {
		return appendByte(dst[:start], 0, addressBytes(t.Kind))
	}
	o.Null = true
	return dst[:start]
}

func addressBytes(k Kind) int {
	if k == INET4 {
		return inet4Bytes
	}
	return inet6Bytes
}

// appendAddress reads the text of an address or UUID.
func appendAddress(dst []byte, k Kind, text []byte) ([]byte, bool) {
	if k == UUID {
		return appendUUID(dst, text)
	}
	a, err := netip.ParseAddr(string(text))
	if err != nil || a.Zone() != "" || a.Is4() != (k == INET4) {
		return dst, false
	}
	if k == INET4 {
		b := a.As4()
		return append(dst, b[:]...), true
	}
	b := a.As16()
	return append(dst, b[:]...), true
}

// appendUUID reads 32 hexadecimal digits with hyphens anywhere between the bytes.
func appendUUID(dst, text []byte) ([]byte, bool) {
	n := 0
	for i := 0; i < len(text); {
		if text[i] == '-' && n > 0 && n < uuidBytes {
			i++
			continue
		}
		if i+1 >= len(text) || n == uuidBytes {
			return dst, false
		}
		var b [1]byte
		if _, err := hex.Decode(b[:], text[i:i+2]); err != nil {
			return dst, false
		}
		dst = append(dst, b[0])
		i, n = i+2, n+1
	}
	return dst, n == uuidBytes
}

// rotated reports whether a UUID sorts by its fields from the last to the first:
// those of versions 1 to 5 of RFC 9562, whose time stands in the wrong order.
func rotated(u []byte) bool { return u[6] > 0 && u[6] < 0x60 && u[8]&0x80 != 0 }

// unsortable recognises UUIDs that MariaDB refuses: what it keeps of them could
// not be told from a rotated one.
func unsortable(u []byte) bool { return !rotated(u) && u[6]&0x80 != 0 }

// uuidOrder appends the bytes of a UUID in the order they sort by.
func uuidOrder(dst, u []byte) []byte {
	if !rotated(u) {
		return append(dst, u...)
	}
	dst = append(dst, u[10:16]...)
	dst = append(dst, u[8:10]...)
	dst = append(dst, u[6:8]...)
	dst = append(dst, u[4:6]...)
	return append(dst, u[0:4]...)
}

// appendAddressText writes a UUID or an address in the server's form.
func appendAddressText(dst []byte, k Kind, b []byte) []byte {
	switch k {
	case UUID:
		for i, end := range [...]int{4, 6, 8, 10, 16} {
			start := [...]int{0, 4, 6, 8, 10}[i]
			if i > 0 {
				dst = append(dst, '-')
			}
			dst = hex.AppendEncode(dst, b[start:end])
		}
		return dst
	case INET4:
		return netip.AddrFrom4([inet4Bytes]byte(b)).AppendTo(dst)
	default:
		return netip.AddrFrom16([inet6Bytes]byte(b)).AppendTo(dst)
	}
}

// compareAddress serves text that is an address or UUID.
func compareAddress(dst []byte, t *Type, s *Source) ([]byte, Exactness) {
	if s.Form != FormString {
		return dst, NotServable
	}
	start := len(dst)
	dst, ok := appendAddress(dst, t.Kind, s.Bytes)
	if !ok {
		return dst[:start], NotServable
	}
	return dst, Exact
}
