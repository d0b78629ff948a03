package shape

import "tunic/internal/sql/ast"

// Where is a WHERE of a condition, nil of none.
func Where(e ast.Expr) *ast.Where {
	if e == nil {
		return nil
	}
	return &ast.Where{Type: ast.WhereClause, Expr: e}
}

// Qualify has all columns in an expression be of one table, by its name.
func Qualify(e ast.Expr, unique string) {
	_ = ast.Walk(func(n ast.Node) (bool, error) {
		if name, ok := n.(*ast.ColName); ok {
			name.Qualifier = ast.TableName{Name: ast.Name(unique)}
		}
		return true, nil
	}, e)
}

// And joins two conditions, of which either may be nil.
func And(left, right ast.Expr) ast.Expr {
	switch {
	case left == nil:
		return right
	case right == nil:
		return left
	}
	return &ast.AndExpr{Left: left, Right: right}
}

// Column is a column of a statement with one table, so that its name needs no other before it.
func Column(name string) *ast.ColName { return &ast.ColName{Name: ast.Identifier(name)} }
