package columns

import (
	"cmp"
	"slices"

	"tunic/internal/catalog"
	"tunic/internal/plan/explanation"
	"tunic/internal/policy"
	"tunic/internal/sql/ast"
)

// adviceMax is how many columns of one expression are looked at: a layer that only
// helps together with many others is no advice.
const adviceMax = 3

// Tries are the sets of layers that the protected columns of an expression could have and have not, at most one of
// each column. One layer goes before several, and equality before order, which tells the server more.
func (o *Of) Tries(e ast.Node) [][]explanation.Advice {
	columns := o.ProtectedIn(e)
	if len(columns) > adviceMax {
		return nil
	}
	tries := o.allMissing(columns)[1:] // the first has no layer
	slices.SortStableFunc(tries, func(x, y []explanation.Advice) int {
		return cmp.Or(cmp.Compare(len(x), len(y)), cmp.Compare(orders(x), orders(y)))
	})
	return tries
}

// allMissing are all sets of layers that these columns could have and have not, at
// most one of each column; the first is empty.
func (o *Of) allMissing(columns []int) [][]explanation.Advice {
	if len(columns) == 0 {
		return [][]explanation.Advice{nil}
	}
	rest := o.allMissing(columns[1:])
	all := slices.Clone(rest)
	for _, capability := range policy.Each() {
		a, ok := o.Missing(columns[0], capability)
		for _, others := range rest {
			if ok {
				all = append(all, append([]explanation.Advice{a}, others...))
			}
		}
	}
	return all
}

func orders(all []explanation.Advice) (n int) {
	for i := range all {
		if all[i].Layer == policy.Order {
			n++
		}
	}
	return n
}

// Missing is a layer that a column could have and has not.
func (o *Of) Missing(i int, capability policy.Capabilities) (a explanation.Advice, ok bool) {
	c := o.At(i)
	a = explanation.Advice{Column: i, Layer: capability, Allowed: c.Protection.Allowed.Has(capability) && c.Protection.Grain == policy.Grain{}}
	if a.Price, ok = explanation.PriceOf(&c.Type, capability); !ok {
		return a, false
	}
	l := c.Layer(capability)
	a.Backfilling = l != nil && l.State != catalog.Ready
	return a, l == nil || a.Backfilling
}

// With are the columns as they are with these layers as well.
func (o *Of) With(layers []explanation.Advice) *Of {
	scope := *o.Scope
	scope.Table = WithLayers(scope.Table, layers)
	return &Of{&scope}
}

// WithLayers is a copy of a table with layers added.
func WithLayers(t *catalog.Table, layers []explanation.Advice) *catalog.Table {
	next := *t
	next.Columns = slices.Clone(t.Columns)
	for _, a := range layers {
		c := &next.Columns[a.Column]
		c.Layers = slices.DeleteFunc(slices.Clone(c.Layers), func(l catalog.Layer) bool { return l.Capability == a.Layer })
		c.Layers = append(c.Layers, catalog.Layer{Capability: a.Layer, State: catalog.Ready, Stored: catalog.StoredName(c.Name, a.Layer)})
	}
	return &next
}
