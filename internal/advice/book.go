package advice

import (
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"tunic/internal/catalog"
	"tunic/internal/policy"
	"tunic/internal/recipe"
)

// Book has what this process has counted of layers that are missing or used. Its methods are safe
// for concurrent use.
type Book struct {
	mu       sync.Mutex
	counters map[layerOf]*Counter
	uses     map[layerOf]*Use
	halved   time.Time // when the counters were
	// notes says that statements are told what they miss.
	notes bool
	now   func() time.Time
}

// layerOf is a layer that a column has or may have.
type layerOf struct {
	column     catalog.ID
	capability policy.Capabilities
}

// layersMax is how many layers a Book counts for between two looks at the catalog. Columns
// of temporary tables come and go.
const layersMax = 1 << 14

// halving is after how long counts are halved.
const halving = time.Hour

// NewBook makes an empty Book. notes says that statements are told of layers that would
// serve them: see Page.Note.
func NewBook(notes bool) *Book {
	return &Book{counters: map[layerOf]*Counter{}, uses: map[layerOf]*Use{}, halved: time.Now(), notes: notes, now: time.Now}
}

// Counter is what statements would have saved with one layer, in the last hours.
type Counter struct {
	statements, saved, nanoseconds atomic.Int64
	// noted is when a statement was told last, in nanoseconds since 1970.
	noted atomic.Int64
	// unwanted says that the layer is not advised: statements are not told of it.
	unwanted atomic.Bool
	_        [24]byte // a cache line of its own
}

// Counts are what a Counter has counted.
type Counts struct {
	// Statements is how many missed the layer.
	Statements int64
	// Rows is how many rows they would not have read with it, as far as that is known.
	Rows int64
	// Spent is the part of their time that went to these rows.
	Spent time.Duration
}

func (c *Counter) counts() Counts {
	return Counts{c.statements.Load(), c.saved.Load(), time.Duration(c.nanoseconds.Load())}
}

// halve forgets half of what was counted; what is counted meanwhile is not lost.
func (c *Counter) halve() {
	for _, n := range []*atomic.Int64{&c.statements, &c.saved, &c.nanoseconds} {
		n.Add(-(n.Load() + 1) / 2)
	}
}

// Use is whether the server reads a layer.
type Use struct {
	flag atomic.Bool
	last time.Time // guarded by the Book
}

// Page is what an execution of one plan counts.
type Page struct {
	book    *Book
	missing []missed
	uses    []*Use
	// counts says that rows of the answer are to be counted.
	counts bool
}

type missed struct {
	*Counter
	of recipe.MissingLayer
	// again says that the statement misses the layer for something else as well.
	again bool
}

// Open is the Page of a plan; nil if it misses nothing and uses no layer. A nil Book
// has none.
func (b *Book) Open(run *recipe.Run) *Page {
	if b == nil || len(run.Missing)+len(run.Used) == 0 {
		return nil
	}
	p := &Page{book: b}
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, w := range run.Missing {
		if c := b.counter(layerOf{w.Table.Columns[w.Column].ID, w.Layer}); c != nil {
			again := slices.ContainsFunc(p.missing, func(other missed) bool { return other.Counter == c })
			p.missing = append(p.missing, missed{c, w, again})
			p.counts = p.counts || w.For != recipe.ForWhere && w.Share > 0
		}
	}
	for _, u := range run.Used {
		if use := b.use(layerOf{u.Table.Columns[u.Column].ID, u.Layer}); use != nil {
			p.uses = append(p.uses, use)
		}
	}
	return p
}

func (b *Book) counter(of layerOf) *Counter {
	c := b.counters[of]
	if c == nil && len(b.counters) < layersMax {
		c = new(Counter)
		b.counters[of] = c
	}
	return c
}

func (b *Book) use(of layerOf) *Use {
	u := b.uses[of]
	if u == nil && len(b.uses) < layersMax {
		u = &Use{last: b.now()}
		b.uses[of] = u
	}
	return u
}

// Used notes that a statement is executed. It is for every execution, and writes to memory
// only the first time between two looks.
func (p *Page) Used() {
	if p == nil {
		return
	}
	for _, u := range p.uses {
		if !u.flag.Load() {
			u.flag.Store(true)
		}
	}
}

// Missing reports whether an execution is to be counted, and whether its answer's rows are.
func (p *Page) Missing() (execution, answer bool) {
	if p == nil {
		return false, false
	}
	return len(p.missing) > 0, p.counts
}

// Work is what an execution has done that missed layers.
type Work struct {
	// Read is how many rows were read, Dropped how many of each leaf were left out by
	// conditions, Answered how many came out at the end.
	Read     int64
	Dropped  []int64
	Answered int64
	Spent    time.Duration
}

// Add counts an execution.
func (p *Page) Add(w *Work) {
	for i := range p.missing {
		one := &p.missing[i]
		if !one.again {
			one.statements.Add(1)
		}
		if saved := one.saves(w); saved > 0 {
			one.Counter.saved.Add(saved)
			one.nanoseconds.Add(int64(float64(w.Spent) * float64(saved) / float64(max(w.Read, saved))))
		}
	}
}

// saves is how many of the rows that were read the layer would have spared.
func (w *missed) saves(of *Work) int64 {
	if w.of.Share == 0 || w.of.Leaf >= len(of.Dropped) {
		return 0
	}
	if w.of.For == recipe.ForWhere {
		return of.Dropped[w.of.Leaf] / int64(w.of.Share)
	}
	return (of.Read - of.Dropped[w.of.Leaf] - of.Answered) / int64(w.of.Share)
}

// Notes are rare: a program that looks at warnings is not to see one behind every
// statement.
const (
	noteEvery = time.Minute // of one layer
	noteRows  = 1000        // rows that it would have saved
)

// Note calls tell for each layer that the statement misses, that has been missed
// enough, that its column may have, and of which no statement was told in the last minute.
func (p *Page) Note(tell func(t *catalog.Table, column int, layer policy.Capabilities)) {
	if p == nil || !p.book.notes {
		return
	}
	for i := range p.missing {
		w := &p.missing[i]
		if w.of.Allowed && !w.of.Backfilling && !w.unwanted.Load() && w.saved.Load() >= noteRows && w.due(p.book.now()) {
			tell(w.of.Table, w.of.Column, w.of.Layer)
		}
	}
}

// due takes the turn to tell.
func (c *Counter) due(now time.Time) bool {
	last := c.noted.Load()
	return now.UnixNano()-last >= int64(noteEvery) && c.noted.CompareAndSwap(last, now.UnixNano())
}

// look takes over which layers were used, halves counters whose time it is, and forgets
// columns that are gone.
func (b *Book) look(c *catalog.Catalog) {
	known := map[catalog.ID]bool{}
	for t := range c.Tables() {
		for i := range t.Columns {
			known[t.Columns[i].ID] = true
		}
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	now := b.now()
	for of, u := range b.uses {
		if u.flag.Swap(false) {
			u.last = now
		}
		if !known[of.column] {
			delete(b.uses, of)
		}
	}
	due := now.Sub(b.halved) >= halving
	if due {
		b.halved = now
	}
	for of, c := range b.counters {
		if due {
			c.halve()
		}
		if !known[of.column] {
			delete(b.counters, of)
		}
	}
}

// counted is what is counted of a layer, and its counter; nil if nobody missed it.
func (b *Book) counted(of layerOf) (Counts, *Counter) {
	b.mu.Lock()
	defer b.mu.Unlock()
	c := b.counters[of]
	if c == nil {
		return Counts{}, nil
	}
	return c.counts(), c
}

// lastUse is when a layer was used last, as far as this process knows: it has watched since
// the first time it was asked.
func (b *Book) lastUse(of layerOf) time.Time {
	b.mu.Lock()
	defer b.mu.Unlock()
	if u := b.use(of); u != nil {
		return u.last
	}
	return b.now()
}
