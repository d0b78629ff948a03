package catalog

import "testing"

// TestFence: another revision and another table have another fence, and no logical column
// may look like one.
func TestFence(t *testing.T) {
	table := &Table{ID: ID{0: 1, 10: 0x6f, 15: 0x4d}, Revision: 7, Fenced: true}
	if got := table.Fence(); got != "tunic$6f000000004d$7" {
		t.Error(got)
	}
	next, other, without := *table, *table, *table
	next.Revision, other.ID[12], without.Fenced = 8, 9, false
	if next.Fence() == table.Fence() || other.Fence() == table.Fence() || without.Fence() != "" {
		t.Error(next.Fence(), other.Fence(), without.Fence())
	}
	for name, is := range map[string]bool{
		table.Fence(): true, "TUNIC$": true, "tunic": false, "tunic_1": false, "a$tunic$1": false, "": false,
	} {
		if IsFence(name) != is || Reserved(name) != is {
			t.Errorf("%s: %v, %v", name, IsFence(name), Reserved(name))
		}
	}
	if long := (&Table{Revision: 1<<64 - 1, Fenced: true}).Fence(); len(long) > nameMax {
		t.Error(long, "is too long a name")
	}
}

// TestWithoutFences: no table of such a catalog has a fence to be named, each is still the
// table that it was, and the catalog that it is made of stays as it is.
func TestWithoutFences(t *testing.T) {
	fenced := &Table{ID: ID{1}, Schema: "shop", Name: "fenced", Revision: 3, Fenced: true}
	bare := &Table{ID: ID{2}, Schema: "shop", Name: "bare", Revision: 1}
	c := New(false).Next(5, nil, []*Table{fenced, bare})
	without := c.WithoutFences(99)
	if without.Version != 99 || c.Table("shop", "fenced") != fenced || without.Table("shop", "bare") != bare {
		t.Error(without.Version, without.Table("shop", "bare"))
	}
	got := without.Table("shop", "fenced")
	if got.Fence() != "" || got.UnnamedFence() != fenced.Fence() || fenced.UnnamedFence() != "" || bare.UnnamedFence() != "" {
		t.Errorf("%q, %q", got.Fence(), got.UnnamedFence())
	}
	if !c.Knows(got) || !without.Knows(fenced) {
		t.Error("another table")
	}
}
