package decimal

import (
	"math"
	"math/big"
)

// Double returns the nearest double to the number's text.
func (d *Number) Double() float64 {
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

// rat is the number as a fraction.
func (d *Number) rat() *big.Rat {
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

// Int64 rounds to an integer, halves away from zero; ok is false if it does not
// fit.
func (d *Number) Int64() (int64, bool) {
	r := *d
	r.Round(0)
	if !r.isSmall() || r.word[0] > math.MaxInt64+1 || !r.negative && r.word[0] > math.MaxInt64 {
		return 0, false
	}
	if r.negative {
		return int64(-r.word[0]), true
	}
	return int64(r.word[0]), true
}

// Micros is the integer that a million of the number rounds to.
func (d *Number) Micros() (int64, bool) {
	n := *d
	n.mulWord(1000000, 0)
	return n.Int64()
}

// Uint64 is the integer that the number rounds to, if 64 bits without a sign hold it.
func (d *Number) Uint64() (uint64, bool) {
	r := *d
	r.Round(0)
	return r.word[0], r.isSmall() && !r.negative
}

// SetText reads digits with a sign and a point, as literals and canonical texts
// have them; false for anything else.
func (d *Number) SetText(s []byte) bool {
	*d = Number{}
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
	d.DropSign()
	return digits > 0 && int(d.scale) <= groupDigits*groupsMax
}

// AppendText appends the number with all its digits after the point.
func (d *Number) AppendText(dst []byte) []byte {
	var room [128]byte
	i := len(room)
	w := *d
	for n := 0; n <= int(d.scale) || !w.IsZero(); n++ {
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
