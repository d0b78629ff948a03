package cache

import (
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"

	"tunic/internal/policy"
)

type plan struct{ of string }

// keep looks for a template as a planner does, and inserts what it has not found.
func keep(c *Cache[plan], at Key, template string, size int64) (hit bool) {
	if p := c.Find(at, []byte(template)); p != nil {
		return true
	}
	c.Insert(at, []byte(template), &plan{template}, size, false)
	return false
}

// TestKey: a plan is found by all of its key and by its template, and by the schema only if it is for one.
func TestKey(t *testing.T) {
	c := New[plan](100, 1<<20)
	at := Key{Hash: 7, Modes: 1, Version: 2, Policy: &policy.Policy{}, Schema: "shop"}
	c.Insert(at, []byte("SELECT ?"), &plan{"any"}, 0, false)
	c.Insert(at, []byte("SELECT a"), &plan{"shop"}, 0, true)
	for name, change := range map[string]func(*Key){
		"nothing": func(*Key) {},
		"hash":    func(k *Key) { k.Hash = 7 + 1<<40 }, // of the same set
		"modes":   func(k *Key) { k.Modes = 2 },
		"version": func(k *Key) { k.Version = 3 },
		"policy":  func(k *Key) { k.Policy = nil },
		"into":    func(k *Key) { k.Into = true },
		"schema":  func(k *Key) { k.Schema = "other" },
	} {
		k := at
		change(&k)
		if got, want := c.Find(k, []byte("SELECT ?")) != nil, name == "nothing" || name == "schema"; got != want {
			t.Errorf("another %s: the plan for all schemas is found: %v", name, got)
		}
		if got, want := c.Find(k, []byte("SELECT a")) != nil, name == "nothing"; got != want {
			t.Errorf("another %s: the plan for one schema is found: %v", name, got)
		}
	}
	if c.Find(at, []byte("SELECT b")) != nil {
		t.Error("a plan is found by another template")
	}
	if hits, misses, _, entries, _ := c.Stats(); hits != 3 || misses != 12 || entries != 2 {
		t.Errorf("%d hits, %d misses, %d entries", hits, misses, entries)
	}
}

// TestBounds: whatever is inserted, the counters say what is there, and that is within the bounds.
func TestBounds(t *testing.T) {
	const entriesMax, bytesMax = 100, 64 << 10
	c := New[plan](entriesMax, bytesMax)
	random := rand.New(rand.NewPCG(1, 2))
	for i := range 10_000 {
		keep(c, Key{Hash: random.Uint64()}, fmt.Sprint(i), random.Int64N(bytesMax/3))
		if i%100 == 0 {
			checkBounds(t, c)
		}
	}
	keep(c, Key{Hash: 1}, "too large", bytesMax/4)
	if c.Find(Key{Hash: 1}, []byte("too large")) != nil {
		t.Error("a plan is kept that takes a quarter of all memory")
	}
	checkBounds(t, c)
	if _, _, evictions, _, _ := c.Stats(); evictions == 0 {
		t.Error("nothing was evicted")
	}
}

// checkBounds compares what the counters say with what is there, and both with the bounds.
func checkBounds(t *testing.T, c *Cache[plan]) {
	t.Helper()
	var entries, bytes int64
	for i := range c.sets {
		for j := range c.sets[i].slots {
			if e := c.sets[i].slots[j].Load(); e != nil {
				entries++
				bytes += e.size
			}
		}
	}
	_, _, _, n, b := c.Stats()
	if int64(n) != entries || b != bytes {
		t.Errorf("counted %d entries of %d bytes, there are %d of %d", n, b, entries, bytes)
	}
	if entries > c.entriesMax || bytes > c.bytesMax {
		t.Errorf("%d entries of %d bytes; the bounds are %d and %d", entries, bytes, c.entriesMax, c.bytesMax)
	}
}

// TestUsedStay: of a set that is full what was found since the hand passed it stays.
func TestUsedStay(t *testing.T) {
	c := New[plan](100, 1<<20)
	at := Key{Hash: 5}
	for i := range ways {
		keep(c, at, fmt.Sprint(i), 0)
	}
	used := c.Find(at, []byte("3"))
	for i := range ways - 1 {
		keep(c, at, fmt.Sprint("new ", i), 0)
	}
	if c.Find(at, []byte("3")) != used {
		t.Error("what was used is gone, and was not used less than others")
	}
	if c.Find(at, []byte("0")) != nil {
		t.Error("what was never used is there")
	}
}

// TestFindAllocatesNothing: neither a hit nor a miss.
func TestFindAllocatesNothing(t *testing.T) {
	c := New[plan](100, 1<<20)
	keep(c, Key{Hash: 1}, "there", 0)
	there, missing := []byte("there"), []byte("missing")
	if n := testing.AllocsPerRun(100, func() { c.Find(Key{Hash: 1}, there); c.Find(Key{Hash: 1}, missing) }); n > 0 {
		t.Errorf("%v allocations", n)
	}
}

// TestTogether: sessions that find and insert at once find what was inserted for the template, and no other.
func TestTogether(t *testing.T) {
	c := New[plan](32, 1<<20)
	var all sync.WaitGroup
	for n := range 4 {
		all.Go(func() {
			random := rand.New(rand.NewPCG(uint64(n), 0))
			for range 5_000 {
				i := random.Uint64N(100)
				template := fmt.Sprint(i)
				if p := c.Find(Key{Hash: i % 10}, []byte(template)); p != nil && p.of != template {
					t.Errorf("%s is found for %s", p.of, template)
				}
				keep(c, Key{Hash: i % 10}, template, 0)
			}
		})
	}
	all.Wait()
	checkBounds(t, c)
}
