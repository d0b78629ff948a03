package session

import (
	"testing"

	"tunic/internal/plan"
)

// TestWays: each action has all ways in which it is done, only what is to be refused is refused by its
// action, and what is no action is.
func TestWays(t *testing.T) {
	seen := map[int]bool{}
	for _, a := range []plan.Action{
		&plan.Forward{}, &plan.Execute{}, &plan.Explain{}, &plan.Introspect{}, &plan.Define{}, &plan.DefineView{}, &plan.Grant{},
		&plan.SetVariables{}, &plan.Fold{}, &plan.Call{}, &plan.ByName{}, &plan.Each{}, &plan.Refuse{}, nil,
	} {
		w := wayOf(a)
		want := a == nil
		if a != nil {
			p := &plan.Plan{Action: a}
			seen[p.ActionNumber()] = true
			want = plan.Is[*plan.Refuse](p) || plan.Is[*plan.Each](p)
		}
		if got := w.is(refuses); got != want {
			t.Errorf("%T: refused %t, want %t", a, got, want)
		}
		if w.text == nil || w.prepare == nil || w.name == nil || w.immediate == nil {
			t.Errorf("%T: an entry is missing", a)
		}
	}
	if len(seen) != len(plan.ActionNames()) {
		t.Errorf("%d of %d actions are looked at", len(seen), len(plan.ActionNames()))
	}
}
