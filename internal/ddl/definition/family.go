package definition

import (
	"bytes"
	"slices"

	"tunic/internal/catalog"
	"tunic/internal/crypt"
	"tunic/internal/sqlerr"
	"tunic/internal/value"
)

// A family is the columns of a table whose annotations or rules have its name, or those of short values. All of them are in one sealed form:
// the stored table has it behind all other columns, and in the place of each member a column without a value.

// settleFamilies refuses columns that cannot be in the family that their annotations name.
func (d *Definition) settleFamilies() error {
	for i := range d.Columns {
		c := &d.Columns[i]
		switch name := c.Decision.Family; {
		case name == "":
		case !c.Protected() && !c.Decision.Asked:
		case !c.Protected():
			return sqlerr.FamilyColumn(c.NameText(), "it is plain")
		case catalog.IsFence(catalog.FamilyName(name)):
			return sqlerr.FamilyColumn(c.NameText(), "families of this name are tunic's own")
		}
	}
	return nil
}

// makeFamilies gives a new table its families, in the order of their first columns.
func (l *Logical) makeFamilies(d *Definition, s *Surroundings) error {
	t := l.Table
	for i := range t.Columns {
		c := &t.Columns[i]
		def := d.Column(c.Name)
		if def == nil {
			continue
		}
		name := d.Joins(t, c)
		err := MemberOf(t, c.Name)
		switch {
		case name == "", err != nil && !def.Decision.Asked:
			continue
		case err != nil:
			return err
		}
		c.Family = catalog.FamilyName(name)
		if t.FamilyOf(i) == nil {
			t.Families = append(t.Families, catalog.Family{ID: s.NewID(), Epoch: c.Epoch, Stored: c.Family})
		}
	}
	for i := range t.Families {
		f := &t.Families[i]
		var members []*catalog.Column
		for _, at := range t.Members(f) {
			members = append(members, &t.Columns[at])
		}
		if err := Lay(f, members); err != nil {
			return err
		}
	}
	return nil
}

// Joins is the name of the family that a protected column of a table is to be in, "" if it is to be in none. Where an UPDATE cannot read
// rows first, nobody's columns are together without having asked for it: one of them could not be set alone.
func (d *Definition) Joins(t *catalog.Table, c *catalog.Column) string {
	def := d.Column(c.Name)
	switch {
	case def == nil:
		return ""
	case def.Decision.Family == "" && def.Decision.Together && isShort(c) && t.WritesBack():
		return shortFamily
	}
	return def.Decision.Family
}

// Lay has new forms of a family be of these members: by the layout that is written if that is of them, or by a new one.
func Lay(f *catalog.Family, members []*catalog.Column) error {
	written, err := crypt.AppendLayout(nil, members)
	most, unsized := crypt.FamilyMost(members)
	if err != nil || unsized != nil {
		return sqlerr.FamilyColumn(members[0].Name, "tunic does not know how to seal it with the others")
	}
	f.Bytes = max(f.Bytes, most)
	number := 1
	if n := len(f.Layouts); n > 0 {
		if bytes.Equal(f.Layouts[n-1].Written, written) {
			return nil
		}
		number += int(f.Layouts[n-1].Number)
	}
	if number > crypt.LayoutsMax {
		return sqlerr.FamilyColumn(members[0].Name, "the family has changed too often")
	}
	f.Layouts = append(slices.Clone(f.Layouts), catalog.Layout{Number: uint16(number), Written: written})
	return nil
}

// shortFamily is the family of a table's protected columns of short values that nobody puts into another one.
const shortFamily = "row"

// shortMax is the longest canonical form of their values, in bytes: 255 characters of four, as applications declare what is no document.
// A form for each of them costs more than to open the others with one. Longer ones are by themselves: a family is opened whole,
// whatever is read of it.
const shortMax = 255 * 4

// isShort reports whether a protected column has short values alone.
func isShort(c *catalog.Column) bool {
	if !c.Protected() {
		return false
	}
	if n := value.FixedBytes(&c.Type); n > 0 {
		return n <= shortMax
	}
	return value.CanonicalMax(&c.Type) <= shortMax
}

// MemberOf refuses a column that is to be in a family of a table.
func MemberOf(t *catalog.Table, column string) error {
	if !t.Fenced {
		return sqlerr.FamilyColumn(column, "the table is temporary, or of an engine without virtual columns")
	}
	if IsChanged(t, column) {
		return sqlerr.FamilyColumn(column, "a foreign key changes it, by ON DELETE SET NULL, ON UPDATE CASCADE or ON UPDATE SET NULL")
	}
	return nil
}

// IsChanged reports whether a foreign key of a table changes a column by itself.
func IsChanged(t *catalog.Table, column string) bool {
	return slices.ContainsFunc(t.ForeignKeys, func(k catalog.ForeignKey) bool {
		written := k.OnDelete == setNull || movesRows(&k)
		return written && slices.ContainsFunc(k.Columns, func(name string) bool { return catalog.Folded(name) == catalog.Folded(column) })
	})
}
