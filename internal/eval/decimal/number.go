package decimal

import (
	"encoding/binary"
	"math/big"
	"math/bits"
)

// words is the size of a number: 320 bits hold 96 digits, more than the
// 81 that the servers compute with.
const words = 5

// Bytes is the size of the longest canonical form.
const Bytes = 8 * words

// Number is an exact number: magnitude / 10^scale, least significant word
// first.
type Number struct {
	negative bool
	scale    uint8
	word     [words]uint64
}

// Limits of the servers (MySQL manual, "DECIMAL Data Type Characteristics"; strings/decimal.c).
const (
	DigitsMax       = 65 // of a result
	groupDigits     = 9
	groupsMax       = 9 // of a number that is being computed
	ScaleMaxMySQL   = 30
	ScaleMaxMariaDB = 38
)

// OfInt is an integer.
func OfInt(i int64) (d Number) {
	d.negative = i < 0
	d.word[0] = Magnitude(i)
	return d
}

// OfUint is an integer without a sign.
func OfUint(u uint64) (d Number) {
	d.word[0] = u
	return d
}

// OfMicros is a number of whole units and millionths, with so many digits after the point.
func OfMicros(negative bool, whole, micros uint64, scale int) (d Number) {
	d.negative, d.word[0] = negative, whole
	if scale > 0 {
		d.mulWord(1000000, micros)
		d.scale = 6
		d.cut(scale)
	}
	return d
}

// Magnitude is a number without its sign.
func Magnitude(i int64) uint64 {
	if i < 0 {
		return -uint64(i)
	}
	return uint64(i)
}

// SetCanonical reads 8, 16 or 32 bytes of a DECIMAL column.
func (d *Number) SetCanonical(b []byte, scale int) {
	*d = Number{scale: uint8(scale), negative: b[0]>>7 == 1}
	have := len(b) / 8
	for i := range have {
		d.word[have-1-i] = binary.BigEndian.Uint64(b[8*i:])
	}
	if !d.negative {
		return
	}
	carry := uint64(1)
	for i := range have {
		d.word[i], carry = bits.Add64(^d.word[i], 0, carry)
	}
}

// AppendCanonical appends the number as a DECIMAL column of so many bytes and of
// its own scale has it.
func (d *Number) AppendCanonical(dst []byte, n int) []byte {
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

// IsZero reports whether the number is 0.
func (d *Number) IsZero() bool {
	return d.word[0]|d.word[1]|d.word[2]|d.word[3]|d.word[4] == 0
}

// Decimals is how many digits stand after the point.
func (d *Number) Decimals() int { return int(d.scale) }

// Negate makes d -d.
func (d *Number) Negate() { d.negative = !d.negative && !d.IsZero() }

// Abs drops the sign.
func (d *Number) Abs() { d.negative = false }

// Small is the magnitude of a number that fits into 64 bits, without a point, and its sign.
func (d *Number) Small() (n uint64, negative, ok bool) { return d.word[0], d.negative, d.isSmall() }

// isSmall reports whether the magnitude fits into 64 bits.
func (d *Number) isSmall() bool { return d.word[1]|d.word[2]|d.word[3]|d.word[4] == 0 }

// mulWord multiplies by m and adds a; false if the number leaves its room.
func (d *Number) mulWord(m, a uint64) bool {
	for i := range d.word {
		high, low := bits.Mul64(d.word[i], m)
		var carry uint64
		d.word[i], carry = bits.Add64(low, a, 0)
		a = high + carry
	}
	return a == 0
}

// divWord divides by v and returns the remainder.
func (d *Number) divWord(v uint64) (rest uint64) {
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

// Extend gives the number more digits after the point; false if there is no
// room.
func (d *Number) Extend(scale int) bool {
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
func (d *Number) cut(scale int) (up, lost bool) {
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

// Round rounds to scale digits after the point, halves away from zero, and fills
// up to them.
func (d *Number) Round(scale int) bool {
	if int(d.scale) <= scale {
		return d.Extend(scale)
	}
	if up, _ := d.cut(scale); up {
		d.mulWord(1, 1)
	}
	d.DropSign()
	return true
}

// Whole cuts to an integer, up or down.
func (d *Number) Whole(up bool) {
	if _, lost := d.cut(0); lost && d.negative != up {
		d.mulWord(1, 1)
	}
	d.DropSign()
}

// RoundAt rounds or cuts to digits after the point, or before it if they are negative, and fills
// up to scale.
func (d *Number) RoundAt(digits, scale int, truncate bool) {
	up, _ := d.cut(digits)
	if up && !truncate {
		d.mulWord(1, 1)
	}
	d.extendZeros(-digits)
	d.Extend(scale)
	d.DropSign()
}

// extendZeros puts n zeros before the point, in the place of digits that were cut
// there.
func (d *Number) extendZeros(n int) {
	for ; n > 0; n-- {
		d.mulWord(10, 0)
	}
}

// DropSign makes -0 0: decimals have no negative zero.
func (d *Number) DropSign() {
	if d.IsZero() {
		d.negative = false
	}
}

// compareMagnitude compares numbers of one scale.
func (d *Number) compareMagnitude(e *Number) int {
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

// Compare compares two decimals; ok is false if they cannot be brought to one
// scale.
func (d *Number) Compare(e *Number) (c int, ok bool) {
	if d.negative != e.negative {
		return order(d.negative), true
	}
	a, b := *d, *e
	if !a.Extend(int(b.scale)) || !b.Extend(int(a.scale)) {
		return 0, false
	}
	c = a.compareMagnitude(&b)
	if d.negative {
		c = -c
	}
	return c, true
}

// Add sets d to a + b; false if it needs more room than there is.
func (d *Number) Add(a, b *Number) bool {
	x, y := *a, *b
	if !x.Extend(int(y.scale)) || !y.Extend(int(x.scale)) {
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
	d.DropSign()
	return true
}

func (d *Number) addMagnitudes(x, y *Number) bool {
	*d = *x
	carry := uint64(0)
	for i := range d.word {
		d.word[i], carry = bits.Add64(x.word[i], y.word[i], carry)
	}
	return carry == 0
}

// AddSmall adds a number of the same scale where both have one word, as most have that
// are summed; false if it is to be done otherwise, and d is as it was.
func (d *Number) AddSmall(x *Number) bool {
	return x.isSmall() && d.AddWord(x.word[0], x.negative, x.scale)
}

// AddWord is addSmall of a number that is given as its word.
func (d *Number) AddWord(b uint64, negative bool, scale uint8) bool {
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

// Sub sets d to a - b.
func (d *Number) Sub(a, b *Number) bool {
	minus := *b
	minus.negative = !b.negative && !b.IsZero()
	return d.Add(a, &minus)
}

// Mul sets d to a * b; false if it needs more room than there is.
func (d *Number) Mul(a, b *Number) bool {
	var p [2 * words]uint64
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
		p[i+words] = carry
	}
	scale := int(a.scale) + int(b.scale)
	*d = Number{negative: a.negative != b.negative, scale: uint8(scale)}
	copy(d.word[:], p[:words])
	d.DropSign()
	return p[5]|p[6]|p[7]|p[8]|p[9] == 0 && scale <= groupDigits*groupsMax
}

// QuotientScale is the number of digits after the point that the servers compute
// of a quotient: those of both numbers and increment more, in whole groups of
// nine (strings/decimal.c, do_div_mod).
func QuotientScale(a, b, increment int) int {
	whole := func(n int) int { return (n + groupDigits - 1) / groupDigits * groupDigits }
	increment = max(0, increment-(whole(a)-a+whole(b)-b))
	return whole(whole(a) + whole(b) + increment)
}

// Quotient sets d to a / b with so many digits after the point, cutting the rest.
// b is not zero. It is false if there is no room.
func (d *Number) Quotient(a, b *Number, scale int) bool {
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
	*d = Number{negative: negative, scale: uint8(scale), word: x.word}
	d.DropSign()
	return true
}

// extendBy multiplies by 10^n.
func (d *Number) extendBy(n int) bool { return d.Extend(int(d.scale) + n) }

// Remainder sets d to what is left of a after division by b, with the sign of a.
func (d *Number) Remainder(a, b *Number) bool {
	x, y := *a, *b
	if !x.Extend(int(y.scale)) || !y.Extend(int(x.scale)) {
		return false
	}
	if y.isSmall() {
		rest := x.divWord(y.word[0])
		x.word = [words]uint64{rest}
	} else {
		x.setBig(new(big.Int).Rem(x.big(), y.big()))
	}
	*d = x
	d.DropSign()
	return true
}

func (d *Number) big() *big.Int {
	var b [8 * words]byte
	for i, w := range d.word {
		binary.BigEndian.PutUint64(b[8*(words-1-i):], w)
	}
	return new(big.Int).SetBytes(b[:])
}

func (d *Number) setBig(n *big.Int) {
	var b [8 * words]byte
	n.FillBytes(b[:])
	for i := range d.word {
		d.word[i] = binary.BigEndian.Uint64(b[8*(words-1-i):])
	}
}

// WholeDigits returns how many digits stand before the point, at least 0.
func (d *Number) WholeDigits() int {
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

// IsExact reports whether the servers have room for the number: 65 digits, in
// groups of nine on both sides of the point.
func (d *Number) IsExact() bool {
	whole := d.WholeDigits()
	groups := (whole+groupDigits-1)/groupDigits + (int(d.scale)+groupDigits-1)/groupDigits
	return groups <= groupsMax && whole <= DigitsMax
}
