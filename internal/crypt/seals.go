package crypt

import (
	"maps"
	"sync"
	"sync/atomic"

	"tunic/internal/catalog"
	"tunic/internal/keys"
)

// Seals count what keys seal in this process: all columns of a key count together, those of all
// rings that were made with it. The zero value is ready. It may be used by any number of goroutines.
type Seals struct {
	mu       sync.Mutex
	counters map[keys.Use]*atomic.Uint64
}

// counter is where a key is counted. A column of another version of the catalog has the key of
// the one before.
func (s *Seals) counter(use keys.Use) *atomic.Uint64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := s.counters[use]
	if n == nil {
		n = new(atomic.Uint64)
		if s.counters == nil {
			s.counters = map[keys.Use]*atomic.Uint64{}
		}
		s.counters[use] = n
	}
	return n
}

// Take estimates how many values each key has sealed since it was called last; keys that have
// sealed none are not in it.
func (s *Seals) Take() map[keys.Use]uint64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	taken := map[keys.Use]uint64{}
	for use, n := range s.counters {
		if sealed := n.Swap(0); sealed > 0 {
			taken[use] = sealed
		}
	}
	return taken
}

// Keep forgets the columns that are in no table of a version of the catalog. What they seal
// afterwards is not counted.
func (s *Seals) Keep(c *catalog.Catalog) {
	used := map[keys.Domain]bool{}
	for t := range c.Tables() {
		for i := range t.Columns {
			used[keys.Domain(t.Columns[i].ID)] = true
		}
		for i := range t.Families {
			used[keys.Domain(t.Families[i].ID)] = true
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	maps.DeleteFunc(s.counters, func(use keys.Use, _ *atomic.Uint64) bool { return !used[use.Domain] })
}
