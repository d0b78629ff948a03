package usage

import (
	"bytes"
	"cmp"
	"container/heap"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"tunic/internal/sql"
)

// Entries is how many templates a Top has at most. With texts of textBytesMax it takes
// some 2 MiB, and less than a tenth of that with what applications send.
const Entries = 500

// textBytesMax is how much of a template is kept: what is shown is shorter.
const textBytesMax = 4 << 10

// Top has the templates that have cost most. A nil Top knows none.
type Top struct {
	entries int
	mu      sync.Mutex
	byHash  map[uint64]*Template
	heap    cheapest
	// floor is not above the cost of the cheapest, once the list is full; before, it is -1.
	floor atomic.Int64
}

// NewTop makes an empty list of so many entries.
func NewTop(entries int) *Top {
	t := &Top{entries: entries, byHash: make(map[uint64]*Template, entries)}
	t.floor.Store(-1)
	return t
}

// Open is the Template of a fingerprint; nil of one that is not clean. lasting says that
// who asks keeps it, so that it can earn its place in the list; one that does not last
// takes the place of the cheapest, with its cost (space-saving counters: Metwally, Agrawal
// and El Abbadi, 2005).
func (t *Top) Open(f *sql.Fingerprint, m sql.Modes, lasting bool) *Template {
	if t == nil || !f.Clean {
		return nil
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if known := t.byHash[f.Hash]; known != nil {
		return known
	}
	text := f.Template
	if len(text) > textBytesMax {
		text = text[:textBytesMax]
	}
	one := &Template{top: t, hash: f.Hash, text: bytes.Clone(text), modes: m}
	switch {
	case len(t.heap) < t.entries:
		t.list(one)
	case !lasting:
		out := t.cheapest()
		one.inherited = out.cost()
		t.replace(out, one)
	}
	return one
}

// consider lists a template that is not in the list, if it has cost more than the cheapest.
func (t *Top) consider(one *Template) {
	if one.cost() <= t.floor.Load() {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if one.listed.Load() || t.byHash[one.hash] != nil { // or another plan's of the same text is
		return
	}
	if len(t.heap) < t.entries {
		t.list(one)
		return
	}
	if out := t.cheapest(); one.cost() > out.cost() {
		t.replace(out, one)
	}
}

// list puts a template into a list that is not full.
func (t *Top) list(one *Template) {
	one.costKnown = one.cost()
	heap.Push(&t.heap, one)
	t.byHash[one.hash] = one
	one.listed.Store(true)
}

// replace puts a template in the place of the cheapest.
func (t *Top) replace(out, one *Template) {
	out.listed.Store(false)
	delete(t.byHash, out.hash)
	t.heap[out.listedAs] = one
	one.listedAs, one.costKnown = out.listedAs, one.cost()
	heap.Fix(&t.heap, one.listedAs)
	t.byHash[one.hash] = one
	one.listed.Store(true)
}

// cheapest is the template of the list that has cost least. Costs only grow, so it is at
// the top of the heap when its known cost is still its cost.
func (t *Top) cheapest() *Template {
	for {
		first := t.heap[0]
		cost := first.cost()
		if cost == first.costKnown {
			t.floor.Store(cost)
			return first
		}
		first.costKnown = cost
		heap.Fix(&t.heap, 0)
	}
}

// Usage is what a Template has counted.
type Usage struct {
	Template            *Template
	Statements, Refused int64
	Took                time.Duration
	// Phases are the shares of Took, as statements had them that were timed; they add up to
	// 1, or are all 0 if none was.
	Phases [Phases]float64
}

// Most are the n templates that have cost most, the most costly first.
func (t *Top) Most(n int) []Usage {
	if t == nil {
		return nil
	}
	t.mu.Lock()
	all := make([]Usage, 0, len(t.heap))
	for _, one := range t.heap {
		if u := one.usage(); u.Statements > 0 {
			all = append(all, u)
		}
	}
	t.mu.Unlock()
	slices.SortFunc(all, func(a, b Usage) int { return cmp.Compare(b.Took, a.Took) })
	return all[:min(n, len(all))]
}

func (t *Template) usage() Usage {
	u := Usage{Template: t, Statements: t.statements.Load(), Refused: t.refused.Load(), Took: time.Duration(t.nanos.Load())}
	sum := 0.0
	for p := range u.Phases {
		u.Phases[p] = float64(t.timed[p].Load())
		sum += u.Phases[p]
	}
	for p := range u.Phases {
		if sum > 0 {
			u.Phases[p] /= sum
		}
	}
	return u
}

// cheapest is a heap by known cost.
type cheapest []*Template

func (h cheapest) Len() int           { return len(h) }
func (h cheapest) Less(i, j int) bool { return h[i].costKnown < h[j].costKnown }

func (h cheapest) Swap(i, j int) {
	h[i], h[j] = h[j], h[i]
	h[i].listedAs, h[j].listedAs = i, j
}

// Push implements heap.Interface.
func (h *cheapest) Push(x any) {
	one, _ := x.(*Template)
	one.listedAs = len(*h)
	*h = append(*h, one)
}

// Pop implements heap.Interface.
func (h *cheapest) Pop() any {
	last := (*h)[len(*h)-1]
	*h = (*h)[:len(*h)-1]
	return last
}
