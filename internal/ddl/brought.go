package ddl

import (
	"slices"
	"strings"

	"tunic/internal/catalog"
	"tunic/internal/ddl/definition"
	"tunic/internal/ddl/form"
	"tunic/internal/policy"
	"tunic/internal/sqlerr"
	"tunic/internal/value"
)

// broughtBy are the layers of a table that its definition brings, or the refusal of a key that needs one.
// was is the table before a change, filled says that it is made with rows.
func broughtBy(rules *policy.Policy, d *definition.Definition, t, was *catalog.Table, filled bool) (brought []NewLayer, err error) {
	for i := range t.Columns {
		c := &t.Columns[i]
		old := form.ColumnOfID(was, c.ID)
		for j := range c.Layers {
			l := &c.Layers[j]
			if old != nil && old.Layer(l.Capability) != nil {
				continue
			}
			by := voiceFor(d, c, l.Capability)
			if key := keyOver(t, c, l.Capability); key != "" && by == policy.ByDefault && rules.Keys == policy.KeysRefuse {
				return nil, sqlerr.KeyLayer(key, c.Name, layerWord(l))
			}
			if by != policy.ByRule && !told(c, old, l) {
				brought = append(brought, NewLayer{
					Schema: t.Schema, Table: t.Name, Column: c.Name, Type: c.Type, Layer: l.Capability, Grain: l.Grain,
					Alone: t.UniqueAlone(c), Rows: !d.Temporary && (old != nil || filled),
				})
			}
		}
	}
	return brought, nil
}

// voiceFor is whose word a layer is: a rule's or an annotation's that names it, else the
// default's, which names none.
func voiceFor(d *definition.Definition, c *catalog.Column, capability policy.Capabilities) policy.Voice {
	of := d.Column(c.Name)
	if of == nil || !of.Decision.Wanted.Has(capability) || of.Decision.By != policy.ByRule && of.Decision.By != policy.ByAnnotation {
		return policy.ByDefault
	}
	return of.Decision.By
}

// keyOver is a key or a foreign key over a layer of a column, "" if there is none.
func keyOver(t *catalog.Table, c *catalog.Column, capability policy.Capabilities) string {
	for i := range t.Keys {
		if slices.ContainsFunc(t.Keys[i].Parts, func(p catalog.Part) bool { return p.Column == c.Name && p.Layer == capability }) {
			return t.Keys[i].Name
		}
	}
	for i := range t.ForeignKeys {
		if slices.ContainsFunc(t.ForeignKeys[i].Columns, func(name string) bool { return strings.EqualFold(name, c.Name) }) {
			return t.ForeignKeys[i].Name
		}
	}
	return ""
}

// told reports whether a layer tells nothing beside one that sorts: who sees the order of all
// values sees which are equal. Of a text order tells a part, and comes with equality.
func told(c, old *catalog.Column, l *catalog.Layer) bool {
	order := c.Layer(policy.Order)
	comes := old == nil || old.Layer(policy.Order) == nil
	return l.Capability == policy.Equality && order != nil && order.Grain == policy.Grain{} && (comes || value.OrderExact(&c.Type))
}

// layerWord is the word for a layer, with its grain.
func layerWord(l *catalog.Layer) string {
	if l.Capability == policy.Equality {
		return "equality"
	}
	return policy.Protection{Protected: true, Allowed: policy.Order, Grain: l.Grain}.String()
}
