package plan

import (
	"bytes"
	"slices"
	"sync"
	"sync/atomic"
	"unsafe"

	"tunic/internal/policy"
	"tunic/internal/sql"
)

// cache holds plans by template. Finding one takes no lock and writes nothing
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
type cache struct {
	sets []set

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

type set struct {
	slots [ways]atomic.Pointer[entry]
	hand  int // guarded by cache.mu
}

// key is what a plan is found by, beside its template.
type key struct {
	hash    uint64
	modes   sql.Modes
	version uint64 // of the catalog
	policy  *policy.Policy
	schema  string // the session's default; it counts for plans that say so
	into    bool   // it is the query of a Held
}

// entry is a plan and what it is found by.
type entry struct {
	key
	used     atomic.Bool
	template []byte
	plan     *Plan
	size     int64
}

func (c *cache) init(entries int, bytes int64) {
	// Twice as many slots as entries, so that few sets are full before the
	// cache is.
	n := 1
	for n*ways < 2*entries {
		n *= 2
	}
	c.sets = make([]set, n)
	c.entriesMax, c.bytesMax = int64(entries), bytes
}

// place is the set of a hash. The modes are part of the key but not of the
// place: the same text under other modes is rare.
func (c *cache) place(hash uint64) *set { return &c.sets[hash&uint64(len(c.sets)-1)] }

// find returns the plan of a template, or nil.
func (c *cache) find(at key, template []byte) *Plan {
	s := c.place(at.hash)
	for i := range s.slots {
		e := s.slots[i].Load()
		if e != nil && e.is(&at, template) {
			if !e.used.Load() {
				e.used.Store(true)
			}
			return e.plan
		}
	}
	return nil
}

func (e *entry) is(at *key, template []byte) bool {
	return e.hash == at.hash && e.modes == at.modes && e.version == at.version && e.policy == at.policy && e.into == at.into &&
		(!e.plan.OfSchema || e.schema == at.schema) && bytes.Equal(e.template, template)
}

// insert adds a plan, unless another session has.
func (c *cache) insert(at key, template []byte, p *Plan) {
	e := &entry{key: at, template: bytes.Clone(template), plan: p}
	e.size = int64(unsafe.Sizeof(*e)) + int64(cap(e.template)) + p.size()
	if e.size > c.bytesMax/4 {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	s := c.place(at.hash)
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
func (s *set) slotFor(e *entry) int {
	empty := -1
	for i := range s.slots {
		have := s.slots[i].Load()
		switch {
		case have == nil:
			empty = i
		case have.is(&e.key, e.template):
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
func (s *set) victim(keep *entry) int {
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
func (c *cache) replace(s *set, slot int, e *entry) {
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
func (c *cache) evictOne(keep *entry) {
	for range 2 * len(c.sets) {
		s := &c.sets[c.sweep]
		c.sweep = (c.sweep + 1) & (len(c.sets) - 1)
		if slot := s.victim(keep); slot >= 0 {
			c.replace(s, slot, nil)
			return
		}
	}
}

// size is about how much memory the plan takes, in bytes.
func (p *Plan) size() int64 {
	n := int64(unsafe.Sizeof(*p)) + int64(cap(p.Statements))*int64(unsafe.Sizeof(Statement{}))
	if p.Run != nil {
		n += p.Run.Size()
	}
	if p.Explained != nil {
		n += p.Explained.size()
	}
	if p.Own != nil {
		n += p.Own.size()
	}
	for _, v := range p.Variables {
		n += int64(unsafe.Sizeof(v)) + int64(len(v))
	}
	for _, w := range p.Words {
		n += int64(unsafe.Sizeof(w)) + int64(len(w))
	}
	for i := range p.Statements {
		n += effectsSize(&p.Statements[i].Effects)
	}
	return n
}

// size is about how much memory the plan takes, in bytes.
func (e *Explained) size() int64 {
	n := int64(unsafe.Sizeof(*e)) + e.Run.Size() + int64(cap(e.advice))*int64(unsafe.Sizeof(Advice{}))
	for _, p := range slices.Concat(e.parts, e.blunt) {
		n += int64(unsafe.Sizeof(p)) + int64(len(p.text)+len(p.how))
	}
	return n
}

func effectsSize(e *sql.Effects) int64 {
	n := len(e.Schema) + len(e.Charset.Charset) + len(e.Charset.Collation) + len(e.Prepared) + len(e.Savepoint)
	for _, a := range e.Assignments {
		n += int(unsafe.Sizeof(a)) + len(a.Name) + len(a.Value)
	}
	for _, v := range e.UserVariables {
		n += int(unsafe.Sizeof(v)) + len(v)
	}
	for _, names := range [][]sql.TableName{e.TemporaryCreated, e.TemporaryDropped, e.MaybeDropped} {
		for _, t := range names {
			n += int(unsafe.Sizeof(t)) + len(t.Schema) + len(t.Name)
		}
	}
	return int64(n)
}
