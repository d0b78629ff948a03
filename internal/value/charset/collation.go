package charset

import (
	"bytes"
	"encoding/binary"
	"sync"
)

// Collation is an order of the strings of one character set, on one flavor of
// server. It is made by Lookup, which returns the same pointer for the same
// collation, so pointers may be compared. Its methods are safe for concurrent use.
type Collation struct {
	Name            string
	ID              uint16 // as the protocol has it
	Flavor          Flavor
	Charset         *Charset
	PadSpace        bool // trailing spaces do not count
	CaseInsensitive bool
	Binary          bool // compares code points or bytes: binary and the _bin collations

	exact   bool
	reason  string
	once    sync.Once
	weigher weigher
	space   []byte // the weights of a space
}

// weigher is the family of a collation.
type weigher interface {
	// appendWeights appends the weights of s, trailing spaces and all.
	appendWeights(dst, s []byte) []byte
}

// firstWeigher is a family in which a byte of a string may have one byte of weight.
type firstWeigher interface {
	// firstWeights is the weights of eight bytes that a string begins with, if there is one
	// for each of them.
	firstWeights(eight uint64) (first uint64, ok bool)
}

// Exact reports whether the methods of c have been found to do what the server
// does. If not, why says what is missing, for the operator, and no method that
// weighs or compares may be called: it panics rather than answer wrongly.
func (c *Collation) Exact() (ok bool, why string) { return c.exact, c.reason }

// AppendWeights appends the canonical weight string of s, which is well formed:
// the same bytes for strings that are equal in the collation, other bytes for
// all others. Of a string that is not well formed the weight string is of no
// use; see Charset.Valid.
//
// The order of weight strings is that of CompareWeights. A weight string can be
// longer than its string: by up to 22 times in UCA 9.0.0 (U+FDFA), by up to 6 in
// the older ones, by half in general_ci of an encoding of two bytes.
func (c *Collation) AppendWeights(dst, s []byte) []byte {
	c.mustBeExact()
	return c.appendCanonical(dst, s)
}

// FirstWeights returns the first eight bytes of the weight string of s, as if it went on in
// spaces where trailing ones do not count, as a number that orders as they do. ok is false
// where they are not told by the first eight bytes of s alone: of a collation that weighs
// more than a byte at a time, of a short string, and of characters outside ASCII.
func (c *Collation) FirstWeights(s []byte) (first uint64, ok bool) {
	c.mustBeExact()
	if len(s) < asciiBytes {
		return 0, false
	}
	w, ok := c.weigher.(firstWeigher)
	if !ok {
		return 0, false
	}
	return w.firstWeights(binary.BigEndian.Uint64(s))
}

func (c *Collation) appendCanonical(dst, s []byte) []byte {
	start := len(dst)
	dst = c.weigher.appendWeights(dst, s)
	if c.PadSpace {
		return dst[:start+len(trimSpace(dst[start:], c.space))]
	}
	return dst
}

// trimSpace cuts the weights of spaces off the end of w. The weights of a
// collation whose space takes two bytes all take two.
func trimSpace(w, space []byte) []byte {
	if len(space) == 1 {
		for len(w) > 0 && w[len(w)-1] == space[0] {
			w = w[:len(w)-1]
		}
		return w
	}
	for len(w) >= len(space) && bytes.Equal(w[len(w)-len(space):], space) {
		w = w[:len(w)-len(space)]
	}
	return w
}

// CompareWeights compares two weight strings of the collation: -1, 0, or +1 as
// the string of a sorts before that of b, with it, or after it.
func (c *Collation) CompareWeights(a, b []byte) int {
	n := min(len(a), len(b))
	if d := bytes.Compare(a[:n], b[:n]); d != 0 || len(a) == len(b) {
		return d
	}
	if !c.PadSpace {
		return cmpInt(len(a), len(b))
	}
	if len(a) > len(b) {
		return compareToSpaces(a[n:], c.space)
	}
	return -compareToSpaces(b[n:], c.space)
}

// compareToSpaces compares w with as many weights of the space.
func compareToSpaces(w, space []byte) int {
	for len(w) > 0 {
		n := min(len(w), len(space))
		if d := bytes.Compare(w[:n], space[:n]); d != 0 {
			return d
		}
		w = w[n:]
	}
	return 0
}

func cmpInt(a, b int) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

// AppendPrefix appends exactly n bytes that order as the collation does: the
// start of the weight string, filled up with weights of the space in a PAD SPACE
// collation and with zeros in a NO PAD one. Strings with different prefixes
// compare as these do, bytewise; strings with the same prefix may still differ.
func (c *Collation) AppendPrefix(dst, s []byte, n int) []byte {
	start := len(dst)
	dst = c.AppendWeights(dst, s)
	if len(dst)-start >= n {
		return dst[:start+n]
	}
	for filled := len(dst) - start; filled < n; filled++ {
		var fill byte
		if c.PadSpace {
			fill = c.space[filled%len(c.space)]
		}
		dst = append(dst, fill)
	}
	return dst
}

// SpaceBytes is how many bytes the weight of a space has: of most characters, too, where
// weights are not the bytes of the string.
func (c *Collation) SpaceBytes() int { return len(c.space) }

// scratch is room for two weight strings.
type scratch struct{ a, b []byte }

var scratches = sync.Pool{New: func() any { return new(scratch) }}

// scratchBytesMax bounds what the pool keeps of one comparison.
const scratchBytesMax = 64 << 10

// Compare compares two well-formed strings: -1, 0, or +1 as a sorts before b,
// is equal to it, or sorts after it.
func (c *Collation) Compare(a, b []byte) int {
	c.mustBeExact()
	return c.compare(a, b)
}

func (c *Collation) compare(a, b []byte) int {
	if bytes.Equal(a, b) {
		return 0
	}
	if _, ok := c.weigher.(byteWeigher); ok {
		return c.CompareWeights(a, b)
	}
	s, _ := scratches.Get().(*scratch)
	s.a = c.appendCanonical(s.a[:0], a)
	s.b = c.appendCanonical(s.b[:0], b)
	d := c.CompareWeights(s.a, s.b)
	if cap(s.a)+cap(s.b) <= scratchBytesMax {
		scratches.Put(s)
	}
	return d
}

// CompareTo compares a string with one whose weight string is known: what is compared with many
// strings is weighed once.
func (c *Collation) CompareTo(a, weights []byte) int {
	c.mustBeExact()
	if _, ok := c.weigher.(byteWeigher); ok {
		return c.CompareWeights(a, weights)
	}
	s, _ := scratches.Get().(*scratch)
	s.a = c.appendCanonical(s.a[:0], a)
	d := c.CompareWeights(s.a, weights)
	if cap(s.a)+cap(s.b) <= scratchBytesMax {
		scratches.Put(s)
	}
	return d
}

// mustBeExact stops a caller that has not asked Exact. An answer that may be
// wrong would end up in a token that is stored.
func (c *Collation) mustBeExact() {
	if !c.exact {
		panic("charset: " + c.Name + " of " + c.Flavor.String() + " is not exact: " + c.reason)
	}
}
