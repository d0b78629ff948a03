package value

import (
	"encoding/binary"
	"math"
	"strconv"
)

func assignFloat(dst []byte, t *Type, s *Source, env *Env, o *Outcome) []byte {
	switch s.Form {
	case FormInt:
		return putFloat(dst, t, float64(int64(s.Number)), env, o)
	case FormUint:
		return putFloat(dst, t, float64(s.Number), env, o)
	case FormDouble:
		return putFloat(dst, t, s.double(), env, o)
	case FormDecimal:
		f, _, _ := readFloat(s.Bytes, env)
		return putFloat(dst, t, f+0, env, o) // a decimal has no negative zero
	case FormHex, FormBit:
		return floatFromHex(dst, t, s.Bytes, env, o)
	case FormDate, FormTime, FormDateTime:
		var room [32]byte
		f, _, _ := readFloat(appendTemporalDigits(room[:0], s), env)
		return putFloat(dst, t, f, env, o)
	default:
		return floatFromText(dst, t, s.Bytes, env, o)
	}
}

// putFloat rounds FLOAT(M,D) to its digits and checks the range.
func putFloat(dst []byte, t *Type, f float64, env *Env, o *Outcome) []byte {
	if t.Unsigned && f < 0 {
		o.warn(env, OutOfRange, "")
		f = 0
	}
	limit := math.MaxFloat64
	if t.Kind == Float {
		limit = math.MaxFloat32
	}
	if t.fixedPoint() {
		f, limit = roundFixed(f, t), math.Min(limit, fixedLimit(t))
	}
	if f == 0 && env.Flavor == MariaDB {
		f = math.Abs(f) // it stores no sign
	}
	if math.IsNaN(f) {
		o.warn(env, OutOfRange, "")
		f = 0
	} else if math.Abs(f) > limit {
		o.warn(env, OutOfRange, "")
		f = math.Copysign(limit, f)
	}
	return appendFloatBits(dst, t, f)
}

func appendFloatBits(dst []byte, t *Type, f float64) []byte {
	if t.Kind == Float {
		return binary.BigEndian.AppendUint64(dst, uint64(math.Float32bits(float32(f))))
	}
	return binary.BigEndian.AppendUint64(dst, math.Float64bits(f))
}

// fixedLimit is the highest number of FLOAT(M,D).
func fixedLimit(t *Type) float64 {
	return math.Pow10(t.Length-t.Decimals) - math.Pow10(-t.Decimals)
}

// roundFixed rounds to the digits after the point, halves to even as rint does.
func roundFixed(f float64, t *Type) float64 {
	whole, unit := math.Floor(f), math.Pow10(t.Decimals)
	return whole + math.RoundToEven((f-whole)*unit)/unit
}

func floatFromText(dst []byte, t *Type, text []byte, env *Env, o *Outcome) []byte {
	f, end, beyond := readFloat(text, env)
	if beyond {
		o.warn(env, OutOfRange, "")
	} else {
		reportFloatRest(t, text, end, env, o)
	}
	return putFloat(dst, t, f, env, o)
}

// reportFloatRest complains of text that is no number, or goes on behind one.
func reportFloatRest(t *Type, text []byte, end int, env *Env, o *Outcome) {
	switch {
	case env.Flavor != MariaDB:
		if end == 0 || !onlySpaces(text[end:]) {
			o.warn(env, Unparsable, floatWord(t))
		}
	case end == 0:
		o.warn(env, Unparsable, "double")
	default:
		noteRest(text[end:], env, o)
	}
}

func floatWord(t *Type) string {
	if t.Kind == Float {
		return "FLOAT"
	}
	return "DOUBLE"
}

// readFloat reads a floating-point number at the start of s, after spaces. end
// is 0 if there is none; beyond says that it was cut to the range.
func readFloat(s []byte, env *Env) (f float64, end int, beyond bool) {
	start := skipSpaces(s, 0)
	i := start
	if i < len(s) && isSign(s[i]) {
		i++
	}
	first, digits := i, 0
	for ; i < len(s) && (isDigit(s[i]) || s[i] == '.'); i++ {
		if s[i] == '.' {
			if pointSeen(s[first:i]) {
				break
			}
			continue
		}
		digits++
	}
	if digits == 0 {
		return 0, 0, false
	}
	exponent, after, ok := readDecimalExponent(s, i)
	if ok {
		i = after
	}
	f, err := strconv.ParseFloat(string(s[start:i]), 64)
	if err != nil && math.IsInf(f, 0) {
		return math.Copysign(math.MaxFloat64, f), i, true
	}
	if f == 0 && exponent != 0 && env.Flavor != MariaDB && (exponent == exponentHugeFrom || exponent == -exponentHugeFrom) {
		return 0, 0, false // MySQL does not read 0e2147483648
	}
	return f, i, false
}

func pointSeen(s []byte) bool {
	for _, b := range s {
		if b == '.' {
			return true
		}
	}
	return false
}

func floatFromHex(dst []byte, t *Type, b []byte, env *Env, o *Outcome) []byte {
	n, fits := hexNumber(b, t, env)
	dst = putFloat(dst, t, float64(n), env, o)
	if !fits && o.n == 0 {
		o.warn(env, OutOfRange, "")
	}
	return dst
}
