package notation

import (
	"bytes"
	"encoding/binary"
	"math"
	"net/netip"
	"strconv"
)

// ReadIPv4 reads four decimal numbers of up to three digits.
func ReadIPv4(s []byte) (u uint32, ok bool) {
	parts, digits, n := 1, 0, uint32(0)
	for _, b := range s {
		switch {
		case b >= '0' && b <= '9' && digits < 3:
			n, digits = n*10+uint32(b-'0'), digits+1
		case b == '.' && digits > 0 && parts < 4:
			u, n, digits = u<<8|n, 0, 0
			parts++
		default:
			return 0, false
		}
		if n > math.MaxUint8 {
			return 0, false
		}
	}
	return u<<8 | n, parts == 4 && digits > 0
}

// AppendIPv4 writes four decimal numbers.
func AppendIPv4(dst []byte, u uint32) []byte {
	for shift := 24; shift >= 0; shift -= 8 {
		dst = strconv.AppendUint(dst, uint64(byte(u>>shift)), 10)
		if shift > 0 {
			dst = append(dst, '.')
		}
	}
	return dst
}

// ReadIPv6 reads an address of IPv6. The last four bytes may be written as one of
// IPv4, and that with zeros before its numbers, which package netip does not take.
func ReadIPv6(s []byte) (b [16]byte, ok bool) {
	var tail uint32
	last := bytes.LastIndexByte(s, ':')
	mixed := bytes.IndexByte(s, '.') >= 0
	text := string(s)
	if mixed {
		if tail, ok = ReadIPv4(s[last+1:]); !ok {
			return b, false
		}
		text = string(s[:last+1]) + "0:0"
	}
	a, err := netip.ParseAddr(text)
	if err != nil || !a.Is6() || a.Zone() != "" {
		return b, false
	}
	if b = a.As16(); mixed {
		binary.BigEndian.PutUint32(b[12:], tail)
	}
	return b, true
}

// AppendIPv6 writes the longest run of zeros as two colons, also one of a single
// group, and the last four bytes of an address that stands for one of IPv4 with
// points.
func AppendIPv6(dst []byte, b [16]byte) []byte {
	var groups [8]uint16
	for i := range groups {
		groups[i] = binary.BigEndian.Uint16(b[2*i:])
	}
	at, length := longestZeros(&groups)
	for i := 0; i < len(groups); i++ {
		if i == at {
			dst = append(dst, ':')
			if i += length - 1; i == len(groups)-1 {
				dst = append(dst, ':')
			}
			continue
		}
		if i > 0 {
			dst = append(dst, ':')
		}
		if i == 6 && at == 0 && (length == 6 || length == 5 && groups[5] == math.MaxUint16) {
			return AppendIPv4(dst, binary.BigEndian.Uint32(b[12:]))
		}
		dst = strconv.AppendUint(dst, uint64(groups[i]), 16)
	}
	return dst
}

func longestZeros(groups *[8]uint16) (at, length int) {
	at = -1
	for i := 0; i < len(groups); i++ {
		n := 0
		for i+n < len(groups) && groups[i+n] == 0 {
			n++
		}
		if n > length {
			at, length = i, n
		}
		i += n
	}
	return at, length
}

// IsIPv4 reports whether text is an address of IPv4.
func IsIPv4(s []byte) bool {
	_, ok := ReadIPv4(s)
	return ok
}

// IsIPv6 reports whether text is an address of IPv6.
func IsIPv6(s []byte) bool {
	_, ok := ReadIPv6(s)
	return ok
}
