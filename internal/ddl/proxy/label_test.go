package proxy

import (
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

// TestProxyLabels: labels that stand for others are as many and as long, and no two
// are the same.
func TestProxyLabels(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		labels := rapid.SliceOfNDistinct(rapid.StringN(1, 4, 12), 1, 60, func(s string) string { return strings.TrimRight(s, " ") }).Draw(t, "labels")
		seen := map[string]bool{}
		for i, p := range Labels(labels) {
			if utf8.RuneCountInString(p) != utf8.RuneCountInString(strings.TrimRight(labels[i], " ")) || seen[p] {
				t.Fatalf("%q stands for %q", p, labels[i])
			}
			seen[p] = true
		}
	})
}
