package local

import (
	"tunic/internal/recipe"
	"tunic/internal/sql/ast"
)

// ItemsIn are what the blocks of a relation select.
func ItemsIn(r recipe.Relation) (all []ast.Node) {
	switch r := r.(type) {
	case *recipe.Block:
		return append(itemsFrom(r.From), itemsOfSteps(r.Steps)...)
	case *recipe.Set:
		return append(ItemsIn(r.Left), ItemsIn(r.Right)...)
	case *recipe.Shared:
		return ItemsIn(r.Of)
	case *recipe.Recursive:
		all = ItemsIn(r.Seed)
		for _, s := range r.Steps {
			all = append(all, ItemsIn(s)...)
		}
		return all
	}
	return nil
}

func itemsFrom(f recipe.From) []ast.Node {
	switch f := f.(type) {
	case *recipe.Source:
		return ItemsIn(f.Of)
	case *recipe.Join:
		return append(itemsFrom(f.Left), itemsFrom(f.Right)...)
	}
	return nil
}

func itemsOfSteps(steps []recipe.Step) (all []ast.Node) {
	for _, s := range steps {
		switch s := s.(type) {
		case *recipe.Attach:
			for _, q := range s.Subqueries {
				if q.Kind == recipe.Scalar { // the others are truths
					all = append(all, ItemsIn(q.Of)...)
				}
			}
		case *recipe.Project:
			for _, it := range s.Items {
				all = append(all, it.Expr)
			}
		default:
		}
	}
	return all
}
