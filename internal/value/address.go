package value

import (
	"encoding/binary"
	"encoding/hex"
	"net/netip"
	"strconv"
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
	var ok bool
	switch s.Form {
	case FormString:
		dst, ok = appendAddress(dst, t.Kind, s.Bytes)
	case FormHex, FormHexString, FormBit:
		if ok = len(s.Bytes) == addressBytes(t.Kind); ok {
			dst = append(dst, s.Bytes...)
		}
	default: // warnings that name the type of the source
		o.add(Error, Unanswerable, "")
		return dst
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
	if k == INET4 {
		return appendINET4(dst, text)
	}
	a, err := netip.ParseAddr(string(text))
	if err != nil || a.Zone() != "" || a.Is4() {
		return dst, false
	}
	b := a.As16()
	return append(dst, b[:]...), true
}

// appendINET4 reads four numbers of one to three digits.
func appendINET4(dst, text []byte) ([]byte, bool) {
	for part := range inet4Bytes {
		n, digits := 0, 0
		for len(text) > 0 && isDigit(text[0]) && digits < 3 {
			n, digits, text = n*10+int(text[0]-'0'), digits+1, text[1:]
		}
		if digits == 0 || n > 255 {
			return dst, false
		}
		dst = append(dst, byte(n))
		if part == inet4Bytes-1 {
			break
		}
		if len(text) == 0 || text[0] != '.' {
			return dst, false
		}
		text = text[1:]
	}
	return dst, len(text) == 0
}

// appendUUID reads 32 hexadecimal digits with hyphens anywhere between them.
func appendUUID(dst, text []byte) ([]byte, bool) {
	var digits [2 * uuidBytes]byte
	n := 0
	for _, b := range text {
		switch {
		case b == '-' && n > 0 && n < len(digits):
		case b == '-' || n == len(digits):
			return dst, false
		default:
			digits[n] = b
			n++
		}
	}
	if n < len(digits) {
		return dst, false
	}
	var b [uuidBytes]byte
	if _, err := hex.Decode(b[:], digits[:]); err != nil {
		return dst, false
	}
	return append(dst, b[:]...), true
}

// rotated reports whether a UUID sorts by its fields from the last to the first:
// those of versions 1 to 5 of RFC 9562, whose time stands in the wrong order.
func rotated(u []byte) bool { return u[6] > 0 && u[6] < 0x60 && u[8]&0x80 != 0 }

// unsortable recognises UUIDs that MariaDB refuses: what it keeps of them could
// not be told from a rotated one.
func unsortable(u []byte) bool {
	return !rotated(u) && u[6]&0x80 != 0 && u[8] > 0 && u[8] <= 0x80
}

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
		return appendINET6Text(dst, b)
	}
}

// appendINET6Text writes eight groups, the first of the longest runs of zeros as
// "::", even a run of one, and an address that holds one of INET4 with that.
func appendINET6Text(dst, b []byte) []byte {
	const groups = inet6Bytes / 2
	gap, length := longestZeros(b)
	last := groups
	mapped := length == 5 && binary.BigEndian.Uint16(b[10:]) == 0xffff
	if gap == 0 && (length == 6 || mapped) {
		last = groups - 2
	}
	for i := 0; i < last; i++ {
		if length > 0 && i == gap {
			dst = append(dst, "::"...)
			i += length - 1
			continue
		}
		if i > 0 && i != gap+length || i > 0 && length == 0 {
			dst = append(dst, ':')
		}
		dst = strconv.AppendUint(dst, uint64(binary.BigEndian.Uint16(b[2*i:])), 16)
	}
	if last == groups {
		return dst
	}
	if mapped {
		dst = append(dst, ':')
	}
	return netip.AddrFrom4([inet4Bytes]byte(b[12:])).AppendTo(dst)
}

// longestZeros finds the first of the longest runs of zero groups.
func longestZeros(b []byte) (start, length int) {
	run := 0
	for i := 0; i < len(b); i += 2 {
		if b[i]|b[i+1] != 0 {
			run = 0
			continue
		}
		if run++; run > length {
			start, length = i/2-run+1, run
		}
	}
	return start, length
}

// compareAddress serves text that is an address or UUID.
func compareAddress(dst []byte, t *Type, s *Source) ([]byte, Exactness) {
	if s.Form != FormString {
		return dst, NotServable
	}
	start := len(dst)
	dst, ok := appendAddress(dst, t.Kind, s.Bytes)
	if !ok || t.Kind == UUID && unsortable(dst[start:]) {
		return dst[:start], NotServable
	}
	return dst, Exact
}
