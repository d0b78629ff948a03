package catalog

import "slices"

// lateVersion marks the catalog version of a table that is late or has late layers: no statement that
// was planned by one is taken for one by the other.
const lateVersion = 1 << 63

// SeenSince is the catalog for a transaction that began when it was as began says. The
// transaction may see rows as they were then, so that layers that were not backfilled are late: a
// query that went by one would miss rows that have no tokens yet. A table whose columns were
// not backfilled is late as a whole. A server refuses the same of a key that is younger than what a
// transaction sees (1412), but knows nothing of a column that has been backfilled since.
//
// version is what the catalog gets as its own if anything is late; else it is c itself.
func (c *Catalog) SeenSince(began *Catalog, version uint64) *Catalog {
	before := make(map[ID]*Table, len(began.tables))
	for t := range began.Tables() {
		before[t.ID] = t
	}
	var late []*Table
	for t := range c.Tables() {
		if seen := t.seenSince(before[t.ID]); seen != t {
			late = append(late, seen)
		}
	}
	if len(late) == 0 {
		return c
	}
	return c.Next(version, nil, late)
}

// seenSince is a table with what is late of it: itself if nothing is. old is nil of one that
// was not there, or not protected.
func (t *Table) seenSince(old *Table) *Table {
	switch {
	case old == t, old == nil && !t.Unchecked: // made since, so that its rows are younger
		return t
	case old == nil:
		old = &Table{}
	}
	seen := *t
	seen.CatalogVersion |= lateVersion
	seen.Columns = slices.Clone(t.Columns)
	changed := false
	for i := range seen.Columns {
		c := &seen.Columns[i]
		was := slices.IndexFunc(old.Columns, func(o Column) bool { return o.ID == c.ID })
		switch {
		case c.Backfilling, !c.Protected() && (was < 0 || !old.Columns[was].Protected()):
		case was < 0 || !c.hadForm(&old.Columns[was]) || t.familyID(i) != old.familyID(was):
			seen.Late, changed = true, true
		default:
			changed = c.seenSince(&old.Columns[was]) || changed
		}
	}
	if !changed {
		return t
	}
	return &seen
}

// hadForm reports whether all rows had the form that a protected column has, when it was as
// old says.
func (c *Column) hadForm(old *Column) bool {
	return old.Protected() && c.Protected() && !old.Backfilling && old.TypeText == c.TypeText && old.CollationName == c.CollationName
}

// seenSince marks the layers of a column that are late, and reports whether any are.
func (c *Column) seenSince(old *Column) bool {
	isLate := func(l Layer) bool { return l.State == Ready && !old.hadBackfilled(&l) }
	if !slices.ContainsFunc(c.Layers, isLate) {
		return false
	}
	c.Layers = slices.Clone(c.Layers)
	for i := range c.Layers {
		c.Layers[i].Late = isLate(c.Layers[i])
	}
	return true
}

// hadBackfilled reports whether all rows of a column had a layer. One that retires is still
// written. One that has succeeded another since had a name of its own. One that was dropped and
// added again is another one, whatever it has in common with the first.
func (c *Column) hadBackfilled(l *Layer) bool {
	was := c.Layer(l.Capability)
	if next := c.Shadow(l.Capability); next != nil && next.Epoch == l.Epoch {
		was = next
	} else if was != nil && was.Stored != l.Stored {
		return false
	}
	return was != nil && (was.State == Ready || was.State == Retiring) && was.Epoch == l.Epoch && was.Scheme == l.Scheme && was.Grain == l.Grain && was.Since == l.Since
}

// DateLayers gives the layers that a table has and did not have as old says, before a change of
// its definition, the revision that brings them. All others keep theirs: those of columns that
// are there under whatever name, and a shadow in the place of the layer that it succeeds.
func (t *Table) DateLayers(old *Table) {
	for i := range t.Columns {
		c := &t.Columns[i]
		at := slices.IndexFunc(old.Columns, func(o Column) bool { return o.ID == c.ID })
		if len(c.Layers) == 0 {
			continue
		}
		c.Layers = slices.Clone(c.Layers) // others may read them
		for j := range c.Layers {
			l := &c.Layers[j]
			l.Since = t.Revision
			if at < 0 {
				continue
			}
			if was := old.Columns[at].forerunner(l); was != nil {
				l.Since = was.Since
			}
		}
	}
}

// forerunner is what a layer was before a change: the one in its stored column, else the one of
// its capability; nil if it is new.
func (c *Column) forerunner(l *Layer) *Layer {
	for i := range c.Layers {
		if c.Layers[i].Stored == l.Stored {
			return &c.Layers[i]
		}
	}
	return c.Layer(l.Capability)
}
