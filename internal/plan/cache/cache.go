package cache

import (
	"bytes"
	"sync"
	"sync/atomic"
	"unsafe"

	"tunic/internal/policy"
	"tunic/internal/sql"
)

// Cache holds plans by template. Finding one takes no lock and writes nothing
// but, the first time after the clock's hand passed, a mark in the entry.
//
// The table is set-associative: a template's hash names a set of ways slots,
// and only there can its entry be. Each slot is one atomic pointer, and an
// entry never changes, so a reader sees an entry whole or not at all. Writers
// take one mutex; they have just parsed a statement, which takes longer.
//
// A set that is full evicts by the clock rule: the first slot after the set's
// hand whose entry was not used since the hand passed it. An entry begins
// unused, so that a stream of texts that never come again evicts itself and
// not what is in use.
type Cache[P any] struct {
	sets []set[P]

	hits, misses stripes
	evictions    atomic.Uint64
	entries      atomic.Int64
	bytes        atomic.Int64

	mu         sync.Mutex
	entriesMax int64
	bytesMax   int64
	sweep      int // the set where the search for memory goes on
}

// ways is how many entries one set holds.
const ways = 8

type set[P any] struct {
	slots [ways]atomic.Pointer[entry[P]]
	hand  int // guarded by Cache.mu
}

// Key is what a plan is found by, beside its template.
type Key struct {
	Hash    uint64
	Modes   sql.Modes
	Version uint64 // of the catalog
	Policy  *policy.Policy
	Schema  string // the session's default; it counts for plans that say so
	Into    bool   // the statement is a query whose rows become values of variables
}

// entry is a plan and what it is found by.
type entry[P any] struct {
	Key
	used     atomic.Bool
	ofSchema bool // it is for sessions with one default schema
	template []byte
	plan     *P
	size     int64
}

// New makes a cache of so many plans and bytes at most.
func New[P any](entries int, bytes int64) *Cache[P] {
	c := &Cache[P]{}
	// Twice as many slots as entries, so that few sets are full before the
	// cache is.
	n := 1
	for n*ways < 2*entries {
		n *= 2
	}
	c.sets = make([]set[P], n)
	c.entriesMax, c.bytesMax = int64(entries), bytes
	return c
}

// place is the set of a hash. The modes are part of the key but not of the
// place: the same text under other modes is rare.
func (c *Cache[P]) place(hash uint64) *set[P] { return &c.sets[hash&uint64(len(c.sets)-1)] }

// Find returns the plan of a template, or nil, and counts whether it was there.
func (c *Cache[P]) Find(at Key, template []byte) *P {
	s := c.place(at.Hash)
	for i := range s.slots {
		e := s.slots[i].Load()
		if e != nil && e.is(&at, template) {
			if !e.used.Load() {
				e.used.Store(true)
			}
			c.hits.add(at.Hash)
			return e.plan
		}
	}
	c.misses.add(at.Hash)
	return nil
}

func (e *entry[P]) is(at *Key, template []byte) bool {
	return e.Hash == at.Hash && e.Modes == at.Modes && e.Version == at.Version && e.Policy == at.Policy && e.Into == at.Into &&
		(!e.ofSchema || e.Schema == at.Schema) && bytes.Equal(e.template, template)
}

// Missed counts a text whose plan was not looked for.
func (c *Cache[P]) Missed(hash uint64) { c.misses.add(hash) }

// Insert adds a plan of a size in bytes, unless another session has. ofSchema says that it
// is for sessions with the default schema of at alone.
func (c *Cache[P]) Insert(at Key, template []byte, p *P, size int64, ofSchema bool) {
	e := &entry[P]{Key: at, template: bytes.Clone(template), plan: p, ofSchema: ofSchema}
	e.size = int64(unsafe.Sizeof(*e)) + int64(cap(e.template)) + size
	if e.size > c.bytesMax/4 {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	s := c.place(at.Hash)
	slot := s.slotFor(e)
	if slot < 0 {
		return
	}
	c.replace(s, slot, e)
	for c.entries.Load() > c.entriesMax || c.bytes.Load() > c.bytesMax {
		c.evictOne(e)
	}
}

// slotFor chooses where e goes: an empty slot, or the one the clock gives up;
// -1 if e is there already.
func (s *set[P]) slotFor(e *entry[P]) int {
	empty := -1
	for i := range s.slots {
		have := s.slots[i].Load()
		switch {
		case have == nil:
			empty = i
		case have.is(&e.Key, e.template):
			return -1
		}
	}
	if empty >= 0 {
		return empty
	}
	return s.victim(nil)
}

// victim moves the hand to the next entry that was not used since it passed
// last, other than keep, and returns its slot; -1 if there is none. Entries
// that it passes lose their mark, so that two rounds find one.
func (s *set[P]) victim(keep *entry[P]) int {
	for range 2 * ways {
		i := s.hand
		s.hand = (s.hand + 1) % ways
		e := s.slots[i].Load()
		if e != nil && e != keep && !e.used.Swap(false) {
			return i
		}
	}
	return -1
}

// replace puts e, or nothing, in a slot and keeps count.
func (c *Cache[P]) replace(s *set[P], slot int, e *entry[P]) {
	old := s.slots[slot].Load()
	if old == nil && e == nil {
		return
	}
	s.slots[slot].Store(e)
	if e != nil {
		c.entries.Add(1)
		c.bytes.Add(e.size)
	}
	if old != nil {
		c.entries.Add(-1)
		c.bytes.Add(-old.size)
		c.evictions.Add(1)
	}
}

// evictOne takes the next set's victim, going round all sets. It passes over
// keep, the entry just added.
func (c *Cache[P]) evictOne(keep *entry[P]) {
	for range 2 * len(c.sets) {
		s := &c.sets[c.sweep]
		c.sweep = (c.sweep + 1) & (len(c.sets) - 1)
		if slot := s.victim(keep); slot >= 0 {
			c.replace(s, slot, nil)
			return
		}
	}
}

// stripes is a counter that many cores may add to without sharing a cache
// line, as long as what they count differs.
type stripes [16]struct {
	atomic.Uint64
	_ [56]byte
}

func (s *stripes) add(hash uint64) { s[hash%uint64(len(s))].Add(1) }

func (s *stripes) sum() uint64 {
	var n uint64
	for i := range s {
		n += s[i].Load()
	}
	return n
}

// Stats are the counters since the start, and what the cache holds now.
func (c *Cache[P]) Stats() (hits, misses, evictions, entries uint64, bytes int64) {
	return c.hits.sum(), c.misses.sum(), c.evictions.Load(), uint64(c.entries.Load()), c.bytes.Load()
}
