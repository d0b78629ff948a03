package difftest

import (
	"slices"
	"testing"
)

// TestShrink: what is left fails, and nothing can be left out of it.
func TestShrink(t *testing.T) {
	var all []int
	for i := range 100 {
		all = append(all, i)
	}
	for name, needed := range map[string][]int{"one": {41}, "two apart": {3, 97}, "neighbours": {50, 51, 52}, "the ends": {0, 99}} {
		tries := 0
		got := Shrink(all, func(some []int) bool {
			tries++
			for _, n := range needed {
				if !slices.Contains(some, n) {
					return false
				}
			}
			return true
		})
		if !slices.Equal(got, needed) || tries > shrinkTriesMax {
			t.Errorf("%s: left is %v after %d tries, want %v", name, got, tries, needed)
		}
	}
	if got := Shrink(all, func([]int) bool { return false }); len(got) != len(all) {
		t.Errorf("what never fails was shrunk to %v", got)
	}
}
