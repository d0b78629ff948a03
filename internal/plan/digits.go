package plan

import (
	"tunic/internal/sql"
	"tunic/internal/sql/ast"
)

// shortening are functions whose arguments behind the first say how many digits or
// characters the result has.
var shortening = map[string]bool{"round": true, "truncate": true, "left": true, "right": true, "format": true, "lpad": true, "rpad": true, "repeat": true}

// digitsOf are the literals that do so in the select list, and in the clauses that
// it is compared with.
func digitsOf(n *ast.Select, items []Item) (all []sql.Place) {
	add := func(of ...ast.Expr) {
		for _, e := range of {
			if a, ok := e.(*ast.Argument); ok {
				if p, ok := sql.PlaceOf(a); ok {
					all = append(all, p)
				}
			}
		}
	}
	nodes := compared(n)
	for _, it := range items {
		nodes = append(nodes, it.Expr)
	}
	_ = ast.Walk(func(n ast.Node) (bool, error) {
		switch n := n.(type) {
		case *ast.FuncExpr:
			if shortening[n.Name.Lowered()] && len(n.Exprs) > 1 {
				add(n.Exprs[1:]...)
			}
		case *ast.SubstrExpr:
			add(n.From, n.To)
		}
		return true, nil
	}, nodes...)
	return all
}

// compared are the clauses that servers compare with the select list.
func compared(n *ast.Select) []ast.Node {
	nodes := []ast.Node{n.OrderBy}
	if n.GroupBy != nil {
		nodes = append(nodes, n.GroupBy)
	}
	return nodes
}

// keysOf are the literals of GROUP BY and ORDER BY.
func keysOf(n *ast.Select) (all []sql.Place) {
	_ = ast.Walk(func(n ast.Node) (bool, error) {
		if a, ok := n.(*ast.Argument); ok {
			if p, ok := sql.PlaceOf(a); ok && p.Group < 0 {
				all = append(all, p)
			}
		}
		return true, nil
	}, compared(n)...)
	return all
}
