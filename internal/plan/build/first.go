package build

import (
	"tunic/internal/catalog"
	"tunic/internal/plan/shape"
	"tunic/internal/recipe"
	"tunic/internal/sql/ast"
)

// firstRows is a First while the stored query is made.
type firstRows struct {
	recipe.First
	certain, token ast.Expr
	column         int // of the table, whose token it is
}

// firstRows has the server sort rows, and stop at a number of them that the execution says,
// where every row is one of the answer for certain or not. It takes the order from n if
// nothing is left to be sorted. nil if all rows have to be read.
func (b *Builder) firstRows(n, stored *ast.Select, grouped bool) (*firstRows, *ending) {
	if n.Limit == nil || b.Into || n.Lock != ast.NoLock || !b.cuts(n, grouped) || !repeats(n) {
		return nil, nil //nolint:nilnil // all rows are read
	}
	f := &firstRows{}
	order, end := b.orderAround(n, f)
	if end != nil || order == nil && len(n.OrderBy) > 0 {
		return nil, end
	}
	if b.rest != nil {
		if f.certain, end = b.conditions().certain(b.rest); end != nil || f.certain == nil {
			return nil, end
		}
		f.certain = asTruth(f.certain)
	}
	if f.token == nil && f.certain == nil {
		return nil, nil //nolint:nilnil // the server has been left all of it
	}
	most := recipe.Slot{Form: recipe.Most, Of: recipe.Operand{Kind: recipe.FromForm, Literal: &ast.NullVal{}}}
	if most.Column = f.column; f.token == nil {
		of := b.scope.ProtectedIn(b.rest)
		if len(of) == 0 { // what is left to be done has nothing to do with tokens
			return nil, nil //nolint:nilnil // all rows are read
		}
		n.OrderBy, most.Column = nil, of[0]
	}
	stored.OrderBy, stored.Limit = order, &ast.Limit{Rowcount: b.slot(most, nil)}
	return f, nil
}

// tell has the stored query say of each row what it takes to know that there are enough.
func (f *firstRows) tell(b *Builder, stored *ast.Select) *ending {
	if f == nil {
		return nil
	}
	all := ast.Clone(stored)
	fetch := func(e ast.Expr) int {
		if e == nil {
			return -1
		}
		stored.SelectExprs.Exprs = append(stored.SelectExprs.Exprs, &ast.AliasedExpr{Expr: e})
		all.SelectExprs.Exprs = append(all.SelectExprs.Exprs, &ast.AliasedExpr{Expr: &ast.NullVal{}})
		return b.Run.AddCell(recipe.Cell{Column: -1})
	}
	f.Certain, f.Token = fetch(f.certain), fetch(f.token)
	b.asQuery().First = &f.First
	if f.Token < 0 {
		return nil
	}
	all.OrderBy, all.Limit = nil, &ast.Limit{Rowcount: &ast.Literal{Type: ast.IntVal, Val: allRows}}
	var end *ending
	f.All, end = b.store(all)
	return end
}

// orderAround is the stored ORDER BY up to the first key by whose tokens rows are sorted but
// for those that share one, which is f.token then. nil if the server cannot sort so.
func (b *Builder) orderAround(n *ast.Select, f *firstRows) (ast.OrderBy, *ending) {
	var order ast.OrderBy
	for _, o := range n.OrderBy {
		e, ok, end := b.sortKey(o.Expr, n)
		if end != nil {
			return nil, end
		}
		if !ok {
			l, column := b.sortsAround(o.Expr, n)
			if l == nil {
				return nil, nil
			}
			e, f.token, f.column = shape.Column(l.Stored), shape.Column(l.Stored), column
		}
		order = append(order, &ast.Order{Expr: e, Direction: o.Direction})
		if f.token != nil {
			break // the keys behind it are for rows that share a token
		}
	}
	return order, nil
}

// sortsAround is the layer of a key of ORDER BY that has one token for several values, and the
// column that it is of.
func (b *Builder) sortsAround(e ast.Expr, n *ast.Select) (l *catalog.Layer, column int) {
	if aliased := aliasedBy(e, n); aliased != nil {
		e = aliased
	}
	column = b.scope.Protected(e)
	return b.scope.LayerAround(column), column
}

// certain is a condition that the server can decide and where e holds, wherever it is true; nil
// if there is none. It is to e what around is, from the other side: of a value v the tokens T
// have T(v) < T(w) ⇒ v < w, so that a row with the token of a bound is left out.
func (d *conditions) certain(e ast.Expr) (stored ast.Expr, end *ending) {
	slots := len(d.run.Slots)
	defer func() {
		if stored == nil {
			d.run.Slots = d.run.Slots[:slots]
		}
	}()
	exact, ok, end := d.predicate(e)
	if end != nil {
		return nil, end
	}
	if ok {
		return exact, nil
	}
	d.run.Slots = d.run.Slots[:slots]
	switch n := e.(type) {
	case *ast.AndExpr, *ast.OrExpr:
		return d.certainOfTwo(n)
	case *ast.ComparisonExpr:
		return d.certainComparison(n), nil
	case *ast.BetweenExpr:
		return d.certainBetween(n), nil
	}
	return nil, nil //nolint:nilnil // of no row it is certain
}

// asTruth is a condition that comes as 1 or 0: a bare column would come as what it has.
func asTruth(e ast.Expr) ast.Expr {
	switch e.(type) {
	case *ast.ComparisonExpr, *ast.BetweenExpr, *ast.AndExpr, *ast.OrExpr:
		return e
	}
	return &ast.IsExpr{Left: e, Right: ast.IsTrueOp}
}

// certainOfTwo is certain for AND, whose sides have to be, and for OR, of which one may be.
func (d *conditions) certainOfTwo(e ast.Expr) (ast.Expr, *ending) {
	sides, both := [2]ast.Expr{}, false
	switch n := e.(type) {
	case *ast.AndExpr:
		sides, both = [2]ast.Expr{n.Left, n.Right}, true
	case *ast.OrExpr:
		sides = [2]ast.Expr{n.Left, n.Right}
	}
	left, end := d.certain(sides[0])
	if end != nil || left == nil && both {
		return nil, end
	}
	right, end := d.certain(sides[1])
	switch {
	case end != nil || right == nil && both:
		return nil, end
	case both:
		return &ast.AndExpr{Left: left, Right: right}, nil
	case left == nil:
		return right, nil
	case right == nil:
		return left, nil
	}
	return &ast.OrExpr{Left: left, Right: right}, nil
}

// inner are the comparisons of tokens that are within a comparison of values.
var inner = map[ast.ComparisonExprOperator]ast.ComparisonExprOperator{
	ast.LessThanOp: ast.LessThanOp, ast.LessEqualOp: ast.LessThanOp,
	ast.GreaterThanOp: ast.GreaterThanOp, ast.GreaterEqualOp: ast.GreaterThanOp,
}

func (d *conditions) certainComparison(n *ast.ComparisonExpr) ast.Expr {
	if d.withoutTokens || n.Modifier != ast.Missing || n.Escape != nil {
		return nil
	}
	c, ok := d.comparand(n)
	if !ok {
		return nil
	}
	as, orders := inner[c.op]
	layer := d.scope.LayerAround(c.column)
	if layer == nil || !orders {
		return nil
	}
	return &ast.ComparisonExpr{Operator: as, Left: shape.Column(layer.Stored), Right: d.token(c.column, layer, recipe.Around, c.to)}
}

func (d *conditions) certainBetween(n *ast.BetweenExpr) ast.Expr {
	i := d.scope.Protected(n.Left)
	layer := d.scope.LayerAround(i)
	if d.withoutTokens || layer == nil || !n.IsBetween {
		return nil
	}
	stored, ok := d.betweenTokens(n, i, layer, recipe.Around, recipe.Around)
	if !ok {
		return nil
	}
	return &ast.AndExpr{
		Left:  &ast.ComparisonExpr{Operator: ast.GreaterThanOp, Left: shape.Column(layer.Stored), Right: stored.From},
		Right: &ast.ComparisonExpr{Operator: ast.LessThanOp, Left: shape.Column(layer.Stored), Right: stored.To},
	}
}

// repeats reports whether it does nothing to find and sort the rows of a query once more. A
// function that is called by its name may be one of the client's own, but for these.
func repeats(n *ast.Select) bool {
	nodes := []ast.Node{n.OrderBy}
	if n.Where != nil {
		nodes = append(nodes, n.Where)
	}
	return walk(func(node ast.Node) (bool, *ending) {
		switch f := node.(type) {
		case *ast.FuncExpr:
			if !f.Qualifier.IsEmpty() || !pureFunctions[f.Name.Lowered()] {
				return false, unknown()
			}
		case *ast.AssignmentExpr, *ast.LockingFunc:
			return false, unknown()
		}
		return true, nil
	}, nodes...) == nil
}

// pureFunctions are functions of every server that compute a value of their arguments, and
// do nothing else.
var pureFunctions = map[string]bool{
	"if": true, "ifnull": true, "nullif": true, "coalesce": true, "isnull": true, "greatest": true, "least": true,
	"concat": true, "concat_ws": true, "length": true, "char_length": true, "left": true, "right": true,
	"lower": true, "upper": true, "replace": true, "reverse": true, "field": true, "lpad": true, "rpad": true,
	"abs": true, "floor": true, "ceil": true, "ceiling": true, "round": true, "truncate": true, "mod": true, "sign": true,
	"date": true, "year": true, "month": true, "day": true, "hour": true, "datediff": true, "date_format": true, "last_day": true,
	"unix_timestamp": true, "from_unixtime": true,
}
