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
func (b *Builder) remoteOrder(n *ast.Select) (ast.OrderBy, bool, error) {
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
func (b *Builder) sortKey(e ast.Expr, n *ast.Select) (ast.Expr, bool, error) {
	if _, ok := e.(*ast.Literal); ok {
		return nil, false, nil // a position, which counts what the client selects
	}
	if aliased := aliasedBy(e, n); aliased != nil {
		return b.sortedBy(aliased)
	}
	if aliasInside(e, n) {
		return nil, false, nil // servers differ in which of the two it is
	}
	return b.sortedBy(e)
}

// sortedBy is sortKey for an expression that names no alias.
func (b *Builder) sortedBy(e ast.Expr) (ast.Expr, bool, error) {
	if i := b.protectedColumn(e); i >= 0 {
		if l := b.layerFor(i, recipe.Less); l != nil {
			return shape.Column(l.Stored), true, nil
		}
		return nil, false, nil
	}
	use, err := b.scope.UseOf(e)
	return ast.Clone(e), use != resolve.Protected && !b.tells(e, use), err
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
func (b *Builder) sort(by ast.OrderBy, items []recipe.Item) (*recipe.Sort, error) {
	if len(by) == 0 {
		return nil, nil //nolint:nilnil // a query without ORDER BY has no such step
	}
	s := &recipe.Sort{}
	for _, o := range by {
		k, err := b.key(o.Expr, items)
		if err != nil {
			return nil, err
		}
		k.Descending = o.Direction == ast.DescOrder
		s.By = append(s.By, k)
	}
	return s, nil
}

// key is a key of ORDER BY. An alias goes before a column of its name.
func (b *Builder) key(e ast.Expr, items []recipe.Item) (recipe.Key, error) {
	if l, ok := e.(*ast.Literal); ok && l.Type == ast.IntVal {
		i, err := position(l, items)
		if err != nil {
			return recipe.Key{}, err
		}
		return recipe.Key{Expr: items[i].Expr, Item: i}, nil
	}
	if name, ok := e.(*ast.ColName); ok && name.Qualifier.Name.IsEmpty() {
		if i, err := aliased(name, items); err != nil || i >= 0 {
			return recipe.Key{Expr: items[max(i, 0)].Expr, Item: i}, err
		}
	}
	e, err := b.meant(e, items)
	if err != nil {
		return recipe.Key{}, err
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
func position(l *ast.Literal, items []recipe.Item) (int, error) {
	n, err := strconv.Atoi(l.Val)
	if err != nil || n < 1 || n > len(items) {
		return 0, &Wrong{"a position is beyond what is selected"}
	}
	return n - 1, nil
}

// aliased is the item that has a name as its alias, -1 if none has.
func aliased(name *ast.ColName, items []recipe.Item) (int, error) {
	found := -1
	for i, it := range items {
		if !it.As.Equal(name.Name) || it.As.IsEmpty() {
			continue
		}
		if found >= 0 && !ast.Equal(items[found].Expr, it.Expr) {
			return -1, &resolve.Beyond{What: "an alias of two expressions"}
		}
		found = i
	}
	return found, nil
}

// meant is an expression of GROUP BY, HAVING or ORDER BY with aliases replaced by
// what they stand for. Which of the two a name is that is a column's, too, depends
// on the clause and the server.
func (b *Builder) meant(e ast.Expr, items []recipe.Item) (ast.Expr, error) {
	var failed error
	replace := func(c *ast.Cursor) bool {
		name, ok := c.Node().(*ast.ColName)
		if !ok || !name.Qualifier.Name.IsEmpty() || failed != nil {
			return true
		}
		i, err := aliased(name, items)
		switch column := b.columnOf(name); {
		case err != nil:
			failed = err
		case i < 0 || column >= 0 && items[i].Column == column:
		case column >= 0:
			failed = &resolve.Beyond{What: "a name that is a column's and an alias of something else"}
		default:
			c.Replace(ast.Clone(items[i].Expr))
			return false
		}
		return true
	}
	meant, ok := ast.Rewrite(ast.Clone(e), replace, nil).(ast.Expr)
	if !ok && failed == nil {
		failed = &resolve.Beyond{What: "an expression"}
	}
	return meant, failed
}
