package definition

import (
	"tunic/internal/catalog"
	"tunic/internal/ddl/form"
)

// New forms are of the newest epoch there is; those that a column has keep theirs, until the
// column is brought to another.

// dateLayers gives layers that are new the epoch that their tokens are to be of: that of the
// layers that they are compared with, else the newest. was is the table before a change.
func (l *Logical) dateLayers(was *catalog.Table, s *Surroundings) {
	for i := range l.Table.Columns {
		c := &l.Table.Columns[i]
		old := form.ColumnOfID(was, c.ID)
		for j := range c.Layers {
			c.Layers[j].Epoch = form.EpochOfLayer(c, old, c.Layers[j].Capability, s.Catalog, s.Epoch)
		}
	}
	for i := range l.Table.ForeignKeys {
		l.dateForeignKey(&l.Table.ForeignKeys[i], s.Catalog)
	}
}

// dateForeignKey gives the layers of referring columns the epochs of those that they refer to.
func (l *Logical) dateForeignKey(k *catalog.ForeignKey, known *catalog.Catalog) {
	parent := known.Table(k.Schema, k.Table)
	if k.Schema == l.Table.Schema && k.Table == l.Table.Name {
		parent = l.Table
	}
	if parent == nil {
		return
	}
	for i, name := range k.Columns {
		at, to := l.Table.Column(name), parent.Column(k.Referenced[i])
		if at < 0 || to < 0 {
			continue
		}
		c := &l.Table.Columns[at]
		for j := range c.Layers {
			if referred := parent.Columns[to].Layer(c.Layers[j].Capability); referred != nil {
				c.Layers[j].Epoch = referred.Epoch
			}
		}
	}
}
