package exec

import (
	"tunic/internal/recipe"
	"tunic/internal/sql/ast"
)

// hint says what would leave less to do locally, for the refusal of a statement
// that is beyond the budget.
func (st *Statement) hint() string {
	for _, s := range st.Run.Local {
		var column, layer string
		switch s := s.(type) {
		case *recipe.Filter:
			column, layer = st.compared(s.Where)
		case *recipe.Group:
			column, layer = st.firstProtected(s.By), "equality"
		case *recipe.Sort:
			var keys []ast.Expr
			for _, k := range s.By {
				keys = append(keys, k.Expr)
			}
			column, layer = st.firstProtected(keys), "order"
		default:
		}
		if column != "" {
			return "as " + column + " has no " + layer + " layer"
		}
	}
	return "as no layer serves it"
}

// compared is a protected column that a condition compares, and the layer that
// comparisons of its kind are for.
func (st *Statement) compared(where ast.Expr) (column, layer string) {
	_ = ast.Walk(func(n ast.Node) (bool, error) {
		var of []ast.Expr
		switch n := n.(type) {
		case *ast.ComparisonExpr:
			of, layer = []ast.Expr{n.Left, n.Right}, "order"
			switch n.Operator {
			case ast.EqualOp, ast.NotEqualOp, ast.NullSafeEqualOp, ast.InOp, ast.NotInOp:
				layer = "equality"
			case ast.LikeOp, ast.NotLikeOp, ast.RegexpOp, ast.NotRegexpOp:
				of = nil // no layer serves them
			default:
			}
		case *ast.BetweenExpr:
			of, layer = []ast.Expr{n.Left}, "order"
		}
		column = st.firstProtected(of)
		return column == "", nil
	}, where)
	return column, layer
}

// firstProtected is the name of the first of several expressions that is a protected
// column, "" if none is.
func (st *Statement) firstProtected(of []ast.Expr) string {
	for _, e := range of {
		name, ok := e.(*ast.ColName)
		if !ok {
			continue
		}
		if i := st.Run.Table.Column(name.Name.String()); i >= 0 && st.Columns[i].Protected() {
			c := st.Columns[i].Names
			return c.Schema + "." + c.Table + "." + c.Name
		}
	}
	return ""
}
