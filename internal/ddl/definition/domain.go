package definition

import (
	"tunic/internal/catalog"
	"tunic/internal/ddl/form"
	"tunic/internal/policy"
	"tunic/internal/sqlerr"
)

// Tie gives the columns of foreign keys the domain of what they refer to, and says
// over which layers the keys have to be: the referring column needs the layers
// that the referenced key is over. Columns that other tables refer to already,
// before their table is there, take the domain of those.
func Tie(t *catalog.Table, known *catalog.Catalog) (layers map[string]policy.Capabilities, err error) {
	layers = map[string]policy.Capabilities{}
	for other := range known.Tables() {
		if other.ID != t.ID {
			if err := tieReferred(t, other, layers); err != nil {
				return nil, err
			}
		}
	}
	for i := range t.ForeignKeys {
		k := &t.ForeignKeys[i]
		for j := range k.Columns {
			if err := tieColumn(t, k, j, known, layers); err != nil {
				return nil, err
			}
		}
	}
	return layers, nil
}

// tieReferred is of the columns of t that the foreign keys of another table refer
// to. A key that was there before t, under foreign_key_checks = 0, took its columns to be
// like those that refer: it is over forms that a column of another kind does not have.
func tieReferred(t, other *catalog.Table, layers map[string]policy.Capabilities) error {
	for i := range other.ForeignKeys {
		k := &other.ForeignKeys[i]
		if k.Schema != t.Schema || k.Table != t.Name {
			continue
		}
		for j, name := range k.Referenced {
			mine, theirs := t.Column(name), other.Column(k.Columns[j])
			if mine < 0 || theirs < 0 {
				continue
			}
			switch protected := t.Columns[mine].Protected(); {
			case protected != other.Columns[theirs].Protected() && protected:
				return sqlerr.ForeignKeyPlain(other.Columns[theirs].Name)
			case protected != other.Columns[theirs].Protected():
				return sqlerr.ForeignKeyProtected(other.Columns[theirs].Name)
			case !protected:
				continue
			}
			t.Columns[mine].Domain = other.Columns[theirs].Domain
			layers[catalog.Folded(name)] = referringLayer(other, k, j)
		}
	}
	return nil
}

// referringLayer is the layer that the j-th column of a foreign key is compared by:
// the one that the key which serves it is over.
func referringLayer(t *catalog.Table, k *catalog.ForeignKey, j int) policy.Capabilities {
	for i := range t.Keys {
		if parts := t.Keys[i].Parts; leads(parts, k.Columns) {
			return parts[j].Layer
		}
	}
	return policy.Equality
}

// leads says that a key begins with these columns, in any order of them.
func leads(parts []catalog.Part, columns []string) bool {
	if len(parts) < len(columns) {
		return false
	}
	for i, name := range columns {
		if catalog.Folded(parts[i].Column) != catalog.Folded(name) {
			return false
		}
	}
	return true
}

// tieColumn is of the j-th column of a foreign key of t.
func tieColumn(t *catalog.Table, k *catalog.ForeignKey, j int, known *catalog.Catalog, layers map[string]policy.Capabilities) error {
	at := t.Column(k.Columns[j])
	if at < 0 || !t.Columns[at].Protected() {
		return nil
	}
	c := &t.Columns[at]
	if k.Schema == t.Schema && k.Table == t.Name {
		if to := t.Column(k.Referenced[j]); to >= 0 {
			c.Domain = t.Columns[to].Domain
		}
		layers[catalog.Folded(c.Name)] = policy.Equality
		layers[catalog.Folded(k.Referenced[j])] = policy.Equality
		return nil
	}
	parent := known.Table(k.Schema, k.Table)
	if parent == nil {
		layers[catalog.Folded(c.Name)] = policy.Equality
		if domain := domainOfMissing(k, j, known); !domain.IsZero() {
			c.Domain = domain
		}
		return nil
	}
	to := parent.Column(k.Referenced[j])
	layer := referencedLayer(parent, k.Referenced, j)
	if to < 0 || layer == 0 {
		return sqlerr.KeyCeiling(k.Name, k.Referenced[j])
	}
	c.Domain = parent.Columns[to].Domain
	layers[catalog.Folded(c.Name)] = layer
	return nil
}

// referencedLayer is the layer of the j-th referenced column in the key that a
// foreign key refers to; 0 if it is one that does not tell all values apart, or
// there is none.
func referencedLayer(parent *catalog.Table, referenced []string, j int) policy.Capabilities {
	for i := range parent.Keys {
		parts := parent.Keys[i].Parts
		if !leads(parts, referenced) {
			continue
		}
		c := &parent.Columns[parent.Column(parts[j].Column)]
		if l := c.Layer(parts[j].Layer); l != nil && form.Exact(l, &c.Type) {
			return l.Capability
		}
	}
	return 0
}

// domainOfMissing is the domain of a column whose table is not there yet, by
// another foreign key that refers to it.
func domainOfMissing(k *catalog.ForeignKey, j int, known *catalog.Catalog) catalog.ID {
	for t := range known.Tables() {
		for i := range t.ForeignKeys {
			other := &t.ForeignKeys[i]
			if other.Schema != k.Schema || other.Table != k.Table {
				continue
			}
			for n, name := range other.Referenced {
				if at := t.Column(other.Columns[n]); at >= 0 && catalog.Folded(name) == catalog.Folded(k.Referenced[j]) && t.Columns[at].Protected() {
					return t.Columns[at].Domain
				}
			}
		}
	}
	return catalog.ID{}
}
