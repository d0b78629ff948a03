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
		"layer filled":       {state(Backfilling), nil, layer},
		"layer added":        {func(t *Table) { t.Columns[1].Layers = nil }, nil, layer},
		"still being filled": {func(t *Table) { t.Columns[1].Layers = nil }, state(Backfilling), none},
		"kept":               {state(Retiring), nil, none},
		"tokens anew":        {func(t *Table) { t.Columns[1].Layers[0].Epoch = 1 }, nil, layer},
		"dropped and added":  {func(*Table) {}, func(t *Table) { t.Columns[1].Layers[0].Since = t.Revision }, layer},
		"succeeded": {func(t *Table) {
			next := t.Columns[1].Layers[0]
			next.Capability, next.Stored = Shadow(next.Capability), "x$next$eq"
			t.Columns[1].Layers[0].Epoch = 9
			t.Columns[1].Layers = append(t.Columns[1].Layers, next)
		}, nil, none},
		"succeeded unfilled": {func(t *Table) {
			next := t.Columns[1].Layers[0]
			next.Capability, next.Stored, next.State = Shadow(next.Capability), "x$next$eq", Backfilling
			t.Columns[1].Layers[0].Epoch = 9
			t.Columns[1].Layers = append(t.Columns[1].Layers, next)
		}, nil, layer},
		"column filled":      {func(t *Table) { t.Columns[1].Backfilling, t.Columns[1].Invisible = true, true }, nil, whole},
		"column added":       {func(t *Table) { t.Columns = slices.Delete(t.Columns, 1, 2) }, nil, whole},
		"type changed":       {func(t *Table) { t.Columns[1].TypeText = "varchar(10)" }, nil, whole},
		"protected":          {func(t *Table) { t.Columns[1].Protection = policy.Protection{} }, nil, whole},
		"made plain":         {func(t *Table) { t.Columns[0].Protection = policy.Protection{Protected: true} }, nil, whole},
		"come into a family": {func(*Table) {}, func(t *Table) { t.Families, t.Columns = family().Families, family().Columns }, whole},
		"of another family": {
			func(t *Table) {
				t.Families, t.Columns = family().Families, family().Columns
				t.Families[0].ID = id("old")
			},
			func(t *Table) { t.Families, t.Columns = family().Families, family().Columns }, whole,
		},
		"of the same family": {
			func(t *Table) { t.Families, t.Columns = family().Families, family().Columns },
			func(t *Table) { t.Families, t.Columns = family().Families, family().Columns }, none,
		},
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

// TestDateLayers: a layer has the revision that brought it for as long as it is there, and one
// that comes in its place has another.
func TestDateLayers(t *testing.T) {
	of := func(t *Table) (all []uint64) {
		for i := range t.Columns {
			for j := range t.Columns[i].Layers {
				all = append(all, t.Columns[i].Layers[j].Since)
			}
		}
		return all
	}
	next := func(old *Table, change func(*Table)) *Table {
		t := *old
		t.Columns = slices.Clone(old.Columns)
		for i := range t.Columns {
			t.Columns[i].Layers = slices.Clone(t.Columns[i].Layers)
		}
		t.Revision++
		change(&t)
		t.DateLayers(old)
		return &t
	}
	made := patient()
	before := of(made)
	same := next(made, func(*Table) {})
	dropped := next(same, func(t *Table) { t.Columns[1].Layers = nil })
	again := next(dropped, func(t *Table) { t.Columns[1].Layers = slices.Clone(made.Columns[1].Layers) })
	renamed := next(again, func(t *Table) { t.Columns[1].Name, t.Columns[1].Layers[0].Stored = "other", "other$eq" })
	ahead := next(renamed, func(t *Table) {
		l := t.Columns[1].Layers[0]
		l.Capability, l.Stored = Shadow(l.Capability), "other$next$eq"
		t.Columns[1].Layers = append(t.Columns[1].Layers, l)
	})
	promoted := next(ahead, func(t *Table) {
		l := t.Columns[1].Layers[len(t.Columns[1].Layers)-1]
		l.Capability = made.Columns[1].Layers[0].Capability
		t.Columns[1].Layers = []Layer{l}
	})
	first := func(t *Table) uint64 { return t.Columns[1].Layers[0].Since }
	if !slices.Equal(of(same), before) || !slices.Equal(of(made), before) {
		t.Errorf("a layer that stays has another date: %v, %v", of(same), of(made))
	}
	if first(again) != again.Revision || first(renamed) != first(again) || first(ahead) != first(again) || first(promoted) != ahead.Revision {
		t.Errorf("added again at %d: %d, then %d, %d and, of the shadow of %d, %d",
			again.Revision, first(again), first(renamed), first(ahead), ahead.Revision, first(promoted))
	}
}
