package revision

import (
	"slices"
	"strings"

	"tunic/internal/catalog"
	"tunic/internal/ddl/form"
	"tunic/internal/ddl/showcreate"
	"tunic/internal/identifier"
	"tunic/internal/policy"
	"tunic/internal/sqlerr"
)

// Columns of a protected table come into other families, or out of one, by shadows that have their IDs and no layers. When all rows
// have what the shadows are to have, one statement gives these the places of the columns.

// Moving is a table whose columns are on their way to where they are in another one.
func Moving(t, to *catalog.Table) *catalog.Table {
	next := CopyOf(t)
	next.Revision++
	for i := range to.Columns {
		was, is := t.FamilyOf(i), to.FamilyOf(i)
		if was == nil && is == nil || was != nil && is != nil && was.ID == is.ID {
			continue
		}
		c := to.Columns[i]
		c.Shadows, c.Name, c.Backfilling, c.Invisible = c.Name, catalog.ShadowName(c.Name), true, true
		c.Layers, c.Generated, c.OnUpdateNow, c.Nullable = nil, false, false, false
		c.Default = catalog.Default{Kind: catalog.DefaultNull}
		if c.Family = ""; is != nil {
			c.Family = catalog.FamilyAhead(is.ID)
		}
		next.Columns = append(next.Columns, c)
	}
	for _, f := range to.Families {
		if !slices.ContainsFunc(t.Families, func(was catalog.Family) bool { return was.ID == f.ID }) {
			f.BeginFill()
			next.Families = append(next.Families, f)
		}
	}
	return next.Table
}

// Moved is a table whose columns have come to where they were on their way to.
func Moved(t *catalog.Table) *catalog.Table {
	next := CopyOf(t)
	next.Revision, next.Unchecked = t.Revision+1, true
	next.Columns, next.Families = next.Columns[:len(t.Known())], nil
	for i := range next.Columns {
		c := &next.Columns[i]
		at := t.Shadow(i)
		if at < 0 {
			continue
		}
		c.Epoch, c.Family, c.Nullable = t.Columns[at].Epoch, "", false
		if f := t.FamilyOf(at); f != nil {
			c.Family = f.Takes
		} else {
			c.Nullable = c.Type.NotNull
		}
	}
	for _, f := range t.Families {
		switch {
		case f.Backfills():
			f.EndFill()
		case !slices.ContainsFunc(t.Known(), func(c catalog.Column) bool { return c.Family == f.Stored && t.Shadow(t.Column(c.Name)) < 0 }):
			continue // all of its columns have left
		}
		next.Families = append(next.Families, f)
	}
	return next.Table
}

// MovingColumns are the stored columns that columns come into. Rows have nothing in them yet.
func MovingColumns(t *catalog.Table) (all []showcreate.Column) {
	blobs := form.BlobsFor(Moved(t))
	for i := range t.Columns {
		if c := &t.Columns[i]; c.Shadows != "" && c.Family == "" {
			all = append(all, form.Column(c.Stored(), form.SealedType(&c.Type, blobs[c.Shadows]), false))
		}
	}
	for i := range t.Families {
		if f := &t.Families[i]; f.Backfills() {
			all = append(all, form.Column(f.Stored, form.FamilyType(f, blobs[f.Takes]), false))
		}
	}
	return all
}

// MoveSwap give what columns come into their names. What they leave gets another name, and nothing is written to it any more, so that
// it has a default. The CHECK over it goes.
func MoveSwap(t *catalog.Table, stored *showcreate.Table) (clauses []string, err error) {
	for i := range stored.Checks {
		if name := stored.Checks[i].Name; strings.HasPrefix(name, form.CheckPrefix) {
			clauses = append(clauses, "DROP CONSTRAINT "+identifier.Quoted(name))
		}
	}
	next := Moved(t)
	for i := range t.Known() {
		c, at := &t.Columns[i], t.Shadow(i)
		if at < 0 {
			continue
		}
		switch by := &t.Columns[at]; {
		case c.Family == "":
			left, err := leave(t, stored, c.Stored())
			if err != nil {
				return nil, err
			}
			clauses = append(clauses, left, "ADD COLUMN "+form.Member(c.Stored()).Text+" AFTER "+identifier.Quoted(pastName(c.Stored())))
		case by.Family == "":
			own := next.Columns[i].Stored()
			clauses = append(clauses, "RENAME COLUMN "+identifier.Quoted(own)+" TO "+identifier.Quoted(pastName(own)), "RENAME COLUMN "+identifier.Quoted(by.Stored())+" TO "+identifier.Quoted(own))
		}
	}
	for i := range t.Families {
		f := &t.Families[i]
		switch {
		case f.Backfills():
			clauses = append(clauses, "RENAME COLUMN "+identifier.Quoted(f.Stored)+" TO "+identifier.Quoted(f.Takes))
		case !slices.ContainsFunc(next.Families, func(g catalog.Family) bool { return g.ID == f.ID }):
			left, err := leave(t, stored, f.Stored)
			if err != nil {
				return nil, err
			}
			clauses = append(clauses, left)
		}
	}
	return clauses, nil
}

// leave gives a stored column the name of one that was succeeded. It has a default from then on.
func leave(t *catalog.Table, stored *showcreate.Table, name string) (string, error) {
	at := stored.Place(name)
	if at < 0 {
		return "", sqlerr.ChangedAround(t.Name, "it lacks a column")
	}
	text := stored.Columns[at].Text
	definition := text[len(identifier.Quoted(stored.Columns[at].Name)):]
	if parts := showcreate.PartsOf(text); parts.NotNull && parts.Value.Empty() {
		typ, _, _ := strings.Cut(strings.TrimSpace(strings.ToLower(definition)), " ")
		definition += " DEFAULT " + form.EmptyForm(typ)
	}
	return "CHANGE COLUMN " + identifier.Quoted(name) + " " + identifier.Quoted(pastName(name)) + definition, nil
}

// pastName is the name of a stored column that was succeeded, until it is dropped.
func pastName(stored string) string { return catalog.PastName(stored, policy.Equality) }
