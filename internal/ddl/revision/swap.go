package revision

import (
	"fmt"
	"slices"

	"tunic/internal/catalog"
	"tunic/internal/ddl/form"
	"tunic/internal/ddl/showcreate"
	"tunic/internal/identifier"
	"tunic/internal/sqlerr"
)

// TakeShadows gives the columns of the table to come what their shadows are.
func TakeShadows(t, next *catalog.Table) error {
	next.Fenced, next.Unchecked = true, true
	for i := range next.Columns {
		c := &next.Columns[i]
		at := t.Column(c.Name)
		if at < 0 {
			return fmt.Errorf("%w: a column that was not there", catalog.ErrContent)
		}
		if shadow := t.PlainShadow(at); shadow >= 0 {
			at = shadow
		}
		was := &t.Columns[at]
		c.ID, c.Domain, c.Epoch = was.ID, was.Domain, was.Epoch
		if c.Protected() != was.Protected() || len(c.Layers) != len(was.Layers) {
			return fmt.Errorf("%w: a column that is protected otherwise than its copy", catalog.ErrContent)
		}
		c.Layers = slices.Clone(was.Layers)
		for j := range c.Layers {
			c.Layers[j].State = catalog.Ready
		}
	}
	return next.Check()
}

// KeyAhead is the name of a key over layers until it takes the place of the i-th key, and
// KeyAside is that key's name then.
func KeyAhead(i int) string { return fmt.Sprintf("%s%d", catalog.KeyAheadPrefix, i) }

// KeyAside is the name of the i-th key once another one has taken its place.
func KeyAside(i int) string { return fmt.Sprintf("%s%d", catalog.KeyAsidePrefix, i) }

// ShadowSwap give the shadows the names of the columns, which get others. Nothing is
// written to these any more, so that each has a default.
func ShadowSwap(t, next *catalog.Table, stored *showcreate.Table) (clauses []string, err error) {
	blobs := form.BlobsFor(next)
	for i := range t.Columns {
		c := &t.Columns[i]
		if c.Shadows == "" {
			continue
		}
		to := next.Columns[next.Column(c.Shadows)].Stored()
		at := stored.Place(c.Shadows)
		if at < 0 {
			return nil, sqlerr.ChangedAround(t.Name, "it lacks a column")
		}
		plain := stored.Columns[at]
		definition := plain.Text[len(identifier.Quoted(plain.Name)):]
		if parts := showcreate.PartsOf(plain.Text); parts.NotNull && parts.Value.Empty() {
			definition += " DEFAULT " + form.NoValue(c)
		}
		clauses = append(clauses,
			"CHANGE COLUMN "+identifier.Quoted(plain.Name)+" "+identifier.Quoted(catalog.AsideName(c.Shadows))+definition,
			"CHANGE COLUMN "+identifier.Quoted(c.Stored())+" "+identifier.Quoted(to)+" "+form.SealedType(&c.Type, blobs[to])+" DEFAULT NULL INVISIBLE")
	}
	return clauses, nil
}

// Visible bring the stored columns that were shadows to what CREATE TABLE would have
// made them. That one is invisible says that the table has not been made anew.
func Visible(t *catalog.Table, account *showcreate.Table) (clauses []string) {
	blobs := form.BlobsFor(t)
	hidden := map[string]bool{}
	for i := range account.Columns {
		hidden[catalog.Folded(account.Columns[i].Name)] = showcreate.PartsOf(account.Columns[i].Text).Invisible
	}
	modify := func(name, typ string, notNull bool) {
		if hidden[catalog.Folded(name)] {
			clauses = append(clauses, "MODIFY COLUMN "+form.Column(name, typ, notNull).Text)
		}
	}
	for i := range t.Columns {
		c := &t.Columns[i]
		if !c.Protected() {
			continue
		}
		modify(c.Stored(), form.SealedType(&c.Type, blobs[c.Stored()]), c.Type.NotNull)
		for j := range c.Layers {
			modify(c.Layers[j].Stored, form.TokenType(&c.Layers[j], &c.Type), c.Type.NotNull)
		}
	}
	return clauses
}
