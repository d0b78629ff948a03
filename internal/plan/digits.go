package plan

import (
	"tunic/internal/sql"
	"tunic/internal/sql/ast"
)

// shortening are functions whose arguments behind the first say how many digits or
// characters the result has.
var shortening = map[string]bool{"round": true, "truncate": true, "left": true, "right": true, "format": true, "lpad": true, "rpad": true, "repeat": true}

// digitsOf are the literals of the select list that do so.
func digitsOf(items []Item) (all []sql.Place) {
	add := func(of ...ast.Expr) {
		for _, e := range of {
			if a, ok := e.(*ast.Argument); ok {
				if p, ok := sql.PlaceOf(a); ok {
					all = append(all, p)
				}
			}
		}
	}
	for _, it := range items {
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
		}, it.Expr)
	}
	return all
}
