package characters

import (
	"bytes"
	"strings"

	"tunic/internal/value/charset"
)

// Finder finds text in text as the servers do. MariaDB compares with every part
// that has as many bytes and begins where a character does, so that a character is
// not found where the collation has an equal one of another length. MySQL compares
// weights, and finds it.
type Finder struct {
	set       *charset.Charset
	collation *charset.Collation // nil to compare bytes
	// cuts says that a part that ends within a character is never equal.
	cuts bool
	// weighs says that the server compares with what a text goes on with, however
	// many bytes it has there.
	weighs bool
	// unsure says that the server does one or the other.
	unsure bool
}

// Scratch is what finding takes of a run, and what it finds out.
type Scratch struct {
	Bytes []byte // memory behind what is there
	// Unknown says that servers differ in what is found.
	Unknown bool
}

// NewFinder finds in text of a collation, in bytes if it is nil; nil with the name of the collation or character set
// in which it is not known what is found.
func NewFinder(set *charset.Charset, collation *charset.Collation, mariadb bool, version int) (f *Finder, unknown string) {
	f = &Finder{set: set}
	if f.set.BytesMin > 1 || !IsSelfSynchronizing(f.set) {
		return nil, f.set.Name
	}
	if collation == nil || collation.Binary {
		return f, ""
	}
	if exact, _ := collation.Exact(); !exact || collation.Name == "latin1_german2_ci" || !isRootOrder(collation) {
		return nil, collation.Name
	}
	f.collation = collation
	if !mariadb && f.set.BytesMax > 1 {
		f.weighs = version >= WeighsText
		f.unsure = !f.weighs
	}
	f.cuts = f.set.BytesMax == 1 || collation.Name == f.set.Name+"_general_ci"
	return f, ""
}

// rootOrders are the collations of Unicode in which every character has weights of
// its own, at one level: without the letters that some languages write with two
// characters, whose parts are not found.
var rootOrders = map[string]bool{
	"_general_ci": true, "_unicode_ci": true, "_unicode_520_ci": true, "_0900_ai_ci": true,
	"_uca1400_ai_ci": true, "_uca1400_nopad_ai_ci": true,
}

func isRootOrder(c *charset.Collation) bool {
	return c.Charset.BytesMax == 1 || rootOrders[strings.TrimPrefix(c.Name, c.Charset.Name)]
}

// index is the first character of s that what begins at, from 0 on; -1 for none.
func (f *Finder) index(w *Scratch, s, what []byte) int {
	if f.collation == nil {
		i := bytes.Index(s, what)
		if i < 0 {
			return -1
		}
		return f.set.CharLen(s[:i])
	}
	plain := isPlainASCII(what)
	for at := 0; ; at++ {
		if f.begins(w, s, what, plain) {
			return at
		}
		if w.Unknown || len(s) == 0 {
			return -1
		}
		s = s[f.step(s):]
	}
}

func (f *Finder) step(s []byte) int {
	if s[0] < 0x80 || f.set.BytesMax == 1 {
		return 1
	}
	return len(f.set.TruncateChars(s, 1))
}

// begins reports whether s begins with what.
func (f *Finder) begins(w *Scratch, s, what []byte, plain bool) bool {
	part := s[:min(len(what), len(s))]
	switch {
	case bytes.Equal(part, what):
		return true
	case plain && isPlainASCII(part):
		return len(part) == len(what) && f.collation.Compare(part, what) == 0
	case f.weighs:
		return f.beginsByWeight(w, s, what)
	case f.unsure:
		return f.beginsSurely(w, s, what)
	}
	return f.isPart(w, part, what)
}

// isPart compares with a part of a text that has as many bytes.
func (f *Finder) isPart(w *Scratch, part, what []byte) bool {
	switch {
	case len(part) < len(what):
		return false
	case f.set.Valid(part):
		return f.sameBefore(w, part, what)
	case !f.cuts:
		w.Unknown = true
	}
	return false
}

// beginsByWeight reports whether the weights of s begin with those of what. A digit
// stands behind both: spaces at the end count.
func (f *Finder) beginsByWeight(w *Scratch, s, what []byte) bool {
	start := len(w.Bytes)
	defer func() { w.Bytes = w.Bytes[:start] }()
	w.Bytes = append(append(w.Bytes, what...), '1')
	middle := len(w.Bytes)
	w.Bytes = append(append(w.Bytes, s...), '1')
	text, end := w.Bytes, len(w.Bytes)
	w.Bytes = f.collation.AppendWeights(w.Bytes, text[start:middle])
	half := len(w.Bytes)
	w.Bytes = f.collation.AppendWeights(w.Bytes, digit)
	last := len(w.Bytes) - half
	w.Bytes = f.collation.AppendWeights(w.Bytes[:half], text[middle:end])
	return bytes.HasPrefix(w.Bytes[half:len(w.Bytes)-last], w.Bytes[end:half-last])
}

var digit = []byte{'1'}

// beginsSurely refuses where the two ways to compare come to different ends.
func (f *Finder) beginsSurely(w *Scratch, s, what []byte) bool {
	same := f.isPart(w, s[:min(len(what), len(s))], what)
	if same != f.beginsByWeight(w, s, what) {
		w.Unknown = true
	}
	return same
}

// sameBefore compares with a digit behind both: spaces at the end count.
func (f *Finder) sameBefore(w *Scratch, a, b []byte) bool {
	start := len(w.Bytes)
	w.Bytes = append(append(w.Bytes, a...), '1')
	middle := len(w.Bytes)
	w.Bytes = append(append(w.Bytes, b...), '1')
	same := f.collation.Compare(w.Bytes[start:middle], w.Bytes[middle:]) == 0
	w.Bytes = w.Bytes[:start]
	return same
}

// isPlainASCII reports whether all of s are characters of ASCII that every
// collation gives a weight of its own.
func isPlainASCII(s []byte) bool {
	for _, b := range s {
		if b < ' ' || b > '~' {
			return false
		}
	}
	return true
}

// From is the position of what in s that is not before first, 0 for none.
func (f *Finder) From(w *Scratch, s, what []byte, first int64) int64 {
	if first < 1 || first > int64(len(s))+1 {
		return 0
	}
	before := f.set.TruncateChars(s, int(first-1))
	if int64(f.set.CharLen(before)) < first-1 {
		return 0
	}
	if i := f.index(w, s[len(before):], what); i >= 0 {
		return first + int64(i)
	}
	return 0
}

// Item is the position of what among the items of a list, 0 for none.
func (f *Finder) Item(w *Scratch, what, list []byte) int64 {
	if len(list) == 0 || bytes.IndexByte(what, ',') >= 0 {
		return 0
	}
	for at := int64(1); ; at++ {
		item, rest, more := bytes.Cut(list, comma)
		if bytes.Equal(item, what) {
			return at
		}
		if f.collation != nil && f.sameBefore(w, item, what) {
			if !f.weighs && len(item) != len(what) { // found by some, and in some places
				w.Unknown = true
			}
			return at
		}
		if !more {
			return 0
		}
		list = rest
	}
}

var comma = []byte{','}

// WeighsText is the first version of MySQL that is known to compare weights, in the
// collation of the text that is searched.
const WeighsText = 90000
