package alteration

import (
	"slices"

	"tunic/internal/catalog"
	"tunic/internal/layers"
)

// A column whose values need other forms, as of another type, gets a shadow
// (catalog.Table.Shadow): a column with the new forms beside it, which every statement
// writes too and which is backfilled like a new layer. Who reads goes by the old one until the
// change is made, and then the shadow has its name.

// CanShadow says that columns of a table can have shadows while clients use it: the
// server refuses whoever does not know of them, and writes none of them by itself.
func (c *Change) CanShadow(columns []layers.Replacement) bool {
	return c.Old.Fenced && !slices.ContainsFunc(columns, func(r layers.Replacement) bool { return r.Old.Generated || r.New.Generated })
}

// was is the column whose stored forms one of the table to come has: that which it was
// before, or the shadow of that one, which has been backfilled.
func (c *Change) was(name string) *catalog.Column {
	old := c.Before(name)
	if !c.Backfilled || old == nil || old.Backfilling {
		return old
	}
	if at := c.Old.Shadow(c.Old.Column(old.Name)); at >= 0 {
		return &c.Old.Columns[at]
	}
	return old
}

// Shadowed says that a column of the table before has a shadow that has been backfilled.
func (c *Change) Shadowed(old string) bool {
	at := c.Old.Column(old)
	return c.Backfilled && at >= 0 && c.Old.Shadow(at) >= 0
}

// filledFor is the column that this change has backfilled for a new one; nil if there is
// none.
func (c *Change) filledFor(name string) *catalog.Column {
	for i := range c.Old.Columns {
		if old := &c.Old.Columns[i]; c.Backfilled && old.Backfilling && catalog.Folded(old.Name) == catalog.Folded(name) {
			return old
		}
	}
	return nil
}
