package catalog

import (
	"fmt"
	"slices"
)

// FamilyOf is the family that the i-th column is in, nil if it is in none.
func (t *Table) FamilyOf(i int) *Family {
	stored := t.Columns[i].Family
	if stored == "" {
		return nil
	}
	return t.FamilyNamed(stored)
}

// FamilyNamed is the family whose stored column has a name, nil if there is none.
func (t *Table) FamilyNamed(stored string) *Family {
	for i := range t.Families {
		if t.Families[i].Stored == stored {
			return &t.Families[i]
		}
	}
	return nil
}

// Members are the numbers of the columns of a family, in their order.
func (t *Table) Members(f *Family) (all []int) {
	for i := range t.Columns {
		if t.Columns[i].Family == f.Stored {
			all = append(all, i)
		}
	}
	return all
}

// Backfills reports whether rows from before lack the family's form still.
func (f *Family) Backfills() bool { return f.Takes != "" }

// BeginFill has rows get the family's form under a name of tunic's own, until EndFill gives it its name.
func (f *Family) BeginFill() { f.Takes, f.Stored = f.Stored, FamilyAhead(f.ID) }

// EndFill is described with BeginFill.
func (f *Family) EndFill() { f.Stored, f.Takes = f.Takes, "" }

// moves reports whether a column shadows one of the same ID: that one is to be in another family, or in none. It gets the same values.
// Layers stay with the one that it shadows.
func (t *Table) moves(c *Column) bool {
	if c.Shadows == "" {
		return false
	}
	at := t.Column(c.Shadows)
	return at >= 0 && t.Columns[at].Protected() && t.Columns[at].ID == c.ID
}

// Moving reports whether columns are on their way into other families, or out of one.
func (t *Table) Moving() bool {
	return slices.ContainsFunc(t.Columns, func(c Column) bool { return t.moves(&c) })
}

// Converting reports whether an administrator's command is at work that changes how columns are stored, and goes on however often it
// is cut off.
func (t *Table) Converting() bool { return t.Encrypting() || t.Baring() || t.Moving() }

// familyID is the ID of the family that the i-th column is in, none if it is in none.
func (t *Table) familyID(i int) (id ID) {
	if f := t.FamilyOf(i); f != nil {
		id = f.ID
	}
	return id
}

// checkFamilies is of the families: each has members, which are sealed under its epoch, and every member has a family. One
// that is being filled has shadows as its members, and no others.
func (t *Table) checkFamilies() error {
	for i := range t.Families {
		f := &t.Families[i]
		if f.ID.IsZero() || f.Stored == "" || len(t.Members(f)) == 0 || len(f.Layouts) == 0 || f.Bytes == 0 {
			return fmt.Errorf("family %d: %w: it lacks a name, an ID, members, a layout or a size", i+1, ErrContent)
		}
		if slices.ContainsFunc(t.Families[:i], func(g Family) bool { return g.ID == f.ID }) {
			return fmt.Errorf("family %d: %w: it has the ID of another", i+1, ErrContent)
		}
		last := uint16(0)
		for _, l := range f.Layouts {
			if l.Number <= last || len(l.Written) == 0 {
				return fmt.Errorf("family %d: %w: a layout without a number of its own, or of nothing", i+1, ErrContent)
			}
			last = l.Number
		}
	}
	for i := range t.Columns {
		c := &t.Columns[i]
		if c.Family == "" {
			continue
		}
		f := t.FamilyOf(i)
		if f == nil || f.Epoch != c.Epoch || !c.Protected() || c.Backfilling != f.Backfills() || c.Backfilling && c.Shadows == "" {
			return fmt.Errorf("column %d: %w: of a family that is not there or has another epoch, plain, or being filled without others", i+1, ErrContent)
		}
	}
	return nil
}
