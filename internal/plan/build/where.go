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
func (d *conditions) condition(e ast.Expr) (remote, rest ast.Expr, end *ending) {
	if and, ok := e.(*ast.AndExpr); ok {
		return d.both(and)
	}
	slots := len(d.run.Slots)
	stored, ok, end := d.predicate(e)
	if end == nil && ok {
		d.seek(e, slots)
		return stored, nil, nil
	}
	d.run.Slots = d.run.Slots[:slots] // of a part that the server could have decided
	if end != nil {
		return nil, e, end
	}
	if remote, end = d.around(e); remote == nil {
		d.run.Slots = d.run.Slots[:slots]
	}
	for i := slots; i < len(d.run.Slots); i++ {
		d.run.Slots[i].Sought = 0 // the rest is looked at anyway, and may be true of other values
	}
	return remote, e, end
}

// both is condition for AND: each side that the server can decide narrows what is
// fetched.
func (d *conditions) both(n *ast.AndExpr) (remote, rest ast.Expr, end *ending) {
	left, restLeft, end := d.condition(n.Left)
	if end != nil {
		return nil, nil, end
	}
	right, restRight, end := d.condition(n.Right)
	if end != nil {
		return nil, nil, end
	}
	return shape.And(left, right), shape.And(restLeft, restRight), nil
}

// predicate is the stored form of a condition that the server can decide exactly,
// NULLs included; false if it cannot.
func (d *conditions) predicate(e ast.Expr) (ast.Expr, bool, *ending) {
	use, end := refusing(d.scope.UseOf(e))
	switch {
	case end != nil:
		return nil, false, end
	case use != resolve.Protected:
		return ast.Clone(e), !d.tells(e, use) && !d.readsWorded(e) && !(d.secret && shape.ReadsVariable(e)), nil
	}
	switch n := e.(type) {
	case *ast.AndExpr:
		l, r, ok, end := d.pair(n.Left, n.Right)
		return &ast.AndExpr{Left: l, Right: r}, ok, end
	case *ast.OrExpr:
		l, r, ok, end := d.pair(n.Left, n.Right)
		return &ast.OrExpr{Left: l, Right: r}, ok, end
	case *ast.NotExpr:
		x, ok, end := d.predicate(n.Expr)
		return &ast.NotExpr{Expr: x}, ok, end
	case *ast.IsExpr:
		return d.isNull(n)
	case *ast.ComparisonExpr:
		return d.comparison(n)
	case *ast.BetweenExpr:
		return d.between(n)
	}
	return nil, false, nil
}

// tells reports whether an expression without a column has text in it. What it is
// for only the application knows: the server is not told.
func (d *conditions) tells(e ast.Expr, use resolve.Use) (found bool) {
	if use != resolve.Constant {
		return false
	}
	_ = ast.Walk(func(n ast.Node) (bool, error) {
		switch n := n.(type) {
		case *ast.Argument:
			p, ok := sql.PlaceOf(n)
			m := d.tree.Mark(p)
			found = found || !ok || m != sql.MarkExact && m != sql.MarkFloat
		case *ast.Literal:
			found = found || n.Type == ast.StrVal
		}
		return !found, nil
	}, e)
	return found
}

func (d *conditions) pair(left, right ast.Expr) (l, r ast.Expr, ok bool, end *ending) {
	if l, ok, end = d.predicate(left); end != nil || !ok {
		return nil, nil, false, end
	}
	r, ok, end = d.predicate(right)
	return l, r, ok, end
}

// isNull keeps IS NULL: NULL is NULL in every form that a column has by itself, and a key may be over one.
func (d *conditions) isNull(n *ast.IsExpr) (ast.Expr, bool, *ending) {
	i := d.scope.Protected(n.Left)
	if i < 0 || !isNullTest(n) {
		return nil, false, nil
	}
	null := d.scope.NullIndicator(i)
	if null == nil {
		return nil, false, nil
	}
	return &ast.IsExpr{Left: null, Right: n.Right}, true, nil
}

// comparison compares tokens where a column is compared with values.
func (d *conditions) comparison(n *ast.ComparisonExpr) (ast.Expr, bool, *ending) {
	if d.withoutTokens || n.Modifier != ast.Missing || n.Escape != nil {
		return nil, false, nil
	}
	if n.Operator == ast.InOp || n.Operator == ast.NotInOp {
		return d.in(n)
	}
	c, ok := d.comparand(n)
	use, compares := comparisonUse(c.op)
	if !ok || !compares {
		return nil, false, nil
	}
	layer := d.scope.LayerFor(c.column, use)
	if layer == nil {
		return nil, false, nil
	}
	stored := &ast.ComparisonExpr{Operator: c.op, Left: shape.Column(layer.Stored), Right: d.token(c.column, layer, use, c.to)}
	if use == recipe.Equal && c.op != ast.NotEqualOp && d.scope.KeyedAround(c.column, layer) {
		return shape.And(stored, d.aroundComparison(n)), true, nil
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
func (d *conditions) in(n *ast.ComparisonExpr) (ast.Expr, bool, *ending) {
	if row, ok := n.Left.(ast.ValTuple); ok {
		return d.inRows(n, row)
	}
	i := d.scope.Protected(n.Left)
	list, ok := n.Right.(ast.ValTuple)
	if i < 0 || !ok {
		return nil, false, nil
	}
	layer := d.scope.LayerFor(i, recipe.Equal)
	if layer == nil {
		return nil, false, nil
	}
	tokens, ok := d.tokens(i, layer, list)
	if !ok {
		return nil, false, nil
	}
	stored := &ast.ComparisonExpr{Operator: n.Operator, Left: shape.Column(layer.Stored), Right: tokens}
	if n.Operator == ast.InOp && d.scope.KeyedAround(i, layer) {
		return shape.And(stored, d.aroundList(n)), true, nil
	}
	return stored, true, nil
}

// between compares order tokens with two bounds.
func (d *conditions) between(n *ast.BetweenExpr) (ast.Expr, bool, *ending) {
	i := d.scope.Protected(n.Left)
	if i < 0 || d.withoutTokens {
		return nil, false, nil
	}
	layer := d.scope.LayerFor(i, recipe.Less)
	if layer == nil {
		return nil, false, nil
	}
	stored, ok := d.betweenTokens(n, i, layer, recipe.Less, recipe.Greater)
	if !ok {
		return nil, false, nil
	}
	return stored, true, nil
}
