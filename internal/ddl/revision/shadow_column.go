package revision

import (
	"slices"
	"strings"

	"tunic/internal/catalog"
	"tunic/internal/ddl/form"
	"tunic/internal/ddl/showcreate"
	"tunic/internal/identifier"
	"tunic/internal/layers"
	"tunic/internal/policy"
	"tunic/internal/sqlerr"
)

// LeftOf are the columns that an adoption has left that was not finished: invisible ones that
// have the names which it gives to shadows of columns, to their layers, and to families. A column of
// such a name that somebody can see is somebody's.
func LeftOf(account *showcreate.Table) (names []string) {
	made := map[string]bool{}
	for i := range account.Columns {
		name := account.Columns[i].Name
		made[catalog.Folded(catalog.ShadowName(name))] = true
		for _, capability := range policy.Each() {
			made[catalog.Folded(catalog.StoredName(name, capability))] = true
		}
	}
	for i := range account.Columns {
		if c := &account.Columns[i]; (made[catalog.Folded(c.Name)] || catalog.IsFamilyAhead(c.Name)) && showcreate.PartsOf(c.Text).Invisible {
			names = append(names, c.Name)
		}
	}
	return names
}

// CanShadow refuses a table of which a column cannot have a shadow beside clients.
func CanShadow(full *catalog.Table) error {
	for i := range full.Columns {
		if c := &full.Columns[i]; c.Protected() {
			if err := NotShadowed(full, c); err != nil {
				return err
			}
		}
	}
	return nil
}

// NotShadowed is why a column that is to be protected cannot have a shadow while clients write it;
// nil if it can.
func NotShadowed(t *catalog.Table, c *catalog.Column) error {
	switch {
	case c.Generated, c.Default.Kind == catalog.DefaultExpression, c.OnUpdateNow:
		return sqlerr.ColumnType(c.Name, "its values are computed by the server")
	case c.ValidJSON, !layers.CanShadow(&c.Type):
		return sqlerr.ColumnType(c.Name, "values of its type do not come back exactly as they were when they are written again")
	case slices.ContainsFunc(t.Keys, func(k catalog.Key) bool { return t.KeepsRows(&k) && Over(&k, c.Name) }):
		return sqlerr.ColumnType(c.Name, "it is in the primary key, or in the unique key without NULL that takes its place, by which the server keeps the rows")
	}
	return nil
}

// Over reports whether a key is over a column.
func Over(k *catalog.Key, column string) bool {
	return slices.ContainsFunc(k.Parts, func(p catalog.Part) bool { return strings.EqualFold(p.Column, column) })
}

// Shadowing is a plain table with shadows of the columns that are protected in full, in the families that they are in there.
func Shadowing(plain, full *catalog.Table) *catalog.Table {
	next := *plain
	next.Fenced, next.Unchecked, next.Columns = false, true, slices.Clone(plain.Columns)
	next.Families = nil
	for _, f := range full.Families {
		f.BeginFill()
		next.Families = append(next.Families, f)
	}
	for i := range full.Columns {
		c := full.Columns[i]
		if !c.Protected() {
			continue
		}
		c.Shadows, c.Name, c.Backfilling, c.Invisible = c.Name, catalog.ShadowName(c.Name), true, true
		if f := full.FamilyOf(i); f != nil {
			c.Family = catalog.FamilyAhead(f.ID)
		}
		c.Layers = slices.Clone(c.Layers)
		for j := range c.Layers {
			c.Layers[j].State = catalog.Backfilling
		}
		next.Columns = append(next.Columns, c)
	}
	return &next
}

// AddShadowColumns adds the shadows to the stored table, each behind what it shadows, and families behind all of them:
// invisible, so that a client who knows the table as a plain one sees nothing of them.
func AddShadowColumns(t, full *catalog.Table) string {
	blobs := form.BlobsFor(full)
	var clauses []string
	add := func(name, typ, behind string) {
		clauses = append(clauses, "ADD COLUMN "+identifier.Quoted(name)+" "+typ+" DEFAULT NULL INVISIBLE"+behind)
	}
	for i := range t.Columns {
		c := &t.Columns[i]
		if c.Shadows == "" {
			continue
		}
		after := c.Shadows
		for s := range t.StoredOf(i) {
			typ := form.SealedType(&c.Type, blobs[c.Shadows])
			if s.Layer != nil {
				typ = form.TokenType(s.Layer, &c.Type)
			}
			add(s.Name, typ, " AFTER "+identifier.Quoted(after))
			after = s.Name
		}
	}
	for i := range t.Families {
		f := &t.Families[i]
		add(f.Stored, form.FamilyType(f, blobs[f.Takes]), "")
	}
	return "ALTER TABLE " + t.QuotedName() + " " + strings.Join(clauses, ", ")
}
