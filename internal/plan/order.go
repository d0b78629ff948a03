package plan

import (
	"tunic/internal/resolve"
	"tunic/internal/sql/ast"
)

// remoteOrder is the ORDER BY of the stored statement, if the server can sort as
// the client asks: by plain columns, and by exact order layers.
func (b *builder) remoteOrder(n *ast.Select) (ast.OrderBy, bool, error) {
	var order ast.OrderBy
	for _, o := range n.OrderBy {
		e, ok, err := b.sortKey(o.Expr, n)
		if err != nil || !ok {
			return nil, false, err
		}
		order = append(order, &ast.Order{Expr: e, Direction: o.Direction})
	}
	return order, true, nil
}

// sortKey is the stored form of one key of an ORDER BY.
func (b *builder) sortKey(e ast.Expr, n *ast.Select) (ast.Expr, bool, error) {
	if _, ok := e.(*ast.Literal); ok {
		return nil, false, nil // a position, which counts what the client selects
	}
	if aliased := aliasedBy(e, n); aliased != nil {
		return b.sortedBy(aliased)
	}
	if aliasInside(e, n) {
		return nil, false, &resolve.Beyond{What: "an alias inside an expression of ORDER BY"}
	}
	return b.sortedBy(e)
}

// sortedBy is sortKey for an expression that names no alias.
func (b *builder) sortedBy(e ast.Expr) (ast.Expr, bool, error) {
	if i := b.protectedColumn(e); i >= 0 {
		if l := b.layerFor(i, Less); l != nil {
			return storedColumn(l.Stored), true, nil
		}
		return nil, false, nil
	}
	use, err := b.scope.UseOf(e)
	return ast.Clone(e), use != resolve.Protected, err
}

// aliasedBy is the selected expression that a name in ORDER BY stands for, nil if
// it stands for none. An alias goes before a column of that name.
func aliasedBy(e ast.Expr, n *ast.Select) ast.Expr {
	name, ok := e.(*ast.ColName)
	if !ok || !name.Qualifier.Name.IsEmpty() {
		return nil
	}
	for _, s := range n.SelectExprs.Exprs {
		if a, ok := s.(*ast.AliasedExpr); ok && a.As.Equal(name.Name) {
			return a.Expr
		}
	}
	return nil
}

// aliasInside reports whether an expression has a name in it that is an alias, too.
// Servers differ in which of the two it is.
func aliasInside(e ast.Expr, n *ast.Select) (found bool) {
	_ = ast.Walk(func(node ast.Node) (bool, error) {
		if name, ok := node.(*ast.ColName); ok && aliasedBy(name, n) != nil {
			found = true
		}
		return !found, nil
	}, e)
	return found
}
