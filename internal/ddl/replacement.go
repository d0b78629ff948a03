package ddl

import (
	"slices"

	"tunic/internal/catalog"
	"tunic/internal/ddl/alteration"
	"tunic/internal/ddl/definition"
	"tunic/internal/ddl/revision"
	"tunic/internal/layers"
	"tunic/internal/policy"
	"tunic/internal/value"
)

// replacements are the columns whose forms a change makes anew for each row; false if
// that cannot be done.
func replacements(known *catalog.Catalog, env *value.Env, c *alteration.Change, l *definition.Logical, needs map[string]alteration.Need) (all []layers.Replacement, ok bool) {
	if c.Definition.Temporary || !layers.CanBackfill(c.Old) {
		return nil, false
	}
	for i := range l.Table.Columns {
		next := &l.Table.Columns[i]
		if needs[catalog.Folded(next.Name)] != alteration.NeedsForms {
			continue
		}
		old := c.Before(next.Name)
		if old == nil || !old.Protected() || !next.Protected() || next.ValidJSON && !old.ValidJSON || related(known, c, old) {
			return nil, false
		}
		r := layers.Replacement{Old: old, New: next, Sealed: revision.ResealedName(next.Stored()), Tokens: map[policy.Capabilities]string{}}
		r.Same = value.Widens(&old.Type, &next.Type)
		if !r.Same && !layers.CanConvert(&old.Type, &next.Type, env) {
			return nil, false
		}
		for _, layer := range next.Layers {
			r.Tokens[layer.Capability] = revision.ResealedName(layer.Stored)
		}
		all = append(all, r)
	}
	return all, true
}

// related says that a column is tied to another by a foreign key that is there: their
// tokens have to be changed together.
func related(known *catalog.Catalog, c *alteration.Change, old *catalog.Column) bool {
	has := func(names []string, name string) bool {
		return slices.ContainsFunc(names, func(n string) bool { return catalog.Folded(n) == catalog.Folded(name) })
	}
	for t := range known.Tables() {
		for i := range t.ForeignKeys {
			k := &t.ForeignKeys[i]
			if t.ID == c.Old.ID && has(k.Columns, old.Name) || k.Schema == c.Old.Schema && k.Table == c.Old.Name && has(k.Referenced, old.Name) {
				return true
			}
		}
	}
	return false
}
