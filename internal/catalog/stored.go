package catalog

import "iter"

// StoredColumn is a column of a stored table. The fence is none of them.
type StoredColumn struct {
	Name string
	Kind StoredKind
	// Column is the logical column whose values it has, in some form, and At is that one's number; nil
	// and -1 of a family, which has those of several.
	Column *Column
	At     int
	// Family is the family whose forms it has; nil of all others.
	Family *Family
	// Layer is the layer that it is; nil of what has the values themselves, sealed or plain.
	Layer *Layer
}

// StoredKind is what a stored column has of the values of a logical one.
type StoredKind uint8

// The kinds of stored columns.
const (
	NotStored    StoredKind = iota // nothing: there is no such column
	StoredPlain                    // the values of a plain column
	StoredSealed                   // the sealed forms of a protected one
	StoredToken                    // the tokens of a layer
	StoredBare                     // the plain forms of a column that is to be plain: see PlainForm
	StoredFamily                   // the sealed forms of a family: of several columns
	StoredMember                   // nothing of a member of a family but its name: a column without a value, as the fence is
)

// Stored is the name of the stored column that has the column's values: their sealed forms, those of
// its family, or, of a plain column, the values as they are. Nobody else is to know how that name is made.
func (c *Column) Stored() string {
	if c.Family != "" {
		return c.Family
	}
	return c.Name
}

// StoredColumns are the columns of the stored table, in the order in which it is made: behind the
// values of a column stand its layers, behind all others what is being backfilled, and behind that
// the families.
func (t *Table) StoredColumns() iter.Seq[StoredColumn] {
	return func(yield func(StoredColumn) bool) {
		for i := range t.Columns {
			for s := range t.StoredOf(i) {
				if !yield(s) {
					return
				}
			}
		}
		for i := range t.Families {
			f := &t.Families[i]
			if !yield(StoredColumn{Name: f.Stored, Kind: StoredFamily, At: -1, Family: f}) {
				return
			}
		}
	}
}

// StoredOf are the stored columns that are of the i-th column alone, in their order. A member that is
// being filled has no place of its own yet.
func (t *Table) StoredOf(i int) iter.Seq[StoredColumn] {
	return func(yield func(StoredColumn) bool) {
		c := &t.Columns[i]
		s := StoredColumn{Name: c.Name, Kind: StoredPlain, Column: c, At: i}
		switch {
		case c.Family != "":
			s.Kind = StoredMember
		case c.Protected():
			s.Kind = StoredSealed
		}
		if placed := c.Family == "" || !c.Backfilling; placed && !yield(s) {
			return
		}
		for j := range c.Layers {
			s.Layer = &c.Layers[j]
			s.Name, s.Kind = s.Layer.Stored, StoredToken
			if s.Layer.Bare() {
				s.Kind = StoredBare
			}
			if !yield(s) {
				return
			}
		}
	}
}

// StoredColumn finds a stored column by its name, whatever its case; its kind is NotStored if there is none.
func (t *Table) StoredColumn(name string) StoredColumn {
	name = Folded(name)
	for s := range t.StoredColumns() {
		if Folded(s.Name) == name {
			return s
		}
	}
	return StoredColumn{}
}
