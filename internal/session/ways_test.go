package session

import (
	"testing"

	"tunic/internal/plan"
)

// TestWays: only what is to be refused is refused by its action, and what is no action is.
func TestWays(t *testing.T) {
	for a := range plan.Action(plan.Actions + 1) {
		w := wayOf(a)
		want := a == plan.Refuse || a == plan.Each || a == plan.Actions
		if got := w.is(refuses); got != want {
			t.Errorf("%s: refused %t, want %t", a, got, want)
		}
		if w.text == nil || w.prepare == nil || w.name == nil || w.immediate == nil {
			t.Errorf("%s: an entry is missing", a)
		}
	}
}
