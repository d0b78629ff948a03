package catalog

import (
	"slices"
	"testing"

	"tunic/internal/policy"
)

// TestSeenSince: of what has been filled since a transaction began it does without the layer,
// and without the table where that is the column itself.
func TestSeenSince(t *testing.T) {
	const none, layer, whole = "", "layer", "table"
	state := func(s State) func(*Table) {
		return func(t *Table) { t.Columns[1].Layers[0].State, t.Columns[1].Layers[0].Job = s, 7 }
	}
	for name, c := range map[string]struct {
		before func(*Table) // makes of the table what it was; nil where it was not there
		after  func(*Table)
		late   string
	}{
		"unchanged":          {func(*Table) {}, nil, none},
		"another revision":   {func(t *Table) { t.Revision-- }, nil, none},
		"made since":         {nil, nil, none},
		"protected since":    {nil, func(t *Table) { t.Unchecked = true }, whole},
		"layer filled":       {state(Filling), nil, layer},
		"layer added":        {func(t *Table) { t.Columns[1].Layers = nil }, nil, layer},
		"still being filled": {func(t *Table) { t.Columns[1].Layers = nil }, state(Filling), none},
		"kept":               {state(Retiring), nil, none},
		"tokens anew":        {func(t *Table) { t.Columns[1].Layers[0].Epoch = 1 }, nil, layer},
		"succeeded": {func(t *Table) {
			next := t.Columns[1].Layers[0]
			next.Capability, next.Stored = Successor(next.Capability), "x$next$eq"
			t.Columns[1].Layers[0].Epoch = 9
			t.Columns[1].Layers = append(t.Columns[1].Layers, next)
		}, nil, none},
		"succeeded unfilled": {func(t *Table) {
			next := t.Columns[1].Layers[0]
			next.Capability, next.Stored, next.State = Successor(next.Capability), "x$next$eq", Filling
			t.Columns[1].Layers[0].Epoch = 9
			t.Columns[1].Layers = append(t.Columns[1].Layers, next)
		}, nil, layer},
		"column filled":      {func(t *Table) { t.Columns[1].Filling, t.Columns[1].Invisible = true, true }, nil, whole},
		"column added":       {func(t *Table) { t.Columns = slices.Delete(t.Columns, 1, 2) }, nil, whole},
		"type changed":       {func(t *Table) { t.Columns[1].TypeText = "varchar(10)" }, nil, whole},
		"protected":          {func(t *Table) { t.Columns[1].Protection = policy.Protection{} }, nil, whole},
		"made plain":         {func(t *Table) { t.Columns[0].Protection = policy.Protection{Protected: true} }, nil, whole},
		"plain column added": {func(t *Table) { t.Columns = t.Columns[1:] }, nil, none},
	} {
		t.Run(name, func(t *testing.T) {
			now, began := patient(), New(false)
			if c.after != nil {
				c.after(now)
			}
			if c.before != nil {
				old := patient()
				old.Revision++
				c.before(old)
				began = began.Next(1, nil, []*Table{old})
			}
			after := New(false).Next(2, nil, []*Table{now})
			seen := after.SeenSince(began, 99)
			got := seen.Table("shop", "patient")
			if l := now.Columns[1].Layer(policy.Equality); now.Late || l.Late {
				t.Error("the catalog itself is changed")
			}
			if c.late == none {
				if seen != after {
					t.Error("something is late")
				}
				return
			}
			if l := got.Columns[1].Layer(policy.Equality); seen.Version != 99 || got.Late != (c.late == whole) || l.Late != (c.late == layer) {
				t.Errorf("version %d, the table is late: %v, its layer: %v", seen.Version, got.Late, l.Late)
			}
			if got.Columns[2].Layers[0].Late || seen.Knows(now) || after.Knows(got) {
				t.Error("another layer is late, or what was planned by the one is taken for the other's")
			}
		})
	}
}
