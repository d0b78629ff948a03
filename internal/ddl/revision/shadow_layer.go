package revision

import (
	"slices"
	"strings"

	"tunic/internal/catalog"
	"tunic/internal/ddl/form"
	"tunic/internal/ddl/showcreate"
	"tunic/internal/identifier"
)

// shadowOf is the shadow of a column's layer that can take its place; nil if there is none.
func shadowOf(c *catalog.Column, base *catalog.Layer) *catalog.Layer {
	next := c.Shadow(base.Capability)
	if next == nil || base.State != catalog.Ready || next.State != catalog.Ready || next.Scheme != base.Scheme {
		return nil
	}
	return next
}

// WithShadows is a table whose shadows have taken their places, and the clauses that give the
// stored columns their names. Nobody writes a column that was succeeded any more: it has a default.
func WithShadows(t *catalog.Table) (*catalog.Table, []string) {
	next, clauses := CopyOf(t), []string(nil)
	for i := range next.Columns {
		c := &next.Columns[i]
		var all []catalog.Layer
		for _, l := range t.Columns[i].Layers {
			if base := c.Layer(catalog.Base(l.Capability)); l.IsShadow() && base != nil && shadowOf(c, base) != nil {
				continue // in the place of the other
			}
			if by := shadowOf(c, &l); by != nil && !l.IsShadow() {
				past := catalog.PastName(c.Name, l.Capability)
				if c.Type.NotNull && !form.TakesNull(&l) {
					clauses = append(clauses, "CHANGE COLUMN "+identifier.Quoted(l.Stored)+" "+identifier.Quoted(past)+" "+form.TokenType(&l, &c.Type)+" NOT NULL DEFAULT ''")
				} else {
					clauses = append(clauses, "RENAME COLUMN "+identifier.Quoted(l.Stored)+" TO "+identifier.Quoted(past))
				}
				clauses = append(clauses, "RENAME COLUMN "+identifier.Quoted(by.Stored)+" TO "+identifier.Quoted(l.Stored))
				l.Epoch, l.Nullable = by.Epoch, by.Nullable
			}
			all = append(all, l)
		}
		c.Layers = all
	}
	return next.Table, clauses
}

// KeyOverShadows is a stored key over the shadows of the layers that it is over; false if
// none of them has one.
func KeyOverShadows(t *catalog.Table, k *catalog.Key, stored *showcreate.Key, name string) (showcreate.Key, bool) {
	ahead, moved := *stored, false
	ahead.Parts = slices.Clone(stored.Parts)
	for i, p := range k.Parts {
		if p.Layer == 0 || i >= len(ahead.Parts) {
			continue
		}
		c := &t.Columns[t.Column(p.Column)]
		base := c.Layer(p.Layer)
		if base == nil {
			continue
		}
		if by := shadowOf(c, base); by != nil {
			part := &ahead.Parts[i]
			part.Text, part.Name, moved = strings.Replace(part.Text, identifier.Quoted(base.Stored), identifier.Quoted(by.Stored), 1), by.Stored, true
		}
	}
	ahead.Name, ahead.Head = name, strings.Replace(stored.Head, identifier.Quoted(stored.Name), identifier.Quoted(name), 1)
	return ahead, moved && k.Kind != catalog.Primary
}
