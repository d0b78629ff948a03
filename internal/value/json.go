package value

import (
	"bytes"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"tunic/internal/value/charset"
)

// jsonDepthMax is how deep a document may be (MySQL error 3157; MariaDB
// documentation, "JSON_VALID").
const (
	jsonDepthMax      = 100
	jsonDepthMaxMaria = 31
)

// assignJSON stores a JSON document. MySQL keeps its meaning and shows it in one
// way: members by the length and then the bytes of their names, the last of equal
// names. MariaDB keeps the text, if it is JSON.
func assignJSON(dst []byte, t *Type, s *Source, env *Env, o *Outcome) []byte {
	if env.Flavor == MariaDB {
		return assignJSONText(dst, t, s, env, o)
	}
	switch s.Form {
	case FormString:
	case FormHex, FormBit, FormHexString:
		o.add(Error, BadJSONCharset, "")
		return dst
	default:
		o.add(Error, BadJSON, "")
		return dst
	}
	from := s.charset(env.Flavor)
	text, bad := charset.Convert(nil, asciiCharset(env), from, s.Bytes)
	if from == binaryCharset(env) {
		o.add(Error, BadJSONCharset, "")
		return dst
	}
	r := jsonReader{s: text, depthMax: jsonDepthMax}
	out := r.document(dst)
	if r.deep {
		o.add(Error, DeepJSON, "")
	}
	if r.bad || bad >= 0 {
		o.add(Error, BadJSON, "")
	}
	return out
}

// assignJSONText is a LONGTEXT with a check. A row that fails it is an error even
// under IGNORE, where the statement leaves the row out.
func assignJSONText(dst []byte, t *Type, s *Source, env *Env, o *Outcome) []byte {
	start := len(dst)
	long := *t
	long.Kind = LongText
	dst = assignText(dst, &long, s, env, o)
	r := jsonReader{s: dst[start:], depthMax: jsonDepthMaxMaria, lenient: true}
	var room [256]byte
	if r.document(room[:0]); (r.bad || r.deep) && !o.Failed() {
		o.add(Error, FailedCheck, "")
	}
	return dst
}

// jsonReader reads a document and writes it anew (RFC 8259).
type jsonReader struct {
	s         []byte
	i         int
	depth     int
	depthMax  int
	bad, deep bool
	// lenient is MariaDB's JSON_VALID: a point needs no digits behind it, a number
	// no limit, and a backslash may stand before any character.
	lenient bool
}

func (r *jsonReader) document(dst []byte) []byte {
	dst = r.value(dst)
	if r.skip(); r.i != len(r.s) {
		r.bad = true
	}
	return dst
}

func (r *jsonReader) skip() {
	for r.i < len(r.s) && (r.s[r.i] == ' ' || r.s[r.i] == '\t' || r.s[r.i] == '\n' || r.s[r.i] == '\r') {
		r.i++
	}
}

// next skips spaces and returns the next byte, 0 at the end.
func (r *jsonReader) next() byte {
	if r.skip(); r.i < len(r.s) && !r.bad {
		return r.s[r.i]
	}
	return 0
}

// accept takes the next byte if it is b.
func (r *jsonReader) accept(b byte) bool {
	if r.next() != b {
		return false
	}
	r.i++
	return true
}

func (r *jsonReader) value(dst []byte) []byte {
	switch b := r.next(); {
	case b == '{':
		return r.nested(dst, (*jsonReader).object)
	case b == '[':
		return r.nested(dst, (*jsonReader).array)
	case b == '"':
		return appendJSONString(dst, r.text())
	case b == '-' || isDigit(b):
		return r.number(dst)
	}
	for _, word := range [...]string{"null", "true", "false"} {
		if bytes.HasPrefix(r.s[r.i:], []byte(word)) {
			r.i += len(word)
			return append(dst, word...)
		}
	}
	r.bad = true
	return dst
}

func (r *jsonReader) nested(dst []byte, read func(*jsonReader, []byte) []byte) []byte {
	r.i++
	if r.depth++; r.depth > r.depthMax {
		r.deep, r.bad = true, true
		return dst
	}
	dst = read(r, dst)
	r.depth--
	return dst
}

func (r *jsonReader) array(dst []byte) []byte {
	dst = append(dst, '[')
	if r.accept(']') {
		return append(dst, ']')
	}
	for {
		dst = r.value(dst)
		if r.accept(']') {
			return append(dst, ']')
		}
		if !r.accept(',') {
			r.bad = true
			return dst
		}
		dst = append(dst, ", "...)
	}
}

type jsonMember struct{ name, value []byte }

func (r *jsonReader) object(dst []byte) []byte {
	var members []jsonMember
	if !r.accept('}') {
		for {
			if r.next() != '"' {
				r.bad = true
				return dst
			}
			name := r.text()
			if !r.accept(':') {
				r.bad = true
				return dst
			}
			members = append(members, jsonMember{name, r.value(nil)})
			if r.accept('}') {
				break
			}
			if !r.accept(',') {
				r.bad = true
				return dst
			}
		}
	}
	return appendMembers(dst, members)
}

// appendMembers writes members in the order MySQL keeps them, of equal names the
// last.
func appendMembers(dst []byte, members []jsonMember) []byte {
	slices.SortStableFunc(members, func(a, b jsonMember) int {
		if len(a.name) != len(b.name) {
			return len(a.name) - len(b.name)
		}
		return bytes.Compare(a.name, b.name)
	})
	dst = append(dst, '{')
	first := true
	for i, m := range members {
		if i+1 < len(members) && bytes.Equal(m.name, members[i+1].name) {
			continue
		}
		if !first {
			dst = append(dst, ", "...)
		}
		first = false
		dst = append(appendJSONString(dst, m.name), ": "...)
		dst = append(dst, m.value...)
	}
	return append(dst, '}')
}

// number reads a number: an integer if it is written as one and fits into 64
// bits, else a double.
func (r *jsonReader) number(dst []byte) []byte {
	start := r.i
	if r.s[r.i] == '-' {
		r.i++
	}
	whole := r.digits()
	if leading := r.s[r.i-min(whole, r.i):]; whole == 0 || whole > 1 && leading[0] == '0' {
		r.bad = true
		return dst
	}
	integer := true
	if r.i < len(r.s) && r.s[r.i] == '.' {
		r.i++
		integer = false
		r.bad = r.digits() == 0 && !r.lenient || r.bad
	}
	if r.i < len(r.s) && r.s[r.i]|0x20 == 'e' {
		r.i++
		integer = false
		if r.i < len(r.s) && isSign(r.s[r.i]) {
			r.i++
		}
		r.bad = r.bad || r.digits() == 0
	}
	return r.appendNumber(dst, string(r.s[start:r.i]), integer)
}

func (r *jsonReader) digits() (n int) {
	for r.i < len(r.s) && isDigit(r.s[r.i]) {
		r.i, n = r.i+1, n+1
	}
	return n
}

func (r *jsonReader) appendNumber(dst []byte, text string, integer bool) []byte {
	if integer {
		if i, err := strconv.ParseInt(text, 10, 64); err == nil {
			return strconv.AppendInt(dst, i, 10)
		}
		if u, err := strconv.ParseUint(text, 10, 64); err == nil {
			return strconv.AppendUint(dst, u, 10)
		}
	}
	f, _ := strconv.ParseFloat(text, 64)
	if math.IsInf(f, 0) || f == 0 && hugeExponent(text) {
		r.bad = !r.lenient || r.bad
		return dst
	}
	start := len(dst)
	dst = appendShortest(dst, f)
	if !bytes.ContainsAny(dst[start:], ".e") {
		dst = append(dst, ".0"...)
	}
	return dst
}

// hugeExponent reports whether an exponent alone is beyond that of a double, which
// MySQL minds even where all digits are zero.
func hugeExponent(text string) bool {
	at := strings.IndexAny(text, "eE")
	if at < 0 {
		return false
	}
	exponent, err := strconv.Atoi(text[at+1:])
	return err != nil || exponent > 308
}

// text reads a string and returns what it stands for.
func (r *jsonReader) text() (text []byte) {
	for r.i++; r.i < len(r.s); r.i++ {
		switch b := r.s[r.i]; {
		case b == '"':
			r.i++
			return text
		case b < ' ':
			r.bad = true
			return text
		case b == '\\':
			text = r.escape(text)
		default:
			text = append(text, b)
		}
	}
	r.bad = true
	return text
}

// jsonEscapes are the escapes of one letter and what they stand for.
const (
	jsonEscapes = `"\/bfnrt`
	jsonMeant   = "\"\\/\b\f\n\r\t"
)

// escape reads what follows a backslash; r.i is left on its last byte.
func (r *jsonReader) escape(text []byte) []byte {
	if r.i++; r.i == len(r.s) {
		return text
	}
	if at := bytes.IndexByte([]byte(jsonEscapes), r.s[r.i]); at >= 0 {
		return append(text, jsonMeant[at])
	}
	if r.lenient && r.s[r.i] != 'u' {
		return append(text, r.s[r.i])
	}
	unit, ok := r.unit()
	if !ok {
		r.bad = true
		return text
	}
	if unit >= 0xd800 && unit < 0xdc00 {
		r.i++
		low := rune(0)
		if r.i+1 < len(r.s) && r.s[r.i] == '\\' {
			r.i++
			low, ok = r.unit()
		}
		if !ok || low < 0xdc00 || low > 0xdfff {
			r.bad = true
			return text
		}
		unit = (unit-0xd800)<<10 + (low - 0xdc00) + 0x10000
	} else if unit >= 0xdc00 && unit <= 0xdfff {
		r.bad = true
		return text
	}
	return utf8.AppendRune(text, unit)
}

// unit reads uXXXX; r.i is left on its last byte.
func (r *jsonReader) unit() (rune, bool) {
	if r.i+4 >= len(r.s) || r.s[r.i] != 'u' {
		return 0, false
	}
	n, err := strconv.ParseUint(string(r.s[r.i+1:r.i+5]), 16, 16)
	r.i += 4
	return rune(n), err == nil
}

func appendJSONString(dst, text []byte) []byte {
	dst = append(dst, '"')
	for _, b := range text {
		at := bytes.IndexByte([]byte(jsonMeant), b)
		switch {
		case at >= 0 && b != '/':
			dst = append(dst, '\\', jsonEscapes[at])
		case b < ' ':
			dst = append(dst, "\\u00"...)
			dst = append(dst, "0123456789abcdef"[b>>4], "0123456789abcdef"[b&15])
		default:
			dst = append(dst, b)
		}
	}
	return append(dst, '"')
}
