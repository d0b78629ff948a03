package build

import (
	"strconv"

	"tunic/internal/plan/shape"
	"tunic/internal/recipe"
	"tunic/internal/resolve"
	"tunic/internal/sql/ast"
)

// remoteOrder is the ORDER BY of the stored statement, if the server can sort as
// the client asks: by plain columns, and by exact order layers.
func (b *Builder) remoteOrder(n *ast.Select) (ast.OrderBy, bool, *ending) {
	var order ast.OrderBy
	for _, o := range n.OrderBy {
		e, ok, end := b.sortKey(o.Expr, n)
		if end != nil || !ok {
			return nil, false, end
		}
		order = append(order, &ast.Order{Expr: e, Direction: o.Direction})
	}
	return order, true, nil
}

// sortKey is the stored form of one key of an ORDER BY.
func (b *Builder) sortKey(e ast.Expr, n *ast.Select) (ast.Expr, bool, *ending) {
	if _, ok := e.(*ast.Literal); ok {
		return nil, false, nil // a position, which counts what the client selects
	}
	switch aliased := aliasedBy(e, n).(type) {
	case nil:
	case *ast.Literal, *ast.Argument:
		return nil, false, nil // which the server would take for a position
	default:
		return b.sortedBy(aliased)
	}
	if aliasInside(e, n) {
		return nil, false, nil // servers differ in which of the two it is
	}
	return b.sortedBy(e)
}

// sortedBy is sortKey for an expression that names no alias.
func (b *Builder) sortedBy(e ast.Expr) (ast.Expr, bool, *ending) {
	if i := b.scope.Protected(e); i >= 0 {
		if l := b.scope.LayerFor(i, recipe.Less); l != nil {
			return shape.Column(l.Stored), true, nil
		}
		return nil, false, nil
	}
	use, end := refusing(b.scope.UseOf(e))
	return ast.Clone(e), use != resolve.Protected && !b.conditions().tells(e, use), end
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
func aliasInside(e ast.Expr, n *ast.Select) (found bool) {
	_ = ast.Walk(func(node ast.Node) (bool, error) {
		if name, ok := node.(*ast.ColName); ok && aliasedBy(name, n) != nil {
			found = true
		}
		return !found, nil
	}, e)
	return found
}

// sort is the step that sorts, nil if nothing is sorted.
func (b *Builder) sort(by ast.OrderBy, items []recipe.Item) (*recipe.Sort, *ending) {
	if len(by) == 0 {
		return nil, nil //nolint:nilnil // a query without ORDER BY has no such step
	}
	s := &recipe.Sort{}
	for _, o := range by {
		k, end := b.key(o.Expr, items)
		if end != nil {
			return nil, end
		}
		k.Descending = o.Direction == ast.DescOrder
		s.By = append(s.By, k)
	}
	return s, nil
}

// key is a key of ORDER BY. An alias goes before a column of its name.
func (b *Builder) key(e ast.Expr, items []recipe.Item) (recipe.Key, *ending) {
	if l, ok := e.(*ast.Literal); ok && l.Type == ast.IntVal {
		i, end := position(l, items)
		if end != nil {
			return recipe.Key{}, end
		}
		return recipe.Key{Expr: items[i].Expr, Item: i}, nil
	}
	if name, ok := e.(*ast.ColName); ok && name.Qualifier.Name.IsEmpty() {
		if i, end := aliased(name, items); end != nil || i >= 0 {
			return recipe.Key{Expr: items[max(i, 0)].Expr, Item: i}, end
		}
	}
	e, end := b.meant(e, items)
	if end != nil {
		return recipe.Key{}, end
	}
	return recipe.Key{Expr: e, Item: b.itemOf(e, items)}, nil
}

// itemOf is the item that an expression is, -1 if it is none.
func (b *Builder) itemOf(e ast.Expr, items []recipe.Item) int {
	column := b.columnOf(e)
	for i, it := range items {
		if column >= 0 && column == it.Column || ast.Equal(e, it.Expr) {
			return i
		}
	}
	return -1
}

// position is the item that a number in GROUP BY or ORDER BY counts to.
func position(l *ast.Literal, items []recipe.Item) (int, *ending) {
	n, err := strconv.Atoi(l.Val)
	if err != nil || n < 1 || n > len(items) {
		return 0, &ending{wrong: "a position is beyond what is selected"}
	}
	return n - 1, nil
}

// aliased is the item that has a name as its alias, -1 if none has.
func aliased(name *ast.ColName, items []recipe.Item) (int, *ending) {
	found := -1
	for i, it := range items {
		if !it.As.Equal(name.Name) || it.As.IsEmpty() {
			continue
		}
		if found >= 0 && !ast.Equal(items[found].Expr, it.Expr) {
			return -1, beyond("an alias of two expressions")
		}
		found = i
	}
	return found, nil
}

// meant is an expression of GROUP BY, HAVING or ORDER BY with aliases replaced by
// what they stand for. Which of the two a name is that is a column's, too, depends
// on the clause and the server.
func (b *Builder) meant(e ast.Expr, items []recipe.Item) (ast.Expr, *ending) {
	var failed *ending
	replace := func(c *ast.Cursor) bool {
		name, ok := c.Node().(*ast.ColName)
		if !ok || !name.Qualifier.Name.IsEmpty() || failed != nil {
			return true
		}
		i, end := aliased(name, items)
		switch column := b.columnOf(name); {
		case end != nil:
			failed = end
		case i < 0 || column >= 0 && items[i].Column == column:
		case column >= 0:
			failed = beyond("a name that is a column's and an alias of something else")
		default:
			c.Replace(ast.Clone(items[i].Expr))
			return false
		}
		return true
	}
	meant, ok := ast.Rewrite(ast.Clone(e), replace, nil).(ast.Expr)
	if !ok && failed == nil {
		failed = beyond("an expression")
	}
	return meant, failed
}
