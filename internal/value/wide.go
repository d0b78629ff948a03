package value

import (
	"encoding/binary"
	"math/bits"
)

// wide is an unsigned integer of 256 bits, enough for the 65 digits of a DECIMAL
// (10^65 < 2^217), the least significant word first.
type wide [4]uint64

// mulAdd sets w to w*m + a, which the caller knows to fit.
func (w *wide) mulAdd(m, a uint64) {
	for i := range w {
		high, low := bits.Mul64(w[i], m)
		var carry uint64
		w[i], carry = bits.Add64(low, a, 0)
		a = high + carry
	}
}

// divMod sets w to w/d and returns the remainder.
func (w *wide) divMod(d uint64) (rest uint64) {
	for i := len(w) - 1; i >= 0; i-- {
		w[i], rest = bits.Div64(rest, w[i], d)
	}
	return rest
}

// isZero reports whether w is 0.
func (w *wide) isZero() bool { return w[0]|w[1]|w[2]|w[3] == 0 }

// compare returns -1, 0 or 1.
func (w *wide) compare(v *wide) int {
	for i := len(w) - 1; i >= 0; i-- {
		if w[i] != v[i] {
			if w[i] < v[i] {
				return -1
			}
			return 1
		}
	}
	return 0
}

// negate sets w to its two's complement.
func (w *wide) negate() {
	carry := uint64(1)
	for i := range w {
		w[i], carry = bits.Add64(^w[i], 0, carry)
	}
}

// appendBytes appends the last n bytes of w, big endian; n is 8, 16 or 32.
func (w *wide) appendBytes(dst []byte, n int) []byte {
	for i := n/8 - 1; i >= 0; i-- {
		dst = binary.BigEndian.AppendUint64(dst, w[i])
	}
	return dst
}

// wideFrom reads big-endian two's complement bytes, 8, 16 or 32 of them, as sign
// and magnitude.
func wideFrom(b []byte) (w wide, negative bool) {
	words := len(b) / 8
	for i := range words {
		w[words-1-i] = binary.BigEndian.Uint64(b[8*i:])
	}
	if negative = b[0]>>7 == 1; negative {
		for i := words; i < len(w); i++ {
			w[i] = ^uint64(0)
		}
		w.negate()
	}
	return w, negative
}

// widePow10 holds 10^0 to 10^65.
var widePow10 = func() (p [decimalDigitsMax + 1]wide) {
	p[0] = wide{1}
	for i := 1; i < len(p); i++ {
		p[i] = p[i-1]
		p[i].mulAdd(10, 0)
	}
	return p
}()

// wideDigitsMax has room for the digits of a DECIMAL and zeros in front of them.
const wideDigitsMax = 4*19 + 1

// digits writes w in decimal to the end of room, without leading zeros: nothing
// for 0. All before it in room is '0'.
func (w wide) digits(room *[wideDigitsMax]byte) []byte {
	for i := range room {
		room[i] = '0'
	}
	end := len(room)
	for !w.isZero() {
		chunk := w.divMod(1e19)
		for i := end - 1; chunk > 0; i-- {
			room[i] = byte('0' + chunk%10)
			chunk /= 10
		}
		end -= 19
	}
	start := max(end, 0)
	for start < len(room) && room[start] == '0' {
		start++
	}
	return room[start:]
}

// bitLen is the number of bits of w without leading zeros.
func (w *wide) bitLen() int {
	for i := len(w) - 1; i >= 0; i-- {
		if w[i] != 0 {
			return 64*i + bits.Len64(w[i])
		}
	}
	return 0
}

// increment adds 1, which the caller knows to fit.
func (w *wide) increment() { w.mulAdd(1, 1) }
