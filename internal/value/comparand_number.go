package value

import (
	"bytes"
	"math"
	"strconv"
)

func compareDecimal(dst []byte, t *Type, s *Source, env *Env) ([]byte, Exactness) {
	var d decimal
	var room [24]byte
	switch s.Form {
	case FormInt:
		d.read(strconv.AppendInt(room[:0], int64(s.Number), 10))
	case FormUint:
		d.read(strconv.AppendUint(room[:0], s.Number, 10))
	case FormDecimal:
		d.read(s.Bytes)
	case FormDouble:
		return decimalFromApproximate(dst, t, s.double())
	case FormString:
		return decimalFromEither(dst, t, s, env)
	default:
		return dst, NotServable
	}
	if d.overflow || d.cut {
		return dst, NotServable
	}
	return decimalComparand(dst, t, &d)
}

// decimalFromEither serves text that means the same read as a decimal and as a
// double, so that it does not matter what the server makes of it.
func decimalFromEither(dst []byte, t *Type, s *Source, env *Env) ([]byte, Exactness) {
	start := len(dst)
	f, ok := cleanDouble(s, env)
	if !ok {
		return dst, NotServable
	}
	dst, approximate := decimalFromApproximate(dst, t, f)
	if approximate == NotServable {
		return dst[:start], NotServable
	}
	var d decimal
	var room [decimalBytesMax]byte
	d.read(s.Bytes)
	if d.overflow || d.cut {
		return dst[:start], NotServable
	}
	canonical, exact := decimalComparand(room[:0], t, &d)
	if exact != approximate || !bytes.Equal(canonical, dst[start:]) {
		return dst[:start], NotServable
	}
	return dst, exact
}

// decimalComparand places an exact number among those of the type.
func decimalComparand(dst []byte, t *Type, d *decimal) ([]byte, Exactness) {
	d.normalize()
	whole := !d.roundsAt(t.Decimals)
	if !whole { // cut towards zero
		d.count = max(d.point+t.Decimals, 0)
	}
	if d.count > 0 && d.point > t.Length-t.Decimals {
		if d.negative {
			return dst, Below
		}
		return dst, Above
	}
	w := d.scaled(t.Decimals)
	if d.negative && !whole {
		w.increment()
		if limit := decimalLimit(t.Length); w.compare(&limit) > 0 {
			return dst, Below
		}
	}
	dst = appendDecimal(dst, t, d.negative, &w)
	if whole {
		return dst, Exact
	}
	return dst, Between
}

// doubleExactDigits is how many digits every decimal keeps on its way through a
// double and back.
const doubleExactDigits = 15

// decimalFromApproximate finds the place of a double among decimals that are
// themselves compared as doubles. With at most 15 digits no two of them become
// the same double.
func decimalFromApproximate(dst []byte, t *Type, f float64) ([]byte, Exactness) {
	if t.Length > doubleExactDigits {
		return dst, NotServable
	}
	scaled := math.Round(f * math.Pow10(t.Decimals))
	limit := math.Pow10(t.Length) - 1
	if scaled > limit {
		return decimalBeyond(dst, t, f, limit)
	}
	if scaled < -limit {
		return decimalBeyond(dst, t, f, -limit)
	}
	n := int64(scaled) // within 1 of the nearest
	for decimalAsDouble(n, t) > f {
		n--
	}
	for n < int64(limit) && decimalAsDouble(n+1, t) <= f {
		n++
	}
	if n < -int64(limit) {
		return dst, Below
	}
	negative := n < 0
	w := wide{magnitude(n)}
	dst = appendDecimal(dst, t, negative, &w)
	if decimalAsDouble(n, t) == f {
		return dst, Exact
	}
	return dst, Between
}

// decimalBeyond tells a double beyond the limit from one that is the limit as a
// double.
func decimalBeyond(dst []byte, t *Type, f, limit float64) ([]byte, Exactness) {
	switch {
	case decimalAsDouble(int64(limit), t) == f:
		return dst, NotServable
	case f > 0:
		return dst, Above
	default:
		return dst, Below
	}
}

// decimalAsDouble is the double that the server makes of n * 10^-scale.
func decimalAsDouble(n int64, t *Type) float64 {
	var room [40]byte
	text := strconv.AppendInt(room[:0], n, 10)
	text = append(text, 'e', '-')
	text = strconv.AppendInt(text, int64(t.Decimals), 10)
	f, _ := strconv.ParseFloat(string(text), 64)
	return f
}

// compareDouble serves FLOAT and DOUBLE, which are compared as doubles with
// everything. FLOAT(M,D) is compared with a tolerance.
func compareDouble(dst []byte, t *Type, s *Source, env *Env) ([]byte, Exactness) {
	if t.fixedPoint() {
		return dst, NotServable
	}
	var f float64
	switch s.Form {
	case FormInt:
		f = float64(int64(s.Number))
	case FormUint:
		f = float64(s.Number)
	case FormDouble:
		f = s.double()
	case FormDecimal, FormString:
		var ok bool
		if f, ok = cleanDouble(s, env); !ok {
			return dst, NotServable
		}
	default:
		return dst, NotServable
	}
	if t.Kind == Double {
		return appendFloatBits(dst, t, f), Exact
	}
	return floatComparand(dst, t, f)
}

// floatComparand finds the place of a double among floats.
func floatComparand(dst []byte, t *Type, f float64) ([]byte, Exactness) {
	switch {
	case f > math.MaxFloat32:
		return dst, Above
	case f < -math.MaxFloat32:
		return dst, Below
	}
	single := float32(f)
	if float64(single) == f {
		return appendFloatBits(dst, t, f), Exact
	}
	if float64(single) > f {
		single = math.Nextafter32(single, float32(math.Inf(-1)))
	}
	return appendFloatBits(dst, t, float64(single)), Between
}
