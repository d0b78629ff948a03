package value

import (
	"encoding/binary"
	"math"
)

// decimalBytesMax is the width of the canonical form of the highest precision.
const decimalBytesMax = 32

// decimalBytes is the width of the canonical form.
func decimalBytes(precision int) int {
	switch {
	case precision <= 18:
		return 8
	case precision <= 38:
		return 16
	default:
		return decimalBytesMax
	}
}

func assignDecimal(dst []byte, t *Type, s *Source, env *Env, o *Outcome) []byte {
	switch s.Form {
	case FormInt:
		return decimalFromInteger(dst, t, int64(s.Number) < 0, magnitude(int64(s.Number)), env, o)
	case FormUint:
		return decimalFromInteger(dst, t, false, s.Number, env, o)
	case FormDecimal:
		var d decimal
		d.read(s.Bytes)
		return putDecimal(dst, t, &d, env, o)
	case FormDouble:
		return decimalFromDouble(dst, t, s.double(), env, o)
	case FormHex, FormBit:
		return decimalFromHex(dst, t, s.Bytes, env, o)
	case FormDate, FormTime, FormDateTime:
		return decimalFromTemporal(dst, t, s, env, o)
	default:
		return decimalFromText(dst, t, s.Bytes, env, o)
	}
}

// putDecimal rounds a number to the column's scale and checks its range.
func putDecimal(dst []byte, t *Type, d *decimal, env *Env, o *Outcome) []byte {
	if d.negative && t.Unsigned && !d.isZero() {
		o.warn(env, OutOfRange, "")
		return appendByte(dst, 0, decimalBytes(t.Length))
	}
	if d.overflow {
		return putDecimalLimit(dst, t, d.negative, env, o)
	}
	lost := d.cut || d.roundsAt(t.Decimals)
	d.round(t.Decimals)
	if !d.fits(t.Length - t.Decimals) {
		return putDecimalLimit(dst, t, d.negative, env, o)
	}
	if lost {
		o.noteCut()
	}
	w := d.scaled(t.Decimals)
	return appendDecimal(dst, t, d.negative, &w)
}

func appendDecimal(dst []byte, t *Type, negative bool, w *wide) []byte {
	if negative {
		w.negate()
	}
	return w.appendBytes(dst, decimalBytes(t.Length))
}

// putDecimalLimit appends the number of the column that is farthest from zero.
func putDecimalLimit(dst []byte, t *Type, negative bool, env *Env, o *Outcome) []byte {
	o.warn(env, OutOfRange, "")
	w := decimalLimit(t.Length)
	return appendDecimal(dst, t, negative, &w)
}

// decimalLimit is 10^precision - 1.
func decimalLimit(precision int) wide {
	var w wide
	for range precision {
		w.mulAdd(10, 9)
	}
	return w
}

func decimalFromInteger(dst []byte, t *Type, negative bool, n uint64, env *Env, o *Outcome) []byte {
	if negative && t.Unsigned {
		o.warn(env, OutOfRange, "")
		return appendByte(dst, 0, decimalBytes(t.Length))
	}
	w := wide{n}
	if w.compare(&widePow10[t.Length-t.Decimals]) >= 0 {
		return putDecimalLimit(dst, t, negative, env, o)
	}
	for left := t.Decimals; left > 0; left -= len(pow10) - 1 {
		w.mulAdd(pow10[min(left, len(pow10)-1)], 0)
	}
	return appendDecimal(dst, t, negative, &w)
}

func decimalFromText(dst []byte, t *Type, text []byte, env *Env, o *Outcome) []byte {
	if negative, n, ok := shortDecimal(text, t); ok {
		if negative {
			n = -n
		}
		return binary.BigEndian.AppendUint64(dst, n)
	}
	var d decimal
	end, ok := d.read(text)
	if !ok {
		o.warn(env, Unparsable, "decimal")
		return appendByte(dst, 0, decimalBytes(t.Length))
	}
	if d.hugeExponent && env.Flavor != MariaDB {
		return decimalHugeExponent(dst, t, &d, env, o)
	}
	rest := text[end:]
	if env.Flavor != MariaDB && env.Strict() && (d.cut || d.overflow || !onlySpaces(rest)) {
		o.warn(env, Unparsable, "decimal")
		return dst
	}
	if !onlySpaces(rest) && !d.overflow {
		noteDecimalRest(env, o)
		if o.Failed() {
			return dst
		}
	}
	dst = putDecimal(dst, t, &d, env, o)
	if o.n == 0 {
		noteRest(rest, env, o)
	}
	return dst
}

// decimalHugeExponent is what MySQL makes of an exponent of ten digits and more:
// the limit, whatever the digits, or nothing if it does not even fit into 64
// bits.
func decimalHugeExponent(dst []byte, t *Type, d *decimal, env *Env, o *Outcome) []byte {
	if d.beyondExponent || env.Strict() {
		o.warn(env, Unparsable, "decimal")
		return appendByte(dst, 0, decimalBytes(t.Length))
	}
	return putDecimalLimit(dst, t, d.negative, env, o)
}

// noteDecimalRest complains of what follows a decimal in its text. To MySQL that
// is a lost digit like any other.
func noteDecimalRest(env *Env, o *Outcome) {
	if env.Flavor == MariaDB {
		o.warn(env, Truncated, "")
		return
	}
	o.noteCut()
}

// shortDecimal reads what nearly all decimals are: a plain number that needs no
// rounding and has no more digits than 64 bits hold.
func shortDecimal(s []byte, t *Type) (negative bool, n uint64, ok bool) {
	if t.Length > 18 || len(s) == 0 || len(s) > 20 {
		return false, 0, false
	}
	if s[0] == '-' {
		negative, s = true, s[1:]
	}
	whole, fraction, seen := 0, 0, false
	for _, b := range s {
		switch {
		case isDigit(b):
			n = n*10 + uint64(b-'0')
			if seen {
				fraction++
			} else {
				whole++
			}
		case b == '.' && !seen:
			seen = true
		default:
			return false, 0, false
		}
	}
	if whole == 0 || whole > t.Length-t.Decimals || fraction > t.Decimals || negative && t.Unsigned {
		return false, 0, false
	}
	return negative, n * pow10[t.Decimals-fraction], true
}

// decimalFromDouble takes the shortest decimal that reads back as the double.
func decimalFromDouble(dst []byte, t *Type, f float64, env *Env, o *Outcome) []byte {
	if math.IsInf(f, 0) || math.IsNaN(f) {
		return putDecimalLimit(dst, t, f < 0, env, o)
	}
	var d decimal
	d.setDouble(f)
	return putDecimal(dst, t, &d, env, o)
}

// setDouble sets d to the shortest decimal that reads back as f.
func (d *decimal) setDouble(f float64) {
	var room [32]byte
	d.read(appendShortest(room[:0], f))
}

func decimalFromHex(dst []byte, t *Type, b []byte, env *Env, o *Outcome) []byte {
	n, fits := hexNumber(b, t, env)
	dst = decimalFromInteger(dst, t, false, n, env, o)
	if !fits && o.n == 0 {
		o.warn(env, OutOfRange, "")
	}
	return dst
}

// decimalFromTemporal takes the digits of a date or time as a number, with its
// fraction.
func decimalFromTemporal(dst []byte, t *Type, s *Source, env *Env, o *Outcome) []byte {
	var room [32]byte
	var d decimal
	d.read(appendTemporalDigits(room[:0], s))
	return putDecimal(dst, t, &d, env, o)
}
