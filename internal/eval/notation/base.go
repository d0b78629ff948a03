package notation

import (
	"encoding/hex"
	"math"
	"strconv"
)

const hexDigits = "0123456789ABCDEF"

// AppendHex writes bytes with upper hexadecimal digits.
func AppendHex(dst, s []byte) []byte {
	for _, b := range s {
		dst = append(dst, hexDigits[b>>4], hexDigits[b&15])
	}
	return dst
}

// AppendUnhex reads digits of which the first may stand alone.
func AppendUnhex(dst, s []byte) ([]byte, bool) {
	start := len(dst)
	if len(s)%2 == 1 {
		dst = append(dst, '0')
	}
	dst = append(dst, s...)
	n, err := hex.Decode(dst[start:], dst[start:])
	return dst[:start+n], err == nil
}

// ReadBase reads an integer of 64 bits from the start of text, as far as it has
// digits. Spaces before it do not count, nor does what follows. A sign counts.
func ReadBase(s []byte, base int) (u uint64, ok bool) {
	for len(s) > 0 && s[0] == ' ' {
		s = s[1:]
	}
	negative := len(s) > 0 && s[0] == '-'
	if len(s) > 0 && (s[0] == '-' || s[0] == '+') {
		s = s[1:]
	}
	unsigned := uint64(max(base, -base))
	digits := 0
	for ; digits < len(s); digits++ {
		v := digitValue(s[digits])
		if v >= unsigned {
			break
		}
		if u > (math.MaxUint64-v)/unsigned {
			return 0, false
		}
		u = u*unsigned + v
	}
	if negative && u > 1<<63 || base < 0 && !negative && u > math.MaxInt64 {
		return 0, false
	}
	if negative {
		u = -u
	}
	return u, digits > 0
}

func digitValue(b byte) uint64 {
	switch {
	case b >= '0' && b <= '9':
		return uint64(b - '0')
	case b >= 'a' && b <= 'z':
		return uint64(b-'a') + 10
	case b >= 'A' && b <= 'Z':
		return uint64(b-'A') + 10
	}
	return math.MaxUint64
}

// AppendBase writes an integer with the digits of a base; below zero, with a sign.
func AppendBase(dst []byte, u uint64, base int) []byte {
	start := len(dst)
	if base < 0 {
		dst = strconv.AppendInt(dst, int64(u), -base)
	} else {
		dst = strconv.AppendUint(dst, u, base)
	}
	for i := start; i < len(dst); i++ {
		if dst[i] >= 'a' {
			dst[i] -= 'a' - 'A'
		}
	}
	return dst
}
