package exec

import (
	"cmp"
	"encoding/binary"

	"tunic/internal/eval"
	"tunic/internal/value"
)

// head is the beginning of a row's first key as a number: most rows differ in it, and
// are compared without looking at them.
type head struct {
	bytes uint64 // they order as the keys do; complements of them where the key descends
	known bool   // it has as many
}

// ranked is a row in the order of a sorter.
type ranked struct {
	head   head
	number int // of the row among those that are kept
}

// Sizes in bytes.
const (
	headBytes   = 8
	rankedBytes = 24
	sortedBytes = 2*valueBytes + 8 + 16
)

// compare compares two rows as far as their heads tell: 0 where these do not.
func (h head) compare(other head) int {
	if !h.known || !other.known {
		return 0
	}
	return cmp.Compare(h.bytes, other.bytes)
}

// headOf is the head of a row with these keys.
func (s *sorter) headOf(keys eval.Row) head {
	if len(keys) == 0 || len(keys[0]) < headBytes {
		return head{}
	}
	h := head{bytes: binary.BigEndian.Uint64(keys[0]), known: true}
	switch t := s.keys[0].typ; {
	case t.Kind == value.Float, t.Kind == value.Double, t.Kind == value.UUID: // whose bytes order otherwise
		return head{}
	case t.Kind.IsInteger() && !t.Unsigned, t.Kind == value.Decimal, t.Kind == value.Time:
		h.bytes ^= 1 << 63 // of two's complements
	}
	if s.keys[0].descending {
		h.bytes = ^h.bytes
	}
	return h
}
