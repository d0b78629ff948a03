package value

import (
	"strconv"

	"tunic/internal/value/charset"
)

// assignText stores into CHAR, VARCHAR and the TEXTs.
func assignText(dst []byte, t *Type, s *Source, env *Env, o *Outcome) []byte {
	start := len(dst)
	src, from := s.Bytes, asciiCharset(env)
	switch s.Form {
	case FormString:
		from = s.charset(env.Flavor)
	case FormHex, FormBit, FormHexString:
		from = binaryCharset(env)
	default:
		// Of its own: what is converted to another character set goes to the heap.
		src = spell(make([]byte, 0, 96), t, s, env, o)
	}
	if o.Failed() {
		return dst
	}
	dst = t.copyText(dst, from, src, env, o)
	if t.Kind == Char {
		dst = trimSpaces(dst, start, t.Collation.Charset)
	}
	return dst
}

// spell writes a source that is no string as one.
func spell(room []byte, t *Type, s *Source, env *Env, o *Outcome) []byte {
	switch s.Form {
	case FormInt:
		return strconv.AppendInt(room, int64(s.Number), 10)
	case FormUint:
		return strconv.AppendUint(room, s.Number, 10)
	case FormDecimal:
		return spellDecimal(room, s.Bytes)
	case FormDouble:
		return spellDouble(room, t, s.double(), env, o)
	default:
		return appendTemporalSource(room, s)
	}
}

// spellDecimal writes a decimal with the digits of the fraction it has.
func spellDecimal(room, text []byte) []byte {
	var d decimal
	d.read(text)
	scale, seen := 0, false
	for _, b := range text {
		if seen && isDigit(b) {
			scale++
		}
		seen = seen || b == '.'
	}
	return d.appendText(room, scale)
}

// spellDouble writes a double into the room the column has; only the TEXTs and
// BLOBs have all it may need.
func spellDouble(room []byte, t *Type, f float64, env *Env, o *Outcome) []byte {
	f = shownZero(f, env)
	if t.Kind.bytesMax() > 0 {
		return appendShortest(room, f)
	}
	out, fits := room, false
	if t.Length > 0 {
		out, fits = appendGeneral(room, f, doubleDigits, t.Length)
	}
	if !fits {
		tooLong(env, o)
	}
	return out
}

// tooLong reports characters lost: by a code of its own in strict mode.
func tooLong(env *Env, o *Outcome) {
	if env.Strict() {
		o.warn(env, TooLong, "")
		return
	}
	o.warn(env, Truncated, "")
}

func appendTemporalSource(dst []byte, s *Source) []byte {
	switch s.Form {
	case FormDate:
		c := UnpackDateTime(int64(s.Number))
		return appendDate(dst, &c)
	case FormTime:
		c := UnpackTime(int64(s.Number))
		return appendClock(dst, &c, int(s.Fraction))
	default:
		c := UnpackDateTime(int64(s.Number))
		return appendClock(append(appendDate(dst, &c), ' '), &c, int(s.Fraction))
	}
}

// readable reports whether it is known what becomes of a text of another character set than the
// column's: not in one whose characters are not all known here, and not on MySQL of bytes that are
// no characters.
func readable(from, to *charset.Charset, src []byte, env *Env) bool {
	switch {
	case from == to, from == binaryCharset(env), from.BytesMin == 1 && charset.IsASCII(src):
		return true
	case !convertible(from) && from.BytesMin == 1:
		return false
	}
	return env.Flavor != MySQL || from.Valid(src)
}

// copyText appends characters in the column's character set, as many as fit.
func (t *Type) copyText(dst []byte, from *charset.Charset, src []byte, env *Env, o *Outcome) []byte {
	start, fill := len(dst), 0
	to := t.Collation.Charset
	known := convertible(to) || to.BytesMin > 1
	if !known && (from.BytesMin > 1 || !charset.IsASCII(src)) {
		o.add(Error, Unanswerable, "") // it is not known which bytes are characters
		return dst
	}
	if !readable(from, to, src, env) {
		o.add(Error, Unanswerable, "")
		return dst
	}
	same := from == to
	if from == binaryCharset(env) {
		same, fill = true, charset.Fill(to, src)
	}
	bad := -1
	if known {
		dst, bad = charset.Convert(dst, to, from, src)
	} else { // in all of these ASCII is what it is
		dst, same = append(dst, src...), true
	}
	if same {
		from = to
	}
	if bad >= 0 && same {
		dst = repair(dst, start, fill, to, env)
	}
	stored := dst[start:]
	kept, split := t.fitText(stored)
	full := bad >= 0 && t.fills(src[:bad], from)
	switch {
	case full:
		tooLong(env, o) // what comes behind is not looked at
	case bad >= 0, split && same && env.Flavor == MariaDB:
		o.warn(env, Unparsable, "string")
	case len(kept) == len(stored):
	case to.BytesMin > from.BytesMin, !t.spacesOnly(stored[len(kept):]):
		// Spaces of a narrower character set are not recognised.
		tooLong(env, o)
	case t.Kind != Char:
		o.noteCut()
	}
	return dst[:start+len(kept)]
}

// fills reports whether characters take all the room of the column.
func (t *Type) fills(s []byte, cs *charset.Charset) bool {
	if most := t.Kind.bytesMax(); most > 0 {
		return len(s) >= most
	}
	return len(s) >= t.Length && cs.CharLen(s) >= t.Length
}

// repair deals with bytes that are no characters: MySQL stops before them, MariaDB puts a
// question mark for each, and one for a first character that was filled up.
func repair(dst []byte, start, fill int, cs *charset.Charset, env *Env) []byte {
	if env.Flavor != MariaDB {
		return dst[:start+cs.FirstBad(dst[start:])]
	}
	read := append([]byte{}, dst[start:]...)
	return cs.AppendRepaired(dst[:start], read, fill)
}

// fitText returns as many characters as the column has room for; split says that
// a limit in bytes went through one.
func (t *Type) fitText(s []byte) (kept []byte, split bool) {
	if most := t.Kind.bytesMax(); most > 0 {
		if len(s) <= most {
			return s, false
		}
		cs := t.Collation.Charset
		end := most
		for end > most-cs.BytesMax && !cs.Valid(s[:end]) {
			end--
		}
		return s[:end], end < most
	}
	if len(s) <= t.Length {
		return s, false
	}
	return t.Collation.Charset.TruncateChars(s, t.Length), false
}

// spacesOnly reports whether characters are spaces of the column's character
// set.
func (t *Type) spacesOnly(s []byte) bool {
	return len(trimSpaces(s, 0, t.Collation.Charset)) == 0
}

// trimSpaces cuts spaces off the end of s, down to start.
func trimSpaces(s []byte, start int, cs *charset.Charset) []byte {
	width := cs.BytesMin
	for len(s)-start >= width && isSpaceUnit(s[len(s)-width:], cs) {
		s = s[:len(s)-width]
	}
	return s
}

// isSpaceUnit recognises U+0020 in the character sets of one, two and four bytes
// a unit.
func isSpaceUnit(unit []byte, cs *charset.Charset) bool {
	last := len(unit) - 1
	if cs.Name == "utf16le" {
		return unit[0] == ' ' && unit[1] == 0
	}
	for _, b := range unit[:last] {
		if b != 0 {
			return false
		}
	}
	return unit[last] == ' '
}

var (
	binaryCharsets = charsetOfEach("binary")
	asciiCharsets  = charsetOfEach("utf8mb4")
)

// charsetOfEach finds a character set of every flavor.
func charsetOfEach(name string) (sets [TiDB + 1]*charset.Charset) {
	for _, f := range [...]Flavor{MariaDB, MySQL, TiDB} {
		sets[f], _ = charset.CharsetByName(f, name)
	}
	return sets
}

func binaryCharset(env *Env) *charset.Charset { return binaryCharsets[env.Flavor] }

// asciiCharset is that of text which tunic writes.
func asciiCharset(env *Env) *charset.Charset { return asciiCharsets[env.Flavor] }

// appendSpace appends U+0020.
func appendSpace(dst []byte, cs *charset.Charset) []byte {
	if cs.Name == "utf16le" {
		return append(dst, ' ', 0)
	}
	return append(appendByte(dst, 0, cs.BytesMin-1), ' ')
}
