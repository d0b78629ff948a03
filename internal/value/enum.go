package value

import (
	"bytes"
	"encoding/binary"
	"math"

	"tunic/internal/value/charset"
)

// assignEnum stores the index of a label, 0 for what is none.
func assignEnum(dst []byte, t *Type, s *Source, env *Env, o *Outcome) []byte {
	var n int
	switch s.Form {
	case FormInt, FormUint:
		n = t.labelIndex(s.Number)
	case FormDouble:
		n = t.labelIndex(doubleBits(s.double(), env))
	case FormDecimal:
		f, _, _ := readFloat(s.Bytes, env)
		n = t.labelIndex(doubleBits(f, env))
	default:
		var zero bool
		n, zero = enumFromText(t, s, env, o)
		if zero || o.n > 0 {
			return appendIndex(dst, uint64(n))
		}
	}
	if n == 0 {
		o.warn(env, Truncated, "")
	}
	return appendIndex(dst, uint64(n))
}

// AppendNoLabel appends the value of an ENUM that is none of its labels.
func AppendNoLabel(dst []byte) []byte { return appendIndex(dst, 0) }

func appendIndex(dst []byte, n uint64) []byte { return binary.BigEndian.AppendUint64(dst, n) }

// Unlabelled is a text that stands for no label, the number 0 in as many digits as no label
// of the ENUM is: MySQL takes it without a word. nil if there is none.
func (t *Type) Unlabelled(env *Env) []byte {
	zeros := bytes.Repeat([]byte{'0'}, enumTextMax)
	if exact, _ := t.Collation.Exact(); !exact {
		return nil
	}
	for n := 1; n <= enumTextMax; n++ {
		text, _ := charset.Convert(nil, t.Collation.Charset, asciiCharset(env), zeros[:n])
		if t.findLabel(text, &Outcome{}) == 0 {
			return zeros[:n]
		}
	}
	return nil
}

// labelIndex returns n if it is the index of a label, else 0.
func (t *Type) labelIndex(n uint64) int {
	if n > uint64(len(t.Labels)) {
		return 0
	}
	return int(n)
}

// enumTextMax is the longest text that is tried as a number.
const enumTextMax = 5

// enumFromText looks for the label, then reads the text as an index. zero says
// that the text is the number 0, which passes.
func enumFromText(t *Type, s *Source, env *Env, o *Outcome) (n int, zero bool) {
	text := trimSpaces(labelBytes(t, s, env, o), 0, t.Collation.Charset)
	if n = t.findLabel(text, o); n > 0 || len(text) == 0 || len(text) > enumTextMax {
		return n, false
	}
	number, ok := readUnsigned(text)
	return t.labelIndex(number), ok && number == 0 && env.Flavor != MariaDB
}

// labelBytes returns a source as text in the column's character set.
func labelBytes(t *Type, s *Source, env *Env, o *Outcome) []byte {
	cs := t.Collation.Charset
	text := s.Bytes
	switch s.Form {
	case FormString:
		if from := s.charset(env.Flavor); from != cs {
			text, _ = charset.Convert(nil, cs, from, text)
		}
	case FormHex, FormBit, FormHexString:
	default:
		text, _ = charset.Convert(nil, cs, asciiCharset(env), spell(nil, t, s, env, o))
	}
	return text
}

// findLabel returns the index of the label that equals the text in the column's
// collation, 0 if there is none.
func (t *Type) findLabel(text []byte, o *Outcome) int {
	if exact, _ := t.Collation.Exact(); !exact {
		return t.findSameLabel(text, o)
	}
	for i, label := range t.Labels {
		if t.Collation.Compare(label, text) == 0 {
			return i + 1
		}
	}
	return 0
}

// findSameLabel serves a collation that cannot be compared in: only the very
// label is sure to be it.
func (t *Type) findSameLabel(text []byte, o *Outcome) int {
	for i, label := range t.Labels {
		if bytes.Equal(label, text) {
			return i + 1
		}
	}
	if len(text) > 0 {
		o.add(Error, Unanswerable, "")
	}
	return 0
}

// setTextMax is the longest text that is tried as a number.
const setTextMax = 21

// assignSet stores the bits of labels.
func assignSet(dst []byte, t *Type, s *Source, env *Env, o *Outcome) []byte {
	all := uint64(math.MaxUint64) >> (64 - max(len(t.Labels), 1))
	var n uint64
	switch s.Form {
	case FormInt, FormUint:
		n = s.Number
	case FormDouble:
		n = doubleBits(s.double(), env)
	case FormDecimal:
		f, _, _ := readFloat(s.Bytes, env)
		n = doubleBits(f, env)
	default:
		return appendIndex(dst, setFromText(t, s, all, env, o))
	}
	if n > all {
		o.warn(env, Truncated, "")
		n &= all
	}
	return appendIndex(dst, n)
}

func setFromText(t *Type, s *Source, all uint64, env *Env, o *Outcome) uint64 {
	text := labelBytes(t, s, env, o)
	bits, unknown := t.findLabels(trimSpaces(text, 0, t.Collation.Charset), o)
	if bits == 0 && len(text) > 0 && len(text) <= setTextMax {
		n, ok := readUnsigned(text)
		if !ok {
			n = 0
		}
		if !ok || n > all {
			o.warn(env, Truncated, "")
		}
		if n > all && env.Flavor != MariaDB {
			return 0
		}
		return n & all
	}
	if unknown {
		o.warn(env, Truncated, "")
	}
	return bits
}

// findLabels looks up labels between commas.
func (t *Type) findLabels(text []byte, o *Outcome) (bits uint64, unknown bool) {
	for len(text) > 0 {
		label, rest, more := bytes.Cut(text, comma)
		if n := t.findLabel(label, o); n > 0 {
			bits |= 1 << (n - 1)
		} else {
			unknown = true
		}
		if more && len(rest) == 0 {
			unknown = true
		}
		text = rest
	}
	return bits, unknown
}

var comma = []byte{','}
