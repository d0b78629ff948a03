package advice

import (
	"sync"
	"testing"
	"time"

	"tunic/internal/catalog"
	"tunic/internal/policy"
	"tunic/internal/recipe"
	"tunic/internal/value"
)

// patient has a column that may have any layer and one that may have none, without layers.
func patient() *catalog.Table {
	anything := policy.Protection{Protected: true, Allowed: policy.Equality | policy.Order}
	sealed := policy.Protection{Protected: true}
	column := func(id byte, name string, p policy.Protection) catalog.Column {
		return catalog.Column{ID: catalog.ID{id}, Domain: catalog.ID{id}, Name: name, Type: value.Type{Kind: value.BigInt}, Protection: p}
	}
	return &catalog.Table{ID: catalog.ID{9}, Schema: "shop", Name: "patient", Columns: []catalog.Column{
		column(1, "ssn", anything), column(2, "notes", sealed),
	}}
}

func missing(t *catalog.Table, column int, layer policy.Capabilities, of recipe.LayerUse, share int) recipe.MissingLayer {
	return recipe.MissingLayer{Table: t, Column: column, Layer: layer, Allowed: allowed(&t.Columns[column], layer), For: of, Share: share}
}

// TestPageShares: what layers would save is told apart as far as it is known.
func TestPageShares(t *testing.T) {
	table := patient()
	for _, c := range []struct {
		name    string
		missing []recipe.MissingLayer
		work    Work
		want    []Counts
	}{
		{
			"alone",
			[]recipe.MissingLayer{missing(table, 0, policy.Equality, recipe.ForWhere, 1)},
			Work{Read: 100, Dropped: []int64{90}, Spent: time.Second},
			[]Counts{{1, 90, 900 * time.Millisecond}},
		},
		{
			"two of them",
			[]recipe.MissingLayer{missing(table, 0, policy.Equality, recipe.ForWhere, 2), missing(table, 1, policy.Equality, recipe.ForWhere, 2)},
			Work{Read: 100, Dropped: []int64{90}, Spent: time.Second},
			[]Counts{{1, 45, 450 * time.Millisecond}, {1, 45, 450 * time.Millisecond}},
		},
		{
			"beside what no layer serves",
			[]recipe.MissingLayer{missing(table, 0, policy.Equality, recipe.ForWhere, 0)},
			Work{Read: 100, Dropped: []int64{90}, Spent: time.Second},
			[]Counts{{1, 0, 0}},
		},
		{
			"the first rows in order",
			[]recipe.MissingLayer{missing(table, 0, policy.Order, recipe.ForOrder, 1)},
			Work{Read: 100, Dropped: []int64{0}, Answered: 10, Spent: time.Second},
			[]Counts{{1, 90, 900 * time.Millisecond}},
		},
		{
			"all rows in order",
			[]recipe.MissingLayer{missing(table, 0, policy.Order, recipe.ForOrder, 1)},
			Work{Read: 100, Dropped: []int64{0}, Answered: 100, Spent: time.Second},
			[]Counts{{1, 0, 0}},
		},
		{
			"more rows than were read",
			[]recipe.MissingLayer{missing(table, 0, policy.Order, recipe.ForOrder, 1)},
			Work{Read: 1, Dropped: []int64{0}, Answered: 2, Spent: time.Second},
			[]Counts{{1, 0, 0}},
		},
		{
			"for two reasons",
			[]recipe.MissingLayer{missing(table, 0, policy.Order, recipe.ForWhere, 1), missing(table, 0, policy.Order, recipe.ForOrder, 1)},
			Work{Read: 100, Dropped: []int64{50}, Answered: 10, Spent: time.Second},
			[]Counts{{1, 90, 900 * time.Millisecond}},
		},
		{
			"of the second table",
			[]recipe.MissingLayer{{Table: table, Column: 0, Layer: policy.Equality, For: recipe.ForWhere, Leaf: 1, Share: 1}},
			Work{Read: 100, Dropped: []int64{20, 30}, Spent: time.Second},
			[]Counts{{1, 30, 300 * time.Millisecond}},
		},
	} {
		b := NewBook(false)
		p := b.Open(&recipe.Run{Missing: c.missing})
		p.Add(&c.work)
		for i, want := range c.want {
			w := c.missing[i]
			if got, _ := b.counted(layerOf{w.Table.Columns[w.Column].ID, w.Layer}); got != want {
				t.Errorf("%s, missing %d: %+v, want %+v", c.name, i, got, want)
			}
		}
	}
}

// TestPageAllocatesNothing: counting is adding.
func TestPageAllocatesNothing(t *testing.T) {
	table := patient()
	p := NewBook(true).Open(&recipe.Run{
		Missing: []recipe.MissingLayer{missing(table, 0, policy.Equality, recipe.ForWhere, 1)}, Used: []recipe.Used{{Table: table, Column: 0, Layer: policy.Order}},
	})
	work := &Work{Read: 10, Dropped: []int64{9}, Spent: time.Second}
	if n := testing.AllocsPerRun(100, func() { p.Used(); p.Add(work); p.Note(nil) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// TestBookForgets: counts are halved by the hour until there is nothing left, and columns that
// are gone have none.
func TestBookForgets(t *testing.T) {
	table := patient()
	c := catalog.New(false).Next(1, nil, []*catalog.Table{table})
	b, now := NewBook(false), time.Now()
	b.now = func() time.Time { return now }
	p := b.Open(&recipe.Run{Missing: []recipe.MissingLayer{missing(table, 0, policy.Equality, recipe.ForWhere, 1)}, Used: []recipe.Used{{Table: table, Column: 0, Layer: policy.Order}}})
	for range 8 {
		p.Add(&Work{Read: 10, Dropped: []int64{10}, Spent: time.Second})
	}
	of := layerOf{table.Columns[0].ID, policy.Equality}
	for _, want := range []int64{8, 4, 2, 1, 0, 0} {
		if got, _ := b.counted(of); got.Statements != want {
			t.Errorf("%d statements, want %d", got.Statements, want)
		}
		b.look(c) // nothing happens before its time
		now = now.Add(halving)
		b.look(c)
	}
	p.Used()
	b.look(c)
	if last := b.lastUse(layerOf{table.Columns[0].ID, policy.Order}); !last.Equal(now) {
		t.Errorf("used %v, looked at %v", last, now)
	}
	b.look(catalog.New(false))
	if len(b.counters)+len(b.uses) > 0 {
		t.Errorf("%d counters and %d uses of a column that is gone", len(b.counters), len(b.uses))
	}
}

// TestBookIsBounded: columns of temporary tables come and go between two looks.
func TestBookIsBounded(t *testing.T) {
	b := NewBook(false)
	for i := range layersMax + 10 {
		table := patient()
		table.Columns[0].ID = catalog.ID{byte(i), byte(i >> 8), byte(i >> 16), 1}
		p := b.Open(&recipe.Run{Missing: []recipe.MissingLayer{missing(table, 0, policy.Equality, recipe.ForWhere, 1)}, Used: []recipe.Used{{Table: table, Column: 0, Layer: policy.Order}}})
		p.Used()
		p.Add(&Work{Read: 1, Dropped: []int64{1}})
	}
	if len(b.counters) > layersMax || len(b.uses) > layersMax {
		t.Errorf("%d counters, %d uses", len(b.counters), len(b.uses))
	}
}

// TestBookCountsOfMany: sessions count at once, and nothing is lost.
func TestBookCountsOfMany(t *testing.T) {
	table := patient()
	b := NewBook(false)
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			p := b.Open(&recipe.Run{Missing: []recipe.MissingLayer{missing(table, 0, policy.Equality, recipe.ForWhere, 1)}})
			for range 1000 {
				p.Add(&Work{Read: 2, Dropped: []int64{1}})
			}
		})
	}
	all.Wait()
	if got, _ := b.counted(layerOf{table.Columns[0].ID, policy.Equality}); got.Statements != 8000 || got.Rows != 8000 {
		t.Errorf("%+v", got)
	}
}

// TestNotes: statements are told seldom, and only of what may be done about.
func TestNotes(t *testing.T) {
	table := patient()
	now := time.Now()
	told := func(b *Book, w recipe.MissingLayer, rows int64) (n int) {
		b.now = func() time.Time { return now }
		p := b.Open(&recipe.Run{Missing: []recipe.MissingLayer{w}})
		p.Add(&Work{Read: rows, Dropped: []int64{rows}})
		for _, wait := range []time.Duration{0, time.Second, noteEvery, time.Second} {
			now = now.Add(wait)
			p.Note(func(*catalog.Table, int, policy.Capabilities) { n++ })
		}
		return n
	}
	within, above := missing(table, 0, policy.Equality, recipe.ForWhere, 1), missing(table, 1, policy.Equality, recipe.ForWhere, 1)
	backfilling := within
	backfilling.Backfilling = true
	unwanted := NewBook(true)
	unwanted.counter(layerOf{table.Columns[0].ID, policy.Equality}).unwanted.Store(true)
	for _, c := range []struct {
		name    string
		book    *Book
		missing recipe.MissingLayer
		rows    int64
		want    int
	}{
		{"missed for long", NewBook(true), within, noteRows, 2},
		{"missed once", NewBook(true), within, noteRows - 1, 0},
		{"nobody wants notes", NewBook(false), within, noteRows, 0},
		{"above the ceiling", NewBook(true), above, noteRows, 0},
		{"on its way", NewBook(true), backfilling, noteRows, 0},
		{"its values speak against it", unwanted, within, noteRows, 0},
	} {
		if n := told(c.book, c.missing, c.rows); n != c.want {
			t.Errorf("%s: told %d times, want %d", c.name, n, c.want)
		}
	}
}
