package definition

import (
	"slices"

	"tunic/internal/catalog"
)

// Regrouped is a table of the catalog with its columns in the families that the definition says now; nil if they are in them. A family
// stays if its columns are the same. All others are made anew, with new forms of all their columns. Where an annotation puts a
// column into a family that it cannot be in, that is the error; otherwise such a column is in none.
func (d *Definition) Regrouped(t *catalog.Table, s *Surroundings) (*catalog.Table, error) {
	to := *t
	to.Columns, to.Families = slices.Clone(t.Columns), nil
	changed := false
	for i := range to.Columns {
		c := &to.Columns[i]
		if !c.Protected() {
			continue
		}
		stored, err := d.goesTo(t, c)
		if err != nil {
			return nil, err
		}
		changed = changed || stored != c.Family
		c.Family = stored
	}
	if !changed {
		return nil, nil //nolint:nilnil // there is nothing to do
	}
	for i := range to.Columns {
		if to.Columns[i].Family != "" && to.FamilyOf(i) == nil {
			f, err := familyOf(t, &to, i, s)
			if err != nil {
				return nil, err
			}
			to.Families = append(to.Families, f)
		}
		if c := &to.Columns[i]; c.Family == "" && t.Columns[i].Family != "" {
			c.Epoch, c.Nullable = s.Epoch, c.Type.NotNull
		}
	}
	return &to, to.Check()
}

// goesTo is the stored column of the family that a protected column is to be in, "" if it is to be in none.
func (d *Definition) goesTo(t *catalog.Table, c *catalog.Column) (stored string, err error) {
	name := d.Joins(t, c)
	switch def := d.Column(c.Name); {
	case def == nil, def.unread:
		return c.Family, nil
	case name == "":
		return "", nil
	}
	switch err := MemberOf(t, c.Name); {
	case err == nil:
		return catalog.FamilyName(name), nil
	case d.Column(c.Name).Decision.Asked:
		return "", err
	}
	return "", nil
}

// familyOf is the family of the i-th column of a table to come: the one that the table has of the same columns, or a new one, under
// whose epoch all of them are sealed then.
func familyOf(t, to *catalog.Table, i int, s *Surroundings) (catalog.Family, error) {
	made := catalog.Family{ID: s.NewID(), Epoch: s.Epoch, Stored: to.Columns[i].Family, Nullable: true}
	members := to.Members(&made)
	if f := t.FamilyOf(i); f != nil && f.Stored == made.Stored && slices.Equal(t.Members(f), members) {
		return *f, nil
	}
	var all []*catalog.Column
	for _, at := range members {
		to.Columns[at].Epoch = made.Epoch
		all = append(all, &to.Columns[at])
	}
	return made, Lay(&made, all)
}
