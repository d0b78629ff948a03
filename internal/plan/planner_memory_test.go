package plan

import (
	"cmp"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"tunic/internal/plan/plantest"
)

// checkBounds holds what the counters say to the bounds.
func checkBounds(t *testing.T, p *Planner, entriesMax int, bytesMax int64) {
	t.Helper()
	if _, _, _, entries, bytes := p.Stats(); int64(entries) > int64(entriesMax) || bytes > bytesMax {
		t.Errorf("%d entries of %d bytes; the bounds are %d and %d", entries, bytes, entriesMax, bytesMax)
	}
}

// TestMemoryIsBounded: whatever the texts, the cache stays within its entries
// and its bytes, and uses most of what it has.
func TestMemoryIsBounded(t *testing.T) {
	for name, c := range map[string]struct {
		options Options
		texts   int
		text    func(i int) string
		fills   float64 // of the bound that is reached first
	}{
		"100,000 distinct texts": {
			Options{Entries: 1000, Bytes: 32 << 20},
			100_000,
			func(i int) string { return fmt.Sprintf("SELECT a%d FROM t%d WHERE b = %d", i, i, i) }, 0.9,
		},
		"long texts": {
			Options{Entries: 100_000, Bytes: 4 << 20},
			2000,
			func(i int) string { return fmt.Sprintf("SELECT a%d FROM %s", i, strings.Repeat("t", i*37%60_000)) }, 0.9,
		},
		"many effects": {
			Options{Entries: 100_000, Bytes: 1 << 20},
			2000,
			func(i int) string { return fmt.Sprintf("SET a%d = 1%s", i, strings.Repeat(", b = 'x'", i%500)) }, 0.9,
		},
		"many statements": {
			Options{Entries: 100_000, Bytes: 1 << 20},
			500,
			func(i int) string { return fmt.Sprintf("SELECT a%d%s", i, strings.Repeat("; DO 0", i%500)) }, 0.8,
		},
		"one entry": {
			Options{Entries: 1},
			100,
			func(i int) string { return fmt.Sprintf("SELECT a%d", i) }, 1,
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := &session{p: New(c.options), m: plantest.MariaDB}
			bytesMax := cmp.Or(c.options.Bytes, DefaultBytes)
			for i := range c.texts {
				s.plan(c.text(i))
				if i%(c.texts/10) == 0 {
					checkBounds(t, s.p, c.options.Entries, bytesMax)
				}
			}
			checkBounds(t, s.p, c.options.Entries, bytesMax)
			_, _, evictions, entries, bytes := s.p.Stats()
			if evictions == 0 {
				t.Error("nothing was evicted")
			}
			if full := max(float64(entries)/float64(c.options.Entries), float64(bytes)/float64(bytesMax)); full < c.fills {
				t.Errorf("only %.0f %% used: %d entries, %d bytes", 100*full, entries, bytes)
			}
		})
	}
}

// TestSizesAreHonest: what the cache thinks it holds is what the heap grew by,
// within a factor of two.
func TestSizesAreHonest(t *testing.T) {
	s := &session{p: New(Options{Entries: 20_000, Bytes: 1 << 30}), m: plantest.MariaDB}
	s.plan("SELECT 1")
	before := heap()
	for i := range 10_000 {
		s.plan(fmt.Sprintf("SET a%d = 'abcdefgh', b = 2, @c = 3", i))
	}
	grown := heap() - before
	_, _, _, _, bytes := s.p.Stats()
	if bytes < grown/2 || bytes > 2*grown {
		t.Errorf("%d bytes counted, the heap grew by %d", bytes, grown)
	}
	runtime.KeepAlive(s)
}

func heap() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// TestHotEntriesStay: templates in use survive a stream of texts that never
// come again.
func TestHotEntriesStay(t *testing.T) {
	s := &session{p: New(Options{Entries: 256}), m: plantest.MariaDB}
	hot := make([]string, 32)
	for i := range hot {
		hot[i] = fmt.Sprintf("SELECT hot%d FROM t WHERE a = 1", i)
		s.plan(hot[i])
	}
	hits := 0
	for i := range 20_000 {
		s.plan(fmt.Sprintf("SELECT cold%d", i))
		before := s.counted().hits
		s.plan(hot[i%len(hot)])
		hits += int(s.counted().hits - before)
	}
	// Which entries share a set is drawn anew in each process; a set that is
	// full of hot ones can lose one.
	if hits < 19_000 {
		t.Errorf("%d of 20,000 looks at hot templates hit", hits)
	}
}
