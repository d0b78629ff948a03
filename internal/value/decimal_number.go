package value

import (
	"math"
)

// decimalDigitsMax is the highest precision of a DECIMAL column.
const decimalDigitsMax = 65

// The server computes with decimals of nine groups of nine digits, the groups
// counted from the point. Integer digits beyond them overflow, digits of the
// fraction beyond them are cut.
const (
	groupDigits = 9
	groupsMax   = 9
)

// decimal is an exact number from text: digits without leading zeros and the
// place of the point among them.
type decimal struct {
	negative bool
	overflow bool // more integer digits than the server computes with
	cut      bool // digits of the fraction were lost on reading
	// hugeExponent and beyondExponent say that an exponent was above 2^30, and that
	// it was beyond 64 bits.
	hugeExponent, beyondExponent bool
	count                        int // digits in digit
	point                        int // digits before the point; negative for zeros after it
	digit                        [groupDigits * groupsMax]byte
}

// read reads a decimal at the start of s: spaces, a sign, digits and an
// exponent. It returns how many bytes it read, and whether there was a number.
func (d *decimal) read(s []byte) (end int, ok bool) {
	i := skipSpaces(s, 0)
	d.negative = i < len(s) && s[i] == '-'
	if i < len(s) && (s[i] == '-' || s[i] == '+') {
		i++
	}
	i, ok = d.readDigits(s, i)
	if !ok {
		d.negative = false
		return i, false
	}
	exponent, after, ok := readDecimalExponent(s, i)
	if ok {
		d.hugeExponent = exponent == exponentHugeFrom
		d.beyondExponent = d.hugeExponent && after-i > exponentDigitsMax
		i = after
		d.shift(max(min(exponent, exponentMax), -exponentMax))
	}
	d.normalize()
	return i, true
}

// readDigits reads the digits and the point.
func (d *decimal) readDigits(s []byte, i int) (end int, ok bool) {
	start := i
	for i < len(s) && isDigit(s[i]) {
		i++
	}
	whole := s[start:i]
	var fraction []byte
	if i < len(s) && s[i] == '.' {
		from := i + 1
		for i = from; i < len(s) && isDigit(s[i]); {
			i++
		}
		fraction = s[from:i]
	}
	if len(whole)+len(fraction) == 0 {
		return start, false
	}
	for len(whole) > 0 && whole[0] == '0' {
		whole = whole[1:]
	}
	d.setDigits(whole, fraction)
	return i, true
}

// setDigits keeps what the server has room for.
func (d *decimal) setDigits(whole, fraction []byte) {
	groups := (len(whole) + groupDigits - 1) / groupDigits
	if groups > groupsMax {
		d.overflow = true
		return
	}
	if room := (groupsMax - groups) * groupDigits; len(fraction) > room {
		fraction, d.cut = fraction[:room], true
	}
	d.point = len(whole)
	d.count = copy(d.digit[:], whole)
	d.count += copy(d.digit[d.count:], fraction)
	for i := range d.digit[:d.count] {
		d.digit[i] -= '0'
	}
}

// readDecimalExponent reads an exponent that has at least one digit; without one
// the e is no part of the number.
func readDecimalExponent(s []byte, i int) (exponent, end int, ok bool) {
	start := i
	if i+1 >= len(s) || s[i]|0x20 != 'e' {
		return 0, start, false
	}
	i++
	negative := s[i] == '-'
	if negative || s[i] == '+' {
		i++
	}
	if i == len(s) || !isDigit(s[i]) {
		return 0, start, false
	}
	for ; i < len(s) && isDigit(s[i]); i++ {
		exponent = min(exponent*10+int(s[i]-'0'), exponentHugeFrom)
	}
	if negative {
		exponent = -exponent
	}
	return exponent, i, true
}

const (
	// exponentHugeFrom is where MySQL no longer computes with an exponent.
	exponentHugeFrom = 1 << 30
	// exponentDigitsMax is the number of characters, with the e, of an exponent
	// that fits into 64 bits.
	exponentDigitsMax = 20
)

// shift multiplies by a power of ten, within what the server has room for.
func (d *decimal) shift(exponent int) {
	if exponent == 0 || d.isZero() {
		return
	}
	d.normalize()
	d.point += exponent
	if d.point > groupsMax*groupDigits {
		d.overflow = true
	}
	if room := groupsMax*groupDigits - max(d.point, 0); d.count-d.point > room {
		if keep := room + d.point; keep < d.count {
			d.count, d.cut = max(keep, 0), true
		}
	}
}

// normalize drops zeros at both ends.
func (d *decimal) normalize() {
	lead := 0
	for lead < d.count && d.digit[lead] == 0 {
		lead++
	}
	if lead > 0 {
		copy(d.digit[:], d.digit[lead:d.count])
		d.count -= lead
		d.point -= lead
	}
	for d.count > 0 && d.digit[d.count-1] == 0 {
		d.count--
	}
	if d.count == 0 {
		d.point = 0
	}
}

func (d *decimal) isZero() bool {
	if d.overflow {
		return false
	}
	for _, b := range d.digit[:d.count] {
		if b != 0 {
			return false
		}
	}
	return true
}

// fits reports whether the number has at most so many digits before the point.
func (d *decimal) fits(whole int) bool { return !d.overflow && (d.count == 0 || d.point <= whole) }

// roundsAt reports whether rounding to scale digits loses any.
func (d *decimal) roundsAt(scale int) bool { return d.count-d.point > scale }

// round rounds to scale digits after the point, halves away from zero.
func (d *decimal) round(scale int) *decimal {
	keep := d.point + scale
	if keep >= d.count {
		return d
	}
	if keep < 0 {
		d.count, d.point = 0, 0
		return d
	}
	up := d.digit[keep] >= 5
	d.count = keep
	if up {
		d.increment()
	}
	d.normalize()
	return d
}

// increment adds one to the last digit kept.
func (d *decimal) increment() {
	for i := d.count - 1; i >= 0; i-- {
		if d.digit[i] < 9 {
			d.digit[i]++
			return
		}
		d.digit[i] = 0
	}
	copy(d.digit[1:], d.digit[:min(d.count, len(d.digit)-1)])
	d.digit[0] = 1
	d.count = min(d.count+1, len(d.digit))
	d.point++
}

// uint64 returns the magnitude of an integer.
func (d *decimal) uint64() (uint64, bool) {
	if d.overflow || d.point > digitsMax {
		return math.MaxUint64, false
	}
	var n uint64
	for i := range max(d.point, 0) {
		digit := uint64(d.at(i))
		if n > tenthOfMax || n == tenthOfMax && digit > lastOfMax {
			return math.MaxUint64, false
		}
		n = n*10 + digit
	}
	return n, true
}

// at returns the digit at i; there are zeros behind the last.
func (d *decimal) at(i int) byte {
	if i < d.count {
		return d.digit[i]
	}
	return 0
}

// scaled returns the magnitude times 10^scale. The number has been rounded to
// scale and fits into 65 digits.
func (d *decimal) scaled(scale int) wide {
	var w wide
	digits := d.point + scale // of the result
	for i := 0; i < digits; {
		chunk, power := uint64(0), uint64(1)
		for ; i < digits && power < 1e18; i++ {
			chunk, power = chunk*10+uint64(d.at(i)), power*10
		}
		w.mulAdd(power, chunk)
	}
	return w
}

// appendText appends the number in its shortest form, with scale digits after
// the point at least.
func (d *decimal) appendText(dst []byte, scale int) []byte {
	if d.negative && !d.isZero() {
		dst = append(dst, '-')
	}
	if d.point <= 0 {
		dst = append(dst, '0')
	}
	for i := range max(d.point, 0) {
		dst = append(dst, '0'+d.at(i))
	}
	if scale = max(scale, d.count-d.point); scale == 0 {
		return dst
	}
	dst = append(dst, '.')
	for i := range scale {
		if place := d.point + i; place < 0 {
			dst = append(dst, '0')
		} else {
			dst = append(dst, '0'+d.at(place))
		}
	}
	return dst
}
