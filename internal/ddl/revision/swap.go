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

// TakeShadows gives the columns of the table to come what their shadows are, in the families that these are in.
func TakeShadows(t, next *catalog.Table) error {
	next.Fenced, next.Unchecked = true, true
	next.Families = nil
	for _, f := range t.Families {
		f.EndFill()
		next.Families = append(next.Families, f)
	}
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
		c.ID, c.Domain, c.Epoch, c.Family = was.ID, was.Domain, was.Epoch, ""
		if f := t.FamilyOf(at); f != nil {
			c.Family = f.Takes
		}
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
// written to these any more, so that each has a default. A member of a family gets a column without a value in its place.
func ShadowSwap(t, next *catalog.Table, stored *showcreate.Table) (clauses []string, err error) {
	blobs := form.BlobsFor(next)
	for i := range t.Columns {
		c := &t.Columns[i]
		if c.Shadows == "" {
			continue
		}
		at := stored.Place(c.Shadows)
		if at < 0 {
			return nil, sqlerr.ChangedAround(t.Name, "it lacks a column")
		}
		plain := stored.Columns[at]
		definition := plain.Text[len(identifier.Quoted(plain.Name)):]
		if parts := showcreate.PartsOf(plain.Text); parts.NotNull && parts.Value.Empty() {
			definition += " DEFAULT " + form.NoValue(c)
		}
		aside := identifier.Quoted(catalog.AsideName(c.Shadows))
		clauses = append(clauses, "CHANGE COLUMN "+identifier.Quoted(plain.Name)+" "+aside+definition)
		if c.Family != "" {
			clauses = append(clauses, "ADD COLUMN "+form.Member(plain.Name).Text+" AFTER "+aside)
			continue
		}
		to := next.Columns[next.Column(c.Shadows)].Stored()
		clauses = append(clauses, hidden(c.Stored(), to, form.SealedType(&c.Type, blobs[to])))
	}
	for i := range t.Families {
		if f := &t.Families[i]; f.Backfills() {
			clauses = append(clauses, hidden(f.Stored, f.Takes, form.FamilyType(f, blobs[f.Takes])))
		}
	}
	return clauses, nil
}

// hidden gives a stored column another name. It stays invisible and takes NULL: see Visible.
func hidden(from, to, typ string) string {
	return "CHANGE COLUMN " + identifier.Quoted(from) + " " + identifier.Quoted(to) + " " + typ + " DEFAULT NULL INVISIBLE"
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
	for s := range t.StoredColumns() {
		switch s.Kind {
		case catalog.StoredSealed:
			modify(s.Name, form.SealedType(&s.Column.Type, blobs[s.Name]), s.Column.Type.NotNull)
		case catalog.StoredFamily:
			modify(s.Name, form.FamilyType(s.Family, blobs[s.Name]), true)
		case catalog.StoredToken:
			modify(s.Name, form.TokenType(s.Layer, &s.Column.Type), s.Column.Type.NotNull)
		default: // it has not been a shadow
		}
	}
	return clauses
}
