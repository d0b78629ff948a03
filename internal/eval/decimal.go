package eval

import (
	"encoding/binary"
	"math"
	"math/big"
	"math/bits"
)

// decimalWords is the size of a decimal: 320 bits hold 96 digits, more than the
// 81 that the servers compute with.
const decimalWords = 5

// decimalBytes are those of the longest canonical form.
const decimalBytes = 8 * decimalWords

// decimal is an exact number: magnitude / 10^scale, least significant word
// first.
type decimal struct {
	negative bool
	scale    uint8
	word     [decimalWords]uint64
}

// Limits of the servers (MySQL manual, "DECIMAL Data Type Characteristics"; strings/decimal.c).
const (
	digitsMax       = 65 // of a result
	groupDigits     = 9
	groupsMax       = 9 // of a number that is being computed
	scaleMaxMySQL   = 30
	scaleMaxMariaDB = 38
)

func decimalOfInt(i int64) (d decimal) {
	d.negative = i < 0
	d.word[0] = magnitude(i)
	return d
}

func decimalOfUint(u uint64) (d decimal) {
	d.word[0] = u
	return d
}

// decimalOfMicros is a number of whole units and millionths, with so many digits after the point.
func decimalOfMicros(negative bool, whole, micros uint64, scale int) (d decimal) {
	d.negative, d.word[0] = negative, whole
	if scale > 0 {
		d.mulWord(1000000, micros)
		d.scale = 6
		d.cut(scale)
	}
	return d
}

// magnitude is a number without its sign.
func magnitude(i int64) uint64 {
	if i < 0 {
		return -uint64(i)
	}
	return uint64(i)
}

// setCanonical reads 8, 16 or 32 bytes of a DECIMAL column.
func (d *decimal) setCanonical(b []byte, scale int) {
	*d = decimal{scale: uint8(scale), negative: b[0]>>7 == 1}
	words := len(b) / 8
	for i := range words {
		d.word[words-1-i] = binary.BigEndian.Uint64(b[8*i:])
	}
	if !d.negative {
		return
	}
	carry := uint64(1)
	for i := range words {
		d.word[i], carry = bits.Add64(^d.word[i], 0, carry)
	}
}

// appendCanonical appends the number as a DECIMAL column of so many bytes and of
// its own scale has it.
func (d *decimal) appendCanonical(dst []byte, n int) []byte {
	w := d.word
	if d.negative {
		carry := uint64(1)
		for i := range w {
			w[i], carry = bits.Add64(^w[i], 0, carry)
		}
	}
	for i := n/8 - 1; i >= 0; i-- {
		dst = binary.BigEndian.AppendUint64(dst, w[i])
	}
	return dst
}

func (d *decimal) isZero() bool {
	return d.word[0]|d.word[1]|d.word[2]|d.word[3]|d.word[4] == 0
}

// decimals is how many digits stand after the point.
func (d *decimal) decimals() int { return int(d.scale) }

// negate makes d -d.
func (d *decimal) negate() { d.negative = !d.negative && !d.isZero() }

// abs drops the sign.
func (d *decimal) abs() { d.negative = false }

// small is the magnitude of a number that fits into 64 bits, without a point, and its sign.
func (d *decimal) small() (n uint64, negative, ok bool) { return d.word[0], d.negative, d.isSmall() }

// isSmall reports whether the magnitude fits into 64 bits.
func (d *decimal) isSmall() bool { return d.word[1]|d.word[2]|d.word[3]|d.word[4] == 0 }

// mulWord multiplies by m and adds a; false if the number leaves its room.
func (d *decimal) mulWord(m, a uint64) bool {
	for i := range d.word {
		high, low := bits.Mul64(d.word[i], m)
		var carry uint64
		d.word[i], carry = bits.Add64(low, a, 0)
		a = high + carry
	}
	return a == 0
}

// divWord divides by v and returns the remainder.
func (d *decimal) divWord(v uint64) (rest uint64) {
	for i := len(d.word) - 1; i >= 0; i-- {
		d.word[i], rest = bits.Div64(rest, d.word[i], v)
	}
	return rest
}

var pow10 = func() (p [20]uint64) {
	p[0] = 1
	for i := 1; i < len(p); i++ {
		p[i] = p[i-1] * 10
	}
	return p
}()

// extend gives the number more digits after the point; false if there is no
// room.
func (d *decimal) extend(scale int) bool {
	for more := scale - int(d.scale); more > 0; more -= len(pow10) - 1 {
		if !d.mulWord(pow10[min(more, len(pow10)-1)], 0) {
			return false
		}
	}
	d.scale = max(d.scale, uint8(scale))
	return true
}

// cut drops digits after the point beyond scale, and reports whether the first of
// them was 5 or more, and whether any was not zero. scale may be negative: the
// digits before the point become zeros that are not kept.
func (d *decimal) cut(scale int) (up, lost bool) {
	for less := int(d.scale) - scale; less > 0; {
		n := min(less, len(pow10)-1)
		rest := d.divWord(pow10[n])
		lost = lost || rest != 0 || up
		up = rest >= pow10[n]/2
		less -= n
	}
	d.scale = min(d.scale, uint8(max(scale, 0)))
	return up, lost || up
}

// round rounds to scale digits after the point, halves away from zero, and fills
// up to them.
func (d *decimal) round(scale int) bool {
	if int(d.scale) <= scale {
		return d.extend(scale)
	}
	if up, _ := d.cut(scale); up {
		d.mulWord(1, 1)
	}
	d.dropSign()
	return true
}

// whole cuts to an integer, up or down.
func (d *decimal) whole(up bool) {
	if _, lost := d.cut(0); lost && d.negative != up {
		d.mulWord(1, 1)
	}
	d.dropSign()
}

// roundAt rounds or cuts to digits after the point, or before it if they are negative, and fills
// up to scale.
func (d *decimal) roundAt(digits, scale int, truncate bool) {
	up, _ := d.cut(digits)
	if up && !truncate {
		d.mulWord(1, 1)
	}
	d.extendZeros(-digits)
	d.extend(scale)
	d.dropSign()
}

// extendZeros puts n zeros before the point, in the place of digits that were cut
// there.
func (d *decimal) extendZeros(n int) {
	for ; n > 0; n-- {
		d.mulWord(10, 0)
	}
}

// dropSign makes -0 0: decimals have no negative zero.
func (d *decimal) dropSign() {
	if d.isZero() {
		d.negative = false
	}
}

// compareMagnitude compares numbers of one scale.
func (d *decimal) compareMagnitude(e *decimal) int {
	for i := len(d.word) - 1; i >= 0; i-- {
		if d.word[i] != e.word[i] {
			return order(d.word[i] < e.word[i])
		}
	}
	return 0
}

// order is -1 if a comparison of two unequal values found less, else +1.
func order(less bool) int {
	if less {
		return -1
	}
	return 1
}

// compare compares two decimals; ok is false if they cannot be brought to one
// scale.
func (d *decimal) compare(e *decimal) (c int, ok bool) {
	if d.negative != e.negative {
		return order(d.negative), true
	}
	a, b := *d, *e
	if !a.extend(int(b.scale)) || !b.extend(int(a.scale)) {
		return 0, false
	}
	c = a.compareMagnitude(&b)
	if d.negative {
		c = -c
	}
	return c, true
}

// add sets d to a + b; false if it needs more room than there is.
func (d *decimal) add(a, b *decimal) bool {
	x, y := *a, *b
	if !x.extend(int(y.scale)) || !y.extend(int(x.scale)) {
		return false
	}
	if x.negative == y.negative {
		return d.addMagnitudes(&x, &y)
	}
	if x.compareMagnitude(&y) < 0 {
		x, y = y, x
	}
	*d = x
	borrow := uint64(0)
	for i := range d.word {
		d.word[i], borrow = bits.Sub64(x.word[i], y.word[i], borrow)
	}
	d.dropSign()
	return true
}

func (d *decimal) addMagnitudes(x, y *decimal) bool {
	*d = *x
	carry := uint64(0)
	for i := range d.word {
		d.word[i], carry = bits.Add64(x.word[i], y.word[i], carry)
	}
	return carry == 0
}

// addSmall adds a number of the same scale where both have one word, as most have that
// are summed; false if it is to be done otherwise, and d is as it was.
func (d *decimal) addSmall(x *decimal) bool {
	return x.isSmall() && d.addWord(x.word[0], x.negative, x.scale)
}

// addWord is addSmall of a number that is given as its word.
func (d *decimal) addWord(b uint64, negative bool, scale uint8) bool {
	if d.scale != scale || !d.isSmall() {
		return false
	}
	a := d.word[0]
	switch {
	case d.negative == negative:
		sum, carry := bits.Add64(a, b, 0)
		if carry != 0 || sum >= pow10[19] {
			return false
		}
		d.word[0] = sum
	case a >= b:
		d.word[0] = a - b
		d.negative = d.negative && a > b
	default:
		d.word[0], d.negative = b-a, negative
	}
	return true
}

// sub sets d to a - b.
func (d *decimal) sub(a, b *decimal) bool {
	minus := *b
	minus.negative = !b.negative && !b.isZero()
	return d.add(a, &minus)
}

// mul sets d to a * b; false if it needs more room than there is.
func (d *decimal) mul(a, b *decimal) bool {
	var p [2 * decimalWords]uint64
	for i, x := range a.word {
		carry := uint64(0)
		for j, y := range b.word {
			high, low := bits.Mul64(x, y)
			var c uint64
			low, c = bits.Add64(low, carry, 0)
			high += c
			p[i+j], c = bits.Add64(p[i+j], low, 0)
			carry = high + c
		}
		p[i+decimalWords] = carry
	}
	scale := int(a.scale) + int(b.scale)
	*d = decimal{negative: a.negative != b.negative, scale: uint8(scale)}
	copy(d.word[:], p[:decimalWords])
	d.dropSign()
	return p[5]|p[6]|p[7]|p[8]|p[9] == 0 && scale <= groupDigits*groupsMax
}

// quotientScale is the number of digits after the point that the servers compute
// of a quotient: those of both numbers and increment more, in whole groups of
// nine (strings/decimal.c, do_div_mod).
func quotientScale(a, b, increment int) int {
	whole := func(n int) int { return (n + groupDigits - 1) / groupDigits * groupDigits }
	increment = max(0, increment-(whole(a)-a+whole(b)-b))
	return whole(whole(a) + whole(b) + increment)
}

// quotient sets d to a / b with so many digits after the point, cutting the rest.
// b is not zero. It is false if there is no room.
func (d *decimal) quotient(a, b *decimal, scale int) bool {
	x, y := *a, *b
	// x * 10^shift / y has scale digits.
	shift := scale + int(y.scale) - int(x.scale)
	if shift < 0 {
		if !y.extendBy(-shift) {
			return false
		}
	} else if !x.extendBy(shift) {
		return false
	}
	negative := a.negative != b.negative
	if y.isSmall() {
		x.divWord(y.word[0])
	} else {
		x.setBig(new(big.Int).Quo(x.big(), y.big()))
	}
	*d = decimal{negative: negative, scale: uint8(scale), word: x.word}
	d.dropSign()
	return true
}

// extendBy multiplies by 10^n.
func (d *decimal) extendBy(n int) bool { return d.extend(int(d.scale) + n) }

// remainder sets d to what is left of a after division by b, with the sign of a.
func (d *decimal) remainder(a, b *decimal) bool {
	x, y := *a, *b
	if !x.extend(int(y.scale)) || !y.extend(int(x.scale)) {
		return false
	}
	if y.isSmall() {
		rest := x.divWord(y.word[0])
		x.word = [decimalWords]uint64{rest}
	} else {
		x.setBig(new(big.Int).Rem(x.big(), y.big()))
	}
	*d = x
	d.dropSign()
	return true
}

func (d *decimal) big() *big.Int {
	var b [8 * decimalWords]byte
	for i, w := range d.word {
		binary.BigEndian.PutUint64(b[8*(decimalWords-1-i):], w)
	}
	return new(big.Int).SetBytes(b[:])
}

func (d *decimal) setBig(n *big.Int) {
	var b [8 * decimalWords]byte
	n.FillBytes(b[:])
	for i := range d.word {
		d.word[i] = binary.BigEndian.Uint64(b[8*(decimalWords-1-i):])
	}
}

// wholeDigits returns how many digits stand before the point, at least 0.
func (d *decimal) wholeDigits() int {
	n := -int(d.scale)
	w := *d
	for !w.isSmall() {
		w.divWord(pow10[19])
		n += 19
	}
	for v := w.word[0]; v > 0; v /= 10 {
		n++
	}
	return max(n, 0)
}

// isExact reports whether the servers have room for the number: 65 digits, in
// groups of nine on both sides of the point.
func (d *decimal) isExact() bool {
	whole := d.wholeDigits()
	groups := (whole+groupDigits-1)/groupDigits + (int(d.scale)+groupDigits-1)/groupDigits
	return groups <= groupsMax && whole <= digitsMax
}

// double returns the nearest double to the number's text.
func (d *decimal) double() float64 {
	if d.isSmall() && d.word[0] < 1<<53 && d.scale <= 22 {
		f := float64(d.word[0]) / exactPow10[d.scale]
		if d.negative {
			return -f
		}
		return f
	}
	f, _ := new(big.Float).SetPrec(53).SetMode(big.ToNearestEven).SetRat(d.rat()).Float64()
	return f
}

func (d *decimal) rat() *big.Rat {
	n := d.big()
	if d.negative {
		n.Neg(n)
	}
	return new(big.Rat).SetFrac(n, new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(d.scale)), nil))
}

// exactPow10 are the powers of ten that doubles hold exactly: a division by them
// rounds once.
var exactPow10 = func() (p [23]float64) {
	for i := range p {
		p[i] = math.Pow10(i)
	}
	return p
}()

// int64 rounds to an integer, halves away from zero; ok is false if it does not
// fit.
func (d *decimal) int64() (int64, bool) {
	r := *d
	r.round(0)
	if !r.isSmall() || r.word[0] > math.MaxInt64+1 || !r.negative && r.word[0] > math.MaxInt64 {
		return 0, false
	}
	if r.negative {
		return int64(-r.word[0]), true
	}
	return int64(r.word[0]), true
}

// micros is the integer that a million of the number rounds to.
func (d *decimal) micros() (int64, bool) {
	n := *d
	n.mulWord(1000000, 0)
	return n.int64()
}

// uint64 is the integer that the number rounds to, if 64 bits without a sign hold it.
func (d *decimal) uint64() (uint64, bool) {
	r := *d
	r.round(0)
	return r.word[0], r.isSmall() && !r.negative
}

// setText reads digits with a sign and a point, as literals and canonical texts
// have them; false for anything else.
func (d *decimal) setText(s []byte) bool {
	*d = decimal{}
	if len(s) > 0 && (s[0] == '-' || s[0] == '+') {
		d.negative, s = s[0] == '-', s[1:]
	}
	point, digits := false, 0
	for _, b := range s {
		switch {
		case b == '.' && !point:
			point = true
		case b-'0' <= 9:
			if digits++; !d.mulWord(10, uint64(b-'0')) {
				return false
			}
			if point {
				d.scale++
			}
		default:
			return false
		}
	}
	d.dropSign()
	return digits > 0 && int(d.scale) <= groupDigits*groupsMax
}

// appendText appends the number with all its digits after the point.
func (d *decimal) appendText(dst []byte) []byte {
	var room [128]byte
	i := len(room)
	w := *d
	for n := 0; n <= int(d.scale) || !w.isZero(); n++ {
		if n == int(d.scale) && n > 0 {
			i--
			room[i] = '.'
		}
		i--
		room[i] = byte('0' + w.divWord(10))
	}
	if d.negative {
		dst = append(dst, '-')
	}
	return append(dst, room[i:]...)
}
