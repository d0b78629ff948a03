package alteration

import (
	"slices"

	"tunic/internal/catalog"
	"tunic/internal/crypt"
	"tunic/internal/ddl/definition"
	"tunic/internal/policy"
	"tunic/internal/sqlerr"
	"tunic/internal/value"
)

// A family goes on with the columns that are left of it. Rows keep the forms that they have: a change of the columns is another
// layout of new forms, and what rows of the layouts before have for a column that has come is written down beside them.

// leaveFamilies takes the columns out of their families whose values need other forms, or that the server is to write by itself: from
// then on they are sealed by themselves. So does a column that nobody has asked to be in a family if an UPDATE cannot read rows first any
// more. It reports whether there are any.
func (c *Change) leaveFamilies(t *catalog.Table) (left bool) {
	loose := c.Old.WritesBack() && !t.WritesBack() && len(t.ForeignKeys) == 0
	for i := range t.Columns {
		column := &t.Columns[i]
		if column.Family == "" {
			continue
		}
		def := c.Definition.Column(column.Name)
		asked := def != nil && def.Decision.Family != ""
		if !t.Fenced || definition.IsChanged(t, column.Name) || loose && !asked || c.needOf(c.was(column.Name), column) == NeedsForms {
			column.Family, left = "", true
		}
	}
	return left
}

// layFamilies gives a table to come the families that the one before has, of the columns that stay. One without columns goes.
func (c *Change) layFamilies(t *catalog.Table) error {
	t.Families = nil
	for i := range c.Old.Families {
		f := c.Old.Families[i]
		f.Added = slices.DeleteFunc(slices.Clone(f.Added), func(a catalog.AddedColumn) bool {
			return !slices.ContainsFunc(t.Columns, func(c catalog.Column) bool { return c.ID == a.Column && c.Family == f.Stored })
		})
		if len(t.Members(&f)) == 0 {
			continue
		}
		if err := lay(&f, t); err != nil {
			return err
		}
		t.Families = append(t.Families, f)
	}
	return nil
}

// lay has new forms of a family be of the columns that it has, in the order of the layout before and, behind them, of the table.
func lay(f *catalog.Family, t *catalog.Table) error {
	order, err := crypt.LayoutColumns(f.Layouts[len(f.Layouts)-1].Written)
	if err != nil {
		return err
	}
	for _, at := range t.Members(f) {
		if id := t.Columns[at].ID; !slices.Contains(order, id) {
			order = append(order, id)
		}
	}
	var members []*catalog.Column
	for _, id := range order {
		if i := slices.IndexFunc(t.Columns, func(c catalog.Column) bool { return c.ID == id && c.Family == f.Stored }); i >= 0 {
			members = append(members, &t.Columns[i])
		}
	}
	return definition.Lay(f, members)
}

// joinFamilies puts new columns into families that are there: no row has to be touched for them. A column that has a layer, or whose
// value in rows from before the server alone could say, is sealed by itself, or refused if somebody has named its family.
func (c *Change) joinFamilies(t *catalog.Table, d *definition.Definition) error {
	changed := false
	for i := range t.Columns {
		column := &t.Columns[i]
		if c.Names[catalog.Folded(column.Name)] != "" || !column.Protected() || column.Family != "" || c.filledFor(column.Name) != nil {
			continue
		}
		name := d.Joins(t, column)
		if name == "" {
			continue
		}
		joined, err := c.join(t, column, name)
		switch {
		case err != nil:
			return err
		case !joined && d.Column(column.Name).Decision.Asked:
			return sqlerr.FamilyColumn(column.Name, "a column that is added has to be one of a family that is there, without a layer, and with a constant as its default")
		}
		changed = changed || joined
	}
	if !changed {
		return nil // a table whose last protected column goes is none of the catalog's
	}
	return t.Check()
}

// join puts a new column into a family; false if it cannot be in it.
func (c *Change) join(t *catalog.Table, column *catalog.Column, name string) (bool, error) {
	f := t.FamilyNamed(catalog.FamilyName(name))
	added, known := addedColumn(column)
	if f == nil || !known || len(column.Layers) > 0 || definition.MemberOf(t, column.Name) != nil {
		return false, nil
	}
	column.Family, column.Epoch = f.Stored, f.Epoch
	f.Added = append(slices.Clone(f.Added), added)
	return true, lay(f, t)
}

// addedColumn is what rows that are there have for a new column; false where that is not known here.
func addedColumn(c *catalog.Column) (catalog.AddedColumn, bool) {
	added := catalog.AddedColumn{Column: c.ID}
	switch c.Default.Kind {
	case catalog.DefaultNull:
		added.Null = true
	case catalog.DefaultValue:
		added.Value = append([]byte{}, c.Default.Canonical...)
	case catalog.NoDefault:
		if !c.Type.NotNull {
			added.Null = true
			return added, true
		}
		added.Value = value.AppendImplicitDefault([]byte{}, &c.Type)
		return added, definition.KnowsImplicit(c)
	default:
		return added, false
	}
	return added, true
}

// StaysInFamilies refuses to put a column that is there into another family.
func (c *Change) StaysInFamilies(d *definition.Definition) error {
	for i := range d.Columns {
		column := &d.Columns[i]
		old := c.Before(column.NameText())
		note, annotated, err := policy.Annotation(column.Comment())
		if old == nil || err != nil || !annotated || note.Family == "" && !note.Apart || d.Repeats(column) {
			continue
		}
		if note.Apart != (old.Family == "") || !note.Apart && catalog.FamilyName(note.Family) != old.Family {
			return sqlerr.FamilyColumn(column.NameText(), "an annotation moves no column that is there")
		}
	}
	return nil
}
