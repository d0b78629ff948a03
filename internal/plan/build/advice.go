package build

import (
	"cmp"
	"slices"

	"tunic/internal/catalog"
	"tunic/internal/plan/explanation"
	"tunic/internal/policy"
	"tunic/internal/recipe"
	"tunic/internal/sql/ast"
)

// adviceMax is how many columns of one expression are looked at: a layer that only
// helps together with many others is no advice.
const adviceMax = 3

// advise finds the layers with which the server could do something that it cannot
// do now: the rules are asked again, over a table that has them. One layer goes
// before several, and equality before order, which tells the server more.
func (b *Builder) advise(e ast.Node, does func(*Builder) bool) []explanation.Advice {
	columns := b.protectedIn(e)
	if len(columns) > adviceMax {
		return nil
	}
	tries := b.candidates(columns)
	slices.SortStableFunc(tries, func(x, y []explanation.Advice) int {
		return cmp.Or(cmp.Compare(len(x), len(y)), cmp.Compare(orders(x), orders(y)))
	})
	for _, try := range tries {
		if len(try) > 0 && does(b.supposing(try)) {
			return try
		}
	}
	return nil
}

// candidates are all sets of layers that these columns could have and have not, at
// most one of each column.
func (b *Builder) candidates(columns []int) [][]explanation.Advice {
	if len(columns) == 0 {
		return [][]explanation.Advice{nil}
	}
	rest := b.candidates(columns[1:])
	all := slices.Clone(rest)
	for _, capability := range []policy.Capabilities{policy.Equality, policy.Order} {
		a, ok := b.candidate(columns[0], capability)
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

// candidate is a layer that a column could have and has not.
func (b *Builder) candidate(i int, capability policy.Capabilities) (a explanation.Advice, ok bool) {
	c := b.column(i)
	a = explanation.Advice{Column: i, Layer: capability, Allowed: c.Protection.Allowed.Has(capability) && c.Protection.Grain == policy.Grain{}}
	if a.Price, ok = explanation.PriceOf(&c.Type, capability); !ok {
		return a, false
	}
	l := c.Layer(capability)
	a.Backfilling = l != nil && l.State != catalog.Ready
	return a, l == nil || a.Backfilling
}

// protectedIn are the protected columns of an expression, each once.
func (b *Builder) protectedIn(e ast.Node) []int {
	var all []int
	_ = ast.Walk(func(n ast.Node) (bool, error) {
		if name, ok := n.(*ast.ColName); ok {
			if i := b.protectedColumn(name); i >= 0 && !slices.Contains(all, i) {
				all = append(all, i)
			}
		}
		return true, nil
	}, e)
	return all
}

// supposing is a builder over a table that has these layers as well.
func (b *Builder) supposing(layers []explanation.Advice) *Builder {
	scope := *b.scope
	scope.Table = withLayers(scope.Table, layers)
	other := *b
	other.scope, other.Run = &scope, &recipe.Run{Kind: b.Run.Kind, Table: scope.Table}
	return &other
}

// withLayers is a copy of a table with layers added.
func withLayers(t *catalog.Table, layers []explanation.Advice) *catalog.Table {
	next := *t
	next.Columns = slices.Clone(t.Columns)
	for _, a := range layers {
		c := &next.Columns[a.Column]
		c.Layers = slices.DeleteFunc(slices.Clone(c.Layers), func(l catalog.Layer) bool { return l.Capability == a.Layer })
		c.Layers = append(c.Layers, catalog.Layer{Capability: a.Layer, State: catalog.Ready, Stored: catalog.StoredName(c.Name, a.Layer)})
	}
	return &next
}
