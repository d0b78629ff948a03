package plan

import "tunic/internal/sql/ast"

// withoutAnyValue is a query with its expression in the place of each ANY_VALUE: that is
// no aggregate function, but says that whichever row of a group may stand for it (MySQL
// manual, "ANY_VALUE"), as is so of all columns here.
func withoutAnyValue(n *ast.Select) *ast.Select {
	found := false
	_ = ast.Walk(func(n ast.Node) (bool, error) {
		if _, ok := n.(*ast.AnyValue); ok {
			found = true
		}
		return !found, nil
	}, n)
	if !found {
		return n
	}
	made, ok := ast.Rewrite(ast.Clone(n), nil, func(c *ast.Cursor) bool {
		if a, ok := c.Node().(*ast.AnyValue); ok {
			c.Replace(a.Arg)
		}
		return true
	}).(*ast.Select)
	if !ok {
		return n
	}
	return made
}
