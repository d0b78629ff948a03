package local

import (
	"tunic/internal/plan"
	"tunic/internal/sql/ast"
)

// ItemsIn are what the blocks of a relation select.
func ItemsIn(r plan.Relation) (all []ast.Node) {
	switch r := r.(type) {
	case *plan.Block:
		return append(itemsFrom(r.From), itemsOfSteps(r.Steps)...)
	case *plan.Set:
		return append(ItemsIn(r.Left), ItemsIn(r.Right)...)
	case *plan.Shared:
		return ItemsIn(r.Of)
	case *plan.Recursive:
		all = ItemsIn(r.Seed)
		for _, s := range r.Steps {
			all = append(all, ItemsIn(s)...)
		}
		return all
	}
	return nil
}

func itemsFrom(f plan.From) []ast.Node {
	switch f := f.(type) {
	case *plan.Source:
		return ItemsIn(f.Of)
	case *plan.Join:
		return append(itemsFrom(f.Left), itemsFrom(f.Right)...)
	}
	return nil
}

func itemsOfSteps(steps []plan.Step) (all []ast.Node) {
	for _, s := range steps {
		switch s := s.(type) {
		case *plan.Attach:
			for _, q := range s.Subqueries {
				if q.Kind == plan.Scalar { // the others are truths
					all = append(all, ItemsIn(q.Of)...)
				}
			}
		case *plan.Project:
			for _, it := range s.Items {
				all = append(all, it.Expr)
			}
		default:
		}
	}
	return all
}
