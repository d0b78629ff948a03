package exec

import (
	"tunic/internal/plan"
	"tunic/internal/sql/ast"
)

// itemsIn are what the blocks of a relation select.
func itemsIn(r plan.Relation) (all []ast.Node) {
	switch r := r.(type) {
	case *plan.Block:
		return append(itemsFrom(r.From), itemsOfSteps(r.Steps)...)
	case *plan.Set:
		return append(itemsIn(r.Left), itemsIn(r.Right)...)
	case *plan.Shared:
		return itemsIn(r.Of)
	case *plan.Recursive:
		all = itemsIn(r.Seed)
		for _, s := range r.Steps {
			all = append(all, itemsIn(s)...)
		}
		return all
	}
	return nil
}

func itemsFrom(f plan.From) []ast.Node {
	switch f := f.(type) {
	case *plan.Source:
		return itemsIn(f.Of)
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
					all = append(all, itemsIn(q.Of)...)
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
