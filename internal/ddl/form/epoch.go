package form

import (
	"tunic/internal/catalog"
	"tunic/internal/policy"
)

// ColumnOfID finds a column that may have another name by now; nil if there is none.
func ColumnOfID(t *catalog.Table, id catalog.ID) *catalog.Column {
	if t == nil {
		return nil
	}
	for i := range t.Columns {
		if t.Columns[i].ID == id {
			return &t.Columns[i]
		}
	}
	return nil
}

// EpochOfLayer is the epoch of a column's layer: that which the layer had before, or that of
// the domain's other columns, or the newest.
func EpochOfLayer(c, old *catalog.Column, capability policy.Capabilities, known *catalog.Catalog, newest uint16) uint16 {
	if old != nil {
		if before := old.Layer(capability); before != nil {
			return before.Epoch
		}
	}
	for t := range known.Tables() {
		for i := range t.Columns {
			other := &t.Columns[i]
			if l := other.Layer(capability); other.Domain == c.Domain && other.ID != c.ID && l != nil {
				return l.Epoch
			}
		}
	}
	return newest
}
