package ddl

import (
	"slices"

	"tunic/internal/catalog"
)

// lack is what the rows of a table lack for a change: the revision of the table in
// which they get it. It is an error of a change that finds such rows.
type lack struct {
	backfilling *catalog.Table
	// given is what rows get in new columns, in canonical form.
	given map[catalog.ID][]byte
	// called is what columns are to be called whose places shadows take, by the IDs of these.
	called map[catalog.ID]string
}

func (*lack) Error() string { return "the rows of the table have to be backfilled first" }

// addLayers gives the column at an index the layers that the one to come has beyond
// it, and the domain that they are of.
func (k *lack) addLayers(at int, next *catalog.Column) {
	c := &k.backfilling.Columns[at]
	if c.Domain != next.Domain { // what jobs have on their way is of the other one
		c.Layers = slices.DeleteFunc(c.Layers, func(l catalog.Layer) bool { return l.State != catalog.Ready })
	}
	c.Domain = next.Domain
	for _, l := range next.Layers {
		if c.Layer(l.Capability) == nil {
			l.State, l.Stored = catalog.Backfilling, catalog.StoredName(c.Name, l.Capability)
			c.Layers = append(c.Layers, l)
		}
	}
}

// addColumn adds a column that nobody sees yet. An INSERT gives it its default, or
// what rows get where it has none.
func (k *lack) addColumn(next *catalog.Column, given []byte) {
	c := *next
	c.Backfilling, c.Invisible, c.OnUpdateNow = true, true, false
	if c.Default.Kind == catalog.NoDefault {
		c.Default = catalog.Default{Kind: catalog.DefaultValue, Canonical: given}
	}
	c.Layers = nil
	for _, l := range next.Layers {
		l.State = catalog.Backfilling
		c.Layers = append(c.Layers, l)
	}
	k.given[c.ID] = given
	k.backfilling.Columns = append(k.backfilling.Columns, c)
}

// addShadow adds what is to take the place of a column. Its ID is its own, so that a
// transaction which sees rows from before it was backfilled is told (catalog.SeenSince).
func (k *lack) addShadow(id catalog.ID, old, next *catalog.Column) {
	c := *next
	c.ID, c.Name, c.Shadows = id, catalog.ShadowName(old.Name), old.Name
	k.called[id] = next.Name
	c.Backfilling, c.Invisible, c.OnUpdateNow = true, true, false
	c.Default = catalog.Default{Kind: catalog.DefaultNull}
	c.Layers = nil
	for _, l := range next.Layers {
		l.State, l.Job, l.Nullable, l.Stored = catalog.Backfilling, 0, false, catalog.StoredName(c.Name, l.Capability)
		c.Layers = append(c.Layers, l)
	}
	k.backfilling.Columns = append(k.backfilling.Columns, c)
}
