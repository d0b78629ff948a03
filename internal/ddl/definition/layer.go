package definition

import (
	"tunic/internal/catalog"
	"tunic/internal/ddl/form"
	"tunic/internal/policy"
	"tunic/internal/sqlerr"
)

// withLayer gives a column a layer that it has not, or not for good; a new one has the grain
// if it sorts.
func withLayer(c *catalog.Column, capability policy.Capabilities, grain policy.Grain) error {
	if l := c.Layer(capability); l != nil { // a job's that is on its way is needed from now on
		l.State, l.Job = catalog.Ready, 0
		return nil
	}
	l, err := form.NewLayer(c, capability, grain)
	if err != nil {
		return err
	}
	c.Layers = append(c.Layers, l)
	return nil
}

// wantLayers gives columns the layers that somebody has named.
func wantLayers(d *Definition, t *catalog.Table) error {
	for i := range d.Columns {
		at := t.Column(d.Columns[i].NameText())
		if at < 0 {
			continue
		}
		c, decision := &t.Columns[at], &d.Columns[i].Decision
		for _, capability := range policy.Each() {
			if c.Protected() && decision.Wanted.Has(capability) {
				if err := withLayer(c, capability, decision.WantedGrain); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// standKeys puts the keys of a table over layers, which are added where the
// column's ceiling allows it. referring are columns whose foreign keys say which
// layer their keys are over; was is the table before a change, whose keys stay
// over what they are.
func standKeys(t, was *catalog.Table, referring map[string]policy.Capabilities) error {
	for i := range t.Keys {
		k := &t.Keys[i]
		for j := range k.Parts {
			c := &t.Columns[t.Column(k.Parts[j].Column)]
			if !c.Protected() {
				continue
			}
			forced := referring[catalog.Folded(c.Name)]
			if before := layerBefore(was, k.Name, c); before != 0 {
				forced = before
			}
			layer, err := keyLayer(k, c, forced)
			if err != nil {
				return err
			}
			k.Parts[j].Layer = layer
		}
	}
	return nil
}

// layerBefore is the layer that the key of the name was over, of a column that
// still has it.
func layerBefore(was *catalog.Table, key string, c *catalog.Column) policy.Capabilities {
	if was == nil {
		return 0
	}
	for i := range was.Keys {
		for _, p := range was.Keys[i].Parts {
			at := was.Column(p.Column)
			if was.Keys[i].Name == key && at >= 0 && was.Columns[at].ID == c.ID && c.Layer(p.Layer) != nil {
				return p.Layer
			}
		}
	}
	return 0
}

// keyLayer is the layer of a column that a key is over: the order layer if there
// is one that tells all values apart or the key need not, else equality.
func keyLayer(k *catalog.Key, c *catalog.Column, forced policy.Capabilities) (policy.Capabilities, error) {
	if forced == 0 {
		if l := c.Layer(policy.Order); l != nil && l.State == catalog.Ready && (!k.Distinct() || form.Exact(l, &c.Type)) {
			return policy.Order, nil
		}
		forced = policy.Equality
	}
	if c.Layer(forced) == nil && !c.Protection.Allowed.Has(forced) {
		return 0, sqlerr.KeyCeiling(k.Name, c.Name)
	}
	return forced, withLayer(c, forced, c.Protection.Grain)
}
