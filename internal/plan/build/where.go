package build

import (
	"tunic/internal/plan/shape"
	"tunic/internal/recipe"
	"tunic/internal/resolve"
	"tunic/internal/sql"
	"tunic/internal/sql/ast"
)

// condition divides a condition into what the server can decide over the stored
// table and the rest. remote is nil if the server decides nothing, rest if it
// decides all. What cannot be followed at all ends the planning.
func (b *Builder) condition(e ast.Expr) (remote, rest ast.Expr, end *ending) {
	if and, ok := e.(*ast.AndExpr); ok {
		return b.both(and)
	}
	slots := len(b.Run.Slots)
	stored, ok, end := b.predicate(e)
	if end == nil && ok {
		b.seek(e, slots)
		return stored, nil, nil
	}
	b.Run.Slots = b.Run.Slots[:slots] // of a part that the server could have decided
	if end != nil {
		return nil, e, end
	}
	if remote, end = b.around(e); remote == nil {
		b.Run.Slots = b.Run.Slots[:slots]
	}
	for i := slots; i < len(b.Run.Slots); i++ {
		b.Run.Slots[i].Sought = 0 // the rest is looked at anyway, and may be true of other values
	}
	return remote, e, end
}

// both is condition for AND: each side that the server can decide narrows what is
// fetched.
func (b *Builder) both(n *ast.AndExpr) (remote, rest ast.Expr, end *ending) {
	left, restLeft, end := b.condition(n.Left)
	if end != nil {
		return nil, nil, end
	}
	right, restRight, end := b.condition(n.Right)
	if end != nil {
		return nil, nil, end
	}
	return shape.And(left, right), shape.And(restLeft, restRight), nil
}

// predicate is the stored form of a condition that the server can decide exactly,
// NULLs included; false if it cannot.
func (b *Builder) predicate(e ast.Expr) (ast.Expr, bool, *ending) {
	use, end := refusing(b.scope.UseOf(e))
	switch {
	case end != nil:
		return nil, false, end
	case use != resolve.Protected:
		return ast.Clone(e), !b.tells(e, use) && !b.readsWorded(e) && !(b.secret && shape.ReadsVariable(e)), nil
	}
	switch n := e.(type) {
	case *ast.AndExpr:
		l, r, ok, end := b.pair(n.Left, n.Right)
		return &ast.AndExpr{Left: l, Right: r}, ok, end
	case *ast.OrExpr:
		l, r, ok, end := b.pair(n.Left, n.Right)
		return &ast.OrExpr{Left: l, Right: r}, ok, end
	case *ast.NotExpr:
		x, ok, end := b.predicate(n.Expr)
		return &ast.NotExpr{Expr: x}, ok, end
	case *ast.IsExpr:
		return b.isNull(n)
	case *ast.ComparisonExpr:
		return b.comparison(n)
	case *ast.BetweenExpr:
		return b.between(n)
	}
	return nil, false, nil
}

// tells reports whether an expression without a column has text in it. What it is
// for only the application knows: the server is not told.
func (b *Builder) tells(e ast.Expr, use resolve.Use) (found bool) {
	if use != resolve.Constant {
		return false
	}
	_ = ast.Walk(func(n ast.Node) (bool, error) {
		switch n := n.(type) {
		case *ast.Argument:
			p, ok := sql.PlaceOf(n)
			m := b.Tree.Mark(p)
			found = found || !ok || m != sql.MarkExact && m != sql.MarkFloat
		case *ast.Literal:
			found = found || n.Type == ast.StrVal
		}
		return !found, nil
	}, e)
	return found
}

func (b *Builder) pair(left, right ast.Expr) (l, r ast.Expr, ok bool, end *ending) {
	if l, ok, end = b.predicate(left); end != nil || !ok {
		return nil, nil, false, end
	}
	r, ok, end = b.predicate(right)
	return l, r, ok, end
}

// isNull keeps IS NULL: NULL is NULL in every form.
func (b *Builder) isNull(n *ast.IsExpr) (ast.Expr, bool, *ending) {
	i := b.scope.Protected(n.Left)
	if i < 0 || n.Right != ast.IsNullOp && n.Right != ast.IsNotNullOp {
		return nil, false, nil
	}
	return &ast.IsExpr{Left: shape.Column(b.scope.At(i).Name), Right: n.Right}, true, nil
}

// comparison compares tokens where a column is compared with values.
func (b *Builder) comparison(n *ast.ComparisonExpr) (ast.Expr, bool, *ending) {
	if b.withoutTokens || n.Modifier != ast.Missing || n.Escape != nil {
		return nil, false, nil
	}
	if n.Operator == ast.InOp || n.Operator == ast.NotInOp {
		return b.in(n)
	}
	c, ok := b.comparand(n)
	use, compares := comparisonUse(c.op)
	if !ok || !compares {
		return nil, false, nil
	}
	layer := b.scope.LayerFor(c.column, use)
	if layer == nil {
		return nil, false, nil
	}
	stored := &ast.ComparisonExpr{Operator: c.op, Left: shape.Column(layer.Stored), Right: b.token(c.column, layer, use, c.to)}
	if use == recipe.Equal && c.op != ast.NotEqualOp && b.scope.KeyedAround(c.column, layer) {
		return shape.And(stored, b.aroundComparison(n)), true, nil
	}
	return stored, true, nil
}

// comparisonUse is what a bound is to a comparison: the same value can become
// another bound below a column than above it.
func comparisonUse(op ast.ComparisonExprOperator) (recipe.SlotUse, bool) {
	switch op {
	case ast.EqualOp, ast.NotEqualOp, ast.NullSafeEqualOp:
		return recipe.Equal, true
	case ast.LessThanOp, ast.GreaterEqualOp:
		return recipe.Less, true
	case ast.GreaterThanOp, ast.LessEqualOp:
		return recipe.Greater, true
	default:
		return 0, false
	}
}

// in compares tokens with a list of them.
func (b *Builder) in(n *ast.ComparisonExpr) (ast.Expr, bool, *ending) {
	if row, ok := n.Left.(ast.ValTuple); ok {
		return b.inRows(n, row)
	}
	i := b.scope.Protected(n.Left)
	list, ok := n.Right.(ast.ValTuple)
	if i < 0 || !ok {
		return nil, false, nil
	}
	layer := b.scope.LayerFor(i, recipe.Equal)
	if layer == nil {
		return nil, false, nil
	}
	tokens, ok := b.tokens(i, layer, list)
	if !ok {
		return nil, false, nil
	}
	stored := &ast.ComparisonExpr{Operator: n.Operator, Left: shape.Column(layer.Stored), Right: tokens}
	if n.Operator == ast.InOp && b.scope.KeyedAround(i, layer) {
		return shape.And(stored, b.aroundList(n)), true, nil
	}
	return stored, true, nil
}

// between compares order tokens with two bounds.
func (b *Builder) between(n *ast.BetweenExpr) (ast.Expr, bool, *ending) {
	i := b.scope.Protected(n.Left)
	if i < 0 || b.withoutTokens {
		return nil, false, nil
	}
	layer := b.scope.LayerFor(i, recipe.Less)
	if layer == nil {
		return nil, false, nil
	}
	stored, ok := b.betweenTokens(n, i, layer, recipe.Less, recipe.Greater)
	if !ok {
		return nil, false, nil
	}
	return stored, true, nil
}
