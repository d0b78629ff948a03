package local

import (
	"sync/atomic"
	"testing"

	"tunic/internal/budget"
	"tunic/internal/recipe"
)

// sent are the cells of a row.
type sent []string

func (s sent) Bytes(cell int) []byte {
	if s[cell] == "" {
		return nil
	}
	return []byte(s[cell])
}

// TestMisses: a row is left out unless its tokens are those of rows that have come before and are kept.
func TestMisses(t *testing.T) {
	leaves := []recipe.Leaf{{}, {Meets: []recipe.Meet{{Own: 2, Leaf: 0, Other: 0}}}, {Meets: []recipe.Meet{{Own: 0, Leaf: 0, Other: 1}, {Own: 1, Leaf: 1, Other: 2}}}}
	account := &budget.Account{Budget: &budget.Budget{Bytes: 1 << 20, TotalBytes: 1 << 20}, Total: new(atomic.Int64)}
	run := &treeRun{account: account}
	run.sieve = &Sieve{run: run, met: newMet(leaves)}
	come := func(leaf int, keep bool, want bool, cells ...string) {
		t.Helper()
		got := run.sieve.Misses(leaf, sent(cells))
		if got != want {
			t.Fatalf("a row %v of leaf %d: left out %v, want %v", cells, leaf, got, want)
		}
		if !got && keep {
			if err := run.keepMet(leaf); err != nil {
				t.Fatal(err)
			}
		}
	}
	come(0, true, false, "a", "x", "")
	come(0, false, false, "b", "y", "") // a condition drops it
	come(0, true, false, "", "z", "")
	come(1, true, false, "", "", "a")
	come(1, true, true, "", "", "b")
	come(1, true, true, "", "", "")
	come(2, true, false, "x", "a")
	come(2, true, false, "z", "a")
	come(2, true, true, "y", "a")
	come(2, true, true, "x", "b")
	for leaf := range leaves {
		if got := (&Sieve{run: run, met: newMet(leaves), leaf: 1}).Follows(leaf); got != (leaf >= 1) {
			t.Errorf("a row of leaf %d behind one of leaf 1: in order %v", leaf, got)
		}
	}
	if newMet(leaves[:1]) != nil {
		t.Error("something is kept of rows that nobody is held to")
	}
}
