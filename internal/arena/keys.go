package arena

import (
	"bytes"
	"hash/maphash"
)

// Keys numbers different keys from 0 on, in the order in which they come. Keys are
// copied into pieces of memory that have many of them, and what finds them has no
// pointers: a million keys cost neither a million allocations nor the collector's time.
// The zero Keys is empty.
type Keys struct {
	seed   maphash.Seed
	seeded bool
	table  []keyPlace // a power of two of them, at most three quarters taken
	keys   []keyAt
	pieces [][]byte
}

// keyPlace is a place in the table: the upper half of a key's hash, and its number and
// 1; one with 0 is empty.
type keyPlace struct{ hash, number uint32 }

// keyAt is where a key is: its piece, and from where to where in it.
type keyAt struct{ piece, from, to int32 }

// Sizes in bytes, and how many places there are at first.
const (
	keyPlaceBytes, keyAtBytes = 8, 12
	keyPlacesFirst            = 64
)

// KeyBytes is about what a key takes beside its bytes.
const KeyBytes = 2*keyPlaceBytes + 2*keyAtBytes

// MapEntryBytes is about what a map takes for an entry beside its key.
const MapEntryBytes = 48

// Add returns the number of a key, and whether it is a new one.
func (s *Keys) Add(key []byte) (number int, added bool) {
	if 4*len(s.keys) >= 3*len(s.table) {
		s.grow()
	}
	place, number := s.find(key)
	if number >= 0 {
		return number, false
	}
	number = len(s.keys)
	s.table[place].number = uint32(number) + 1
	s.keys = append(s.keys, s.keep(key))
	return number, true
}

// Number is the number of a key, -1 if it is not there.
func (s *Keys) Number(key []byte) int {
	if len(s.keys) == 0 {
		return -1
	}
	_, number := s.find(key)
	return number
}

// find finds the number of a key, or else -1 and the empty place that it belongs into,
// which gets its hash.
func (s *Keys) find(key []byte) (place, number int) {
	hash := maphash.Bytes(s.seed, key)
	upper, last := uint32(hash>>32), len(s.table)-1
	for at := int(hash) & last; ; at = (at + 1) & last {
		switch p := &s.table[at]; {
		case p.number == 0:
			p.hash = upper
			return at, -1
		case p.hash == upper && bytes.Equal(s.key(int(p.number)-1), key):
			return at, int(p.number) - 1
		}
	}
}

// key is a key by its number.
func (s *Keys) key(number int) []byte {
	at := s.keys[number]
	return s.pieces[at.piece][at.from:at.to]
}

// keep copies a key into the last piece, or a new one.
func (s *Keys) keep(key []byte) keyAt {
	last := len(s.pieces) - 1
	if last < 0 || len(key) > cap(s.pieces[last])-len(s.pieces[last]) {
		size := 0
		if last >= 0 {
			size = cap(s.pieces[last])
		}
		s.pieces = append(s.pieces, make([]byte, 0, pieceOf(size, len(key), keepBytesFirst, keepBytesMost)))
		last++
	}
	from := len(s.pieces[last])
	s.pieces[last] = append(s.pieces[last], key...)
	return keyAt{int32(last), int32(from), int32(len(s.pieces[last]))}
}

// grow doubles the table.
func (s *Keys) grow() {
	if !s.seeded {
		s.seed, s.seeded = maphash.MakeSeed(), true
	}
	s.table = make([]keyPlace, max(keyPlacesFirst, 2*len(s.table)))
	for number := range s.keys {
		place, _ := s.find(s.key(number))
		s.table[place].number = uint32(number) + 1
	}
}

// Clear takes all keys out. What it had room for it has still, up to a bound.
func (s *Keys) Clear() {
	s.table, s.keys = Bounded(s.table, keyPlaceBytes), Bounded(s.keys, keyAtBytes)[:0]
	clear(s.table)
	if n := len(s.pieces); n > 0 {
		last := Bounded(s.pieces[n-1], 1)
		clear(s.pieces)
		s.pieces = append(s.pieces[:0], last[:0])
	}
}

// KeepMax is the largest buffer that stays with a session between statements.
const KeepMax = 64 << 10

// Bounded is a slice that is used again, nil if it has become large: its elements are
// of so many bytes.
func Bounded[E any](s []E, size int) []E {
	if cap(s)*size > KeepMax {
		return nil
	}
	return s
}
