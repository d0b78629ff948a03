package rowcache

import (
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"tunic/internal/catalog"
	"tunic/internal/racetest"
)

var table = &catalog.Table{ID: catalog.ID{1}, Revision: 1, Schema: "shop", Name: "stock"}

func (c *Cache) put(t *catalog.Table, column int, row, form string) {
	c.Put(AppendKey(nil, t, column, []byte(row)), AppendForm(nil, []byte(form), form == "NULL"))
}

func (c *Cache) find(t *catalog.Table, column int, row string) string {
	key := AppendKey(nil, t, column, []byte(row))
	kept, ok := c.Find(nil, key)
	if ok != c.Has(key) {
		return "there and not there"
	}
	if !ok {
		return "nothing"
	}
	if form, null := Form(kept); !null {
		return string(form)
	}
	return "NULL"
}

// TestCache: a form is found by its table, as it is defined, its column and the key of its row, and is the last that was given.
func TestCache(t *testing.T) {
	c := &Cache{Bytes: 1 << 20}
	other, changed := *table, *table
	other.ID[0], changed.Revision = 2, 2
	if got := c.find(table, 0, "1"); got != "nothing" {
		t.Errorf("before the first row: %s", got)
	}
	long := strings.Repeat("x", 1<<20)
	for _, form := range []struct {
		column    int
		row, form string
	}{{0, "1", "a"}, {1, "1", "NULL"}, {2, "1", ""}, {0, "2", "b"}, {0, "2", "longer"}, {0, "3", "short"}, {0, "3", long}} {
		c.put(table, form.column, form.row, form.form)
	}
	for _, want := range []struct {
		of     *catalog.Table
		column int
		row    string
		form   string
	}{
		{table, 0, "1", "a"}, {table, 1, "1", "NULL"}, {table, 2, "1", ""}, {table, 3, "1", "nothing"},
		{table, 0, "2", "longer"}, {table, 0, "3", "nothing"}, {table, 0, "4", "nothing"}, {table, 0, "", "nothing"},
		{&other, 0, "1", "nothing"}, {&changed, 0, "1", "nothing"},
	} {
		if got := c.find(want.of, want.column, want.row); got != want.form {
			t.Errorf("column %d of row %q: %.10q, want %q", want.column, want.row, got, want.form)
		}
	}
	var none *Cache
	for _, c := range []*Cache{none, {}} {
		if c.Misses(table); c.Keeps() || c.Wants(table) {
			t.Error("a cache of no bytes keeps something")
		}
	}
}

// TestCacheBytes: a full cache takes no more memory than it may, with its index.
func TestCacheBytes(t *testing.T) {
	if racetest.On {
		t.Skip("the race detector takes memory of its own, and long")
	}
	const bytes, sealed = 32 << 20, 200 // that of a family of a few columns
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	c := &Cache{Bytes: bytes}
	form := strings.Repeat("x", sealed)
	for i := range bytes / sealed {
		c.put(table, 0, strconv.Itoa(i), form)
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	if took := after.HeapAlloc - before.HeapAlloc; took > bytes || took < bytes/2 {
		t.Errorf("it takes %d bytes, and may take %d", took, bytes)
	}
	runtime.KeepAlive(c)
}

// TestCacheConcurrently: sessions that use it at once find whole forms, and get no more wanted rows than there are.
func TestCacheConcurrently(t *testing.T) {
	c := &Cache{Bytes: 1 << 20}
	const sessions, turns = 4, 2000
	for range wantedMost / wantedOfMiss {
		c.Misses(table)
	}
	var wanted atomic.Int32
	var all sync.WaitGroup
	for i := range sessions {
		all.Go(func() {
			form := strings.Repeat(strconv.Itoa(i), 10*(i+1))
			for n := range turns {
				row := strconv.Itoa(n % 10)
				c.put(table, 0, row, form)
				if got := c.find(table, 0, row); len(got)%10 != 0 || strings.Trim(got, got[:1]) != "" {
					t.Errorf("found %q", got)
				}
				if c.Wants(table) {
					wanted.Add(1)
				}
			}
		})
	}
	if all.Wait(); wanted.Load() != wantedMost {
		t.Errorf("%d rows are wanted, of %d", wanted.Load(), wantedMost)
	}
}

// TestCacheWants: rows that are queried are wanted where rows of the table are written that are not known, and not for ever.
func TestCacheWants(t *testing.T) {
	c := &Cache{Bytes: 1 << 20}
	other := *table
	other.ID[0] = 2
	if c.Wants(table) {
		t.Error("a row is wanted of a table that nobody writes to")
	}
	c.Misses(table)
	wanted := 0
	for c.Wants(table) {
		wanted++
	}
	if wanted != wantedOfMiss || c.Wants(&other) {
		t.Errorf("%d rows are wanted after one that was not known, and of another table: %t", wanted, c.Wants(&other))
	}
	for range 2 * wantedMost {
		c.Misses(table)
	}
	for wanted = 0; c.Wants(table); wanted++ {
	}
	if wanted > wantedMost+wantedOfMiss {
		t.Errorf("%d rows are wanted", wanted)
	}
}
