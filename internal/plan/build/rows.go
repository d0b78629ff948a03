package build

import (
	"tunic/internal/plan/shape"
	"tunic/internal/recipe"
	"tunic/internal/resolve"
	"tunic/internal/sql"
	"tunic/internal/sql/ast"
)

// A comparison of rows is planned as the comparisons of their columns that the manual
// says it is equivalent to (MySQL manual, "Comparison Functions and Operators"):
//
//	(a, b) = (x, y)     a = x AND b = y
//	(a, b) <=> (x, y)   a <=> x AND b <=> y
//	(a, b) <> (x, y)    a <> x OR b <> y
//	(a, b) < (x, y)     a < x OR a = x AND b < y; <=, > and >= alike
//
// So the server decides those that have a layer, and a join finds rows by them. Of IN
// only one with one row in its list is written out, and that only with columns or queries in it. A list
// of constants stays a list, whatever its length, and one of several rows as well: servers compare with
// it by the left side alone, in its collation and, in MariaDB, without a conversion of character sets.

// withoutRows is the tree with comparisons of rows written out. Others it leaves as they
// are: what is wrong with them the server says.
func withoutRows(tree *sql.Tree) *sql.Tree {
	if !comparesRows(tree.Root()) {
		return tree
	}
	root, ok := ast.Rewrite(ast.Clone(tree.Root()), nil, func(c *ast.Cursor) bool {
		if n, ok := c.Node().(*ast.ComparisonExpr); ok {
			if made := writtenOut(n); made != nil {
				c.Replace(made)
			}
		}
		return true
	}).(ast.Statement)
	if !ok {
		return tree
	}
	return tree.WithRoot(root)
}

// comparesRows reports whether a statement compares rows.
func comparesRows(root ast.Node) (found bool) {
	_ = ast.Walk(func(n ast.Node) (bool, error) {
		c, ok := n.(*ast.ComparisonExpr)
		if ok {
			_, row := c.Left.(ast.ValTuple)
			found = found || row
		}
		return !found, nil
	}, root)
	return found
}

// writtenOut is a comparison of rows written out; nil if it stays.
func writtenOut(n *ast.ComparisonExpr) ast.Expr {
	left, isRow := n.Left.(ast.ValTuple)
	right, isList := n.Right.(ast.ValTuple)
	if !isRow || !isList || n.Modifier != ast.Missing {
		return nil
	}
	switch n.Operator {
	case ast.EqualOp, ast.NullSafeEqualOp, ast.NotEqualOp:
		return comparedRows(n.Operator, left, right)
	case ast.LessThanOp, ast.LessEqualOp, ast.GreaterThanOp, ast.GreaterEqualOp:
		if repeatable(n) {
			return comparedRows(n.Operator, left, right)
		}
	case ast.InOp, ast.NotInOp:
		if repeatable(n) {
			return inWrittenOut(n.Operator, left, right)
		}
	default:
	}
	return nil
}

// repeatable reports whether every part of an expression has the same value wherever it
// stands, and belongs to no list whose length another statement may change.
func repeatable(e ast.Expr) bool {
	return walk(func(n ast.Node) (bool, *ending) {
		switch n := n.(type) {
		case *ast.Argument:
			if p, ok := sql.PlaceOf(n); ok && p.Group >= 0 {
				return false, unknown()
			}
		case *ast.FuncExpr:
			return false, unknown() // RAND(), a function of the client's own
		case *ast.AssignmentExpr:
			return false, unknown()
		}
		return true, nil
	}, e) == nil
}

// inWrittenOut is a list of one row with columns in it; nil for others.
func inWrittenOut(op ast.ComparisonExprOperator, left, list ast.ValTuple) ast.Expr {
	if len(list) != 1 || !shape.HasColumn(list) && !ast.HasQuery(list) {
		return nil
	}
	row, ok := list[0].(ast.ValTuple)
	if !ok {
		return nil
	}
	same := comparedRows(ast.EqualOp, left, row)
	if same != nil && op == ast.NotInOp {
		return &ast.NotExpr{Expr: same}
	}
	return same
}

// strictly are the operators by which columns before the last are compared.
var strictly = map[ast.ComparisonExprOperator]ast.ComparisonExprOperator{
	ast.LessThanOp: ast.LessThanOp, ast.LessEqualOp: ast.LessThanOp,
	ast.GreaterThanOp: ast.GreaterThanOp, ast.GreaterEqualOp: ast.GreaterThanOp,
}

// comparedRows is the comparison of two rows; nil if they have not as many columns.
func comparedRows(op ast.ComparisonExprOperator, left, right ast.ValTuple) ast.Expr {
	if len(left) != len(right) || len(left) == 0 {
		return nil
	}
	last := len(left) - 1
	all := comparedColumns(op, left[last], right[last])
	for i := last - 1; i >= 0 && all != nil; i-- {
		a, b := left[i], right[i]
		first := comparedColumns(op, a, b)
		switch strict, orders := strictly[op]; {
		case first == nil:
			return nil
		case orders:
			before, same := comparedColumns(strict, a, b), comparedColumns(ast.EqualOp, a, b)
			if before == nil || same == nil {
				return nil
			}
			all = &ast.OrExpr{Left: before, Right: &ast.AndExpr{Left: same, Right: all}}
		case op == ast.NotEqualOp:
			all = &ast.OrExpr{Left: first, Right: all}
		default:
			all = &ast.AndExpr{Left: first, Right: all}
		}
	}
	return all
}

// comparedColumns compares two expressions, or two rows that are columns of rows.
func comparedColumns(op ast.ComparisonExprOperator, a, b ast.Expr) ast.Expr {
	left, isRow := a.(ast.ValTuple)
	right, areRows := b.(ast.ValTuple)
	switch {
	case isRow && areRows:
		return comparedRows(op, left, right)
	case isRow || areRows:
		return nil
	}
	return &ast.ComparisonExpr{Operator: op, Left: ast.Clone(a), Right: ast.Clone(b)}
}

// inRows compares the tokens of several columns, and what is plain, with a list of rows.
func (d *conditions) inRows(n *ast.ComparisonExpr, left ast.ValTuple) (ast.Expr, bool, *ending) {
	list, ok := n.Right.(ast.ValTuple)
	if !ok {
		return nil, false, nil
	}
	stored := make(ast.ValTuple, 0, len(left))
	var cells []cellOf
	for _, e := range left {
		name, cell, ok := d.cellOf(e)
		if !ok {
			return nil, false, nil
		}
		stored, cells = append(stored, name), append(cells, cell)
	}
	rows := make(ast.ValTuple, 0, len(list))
	for _, item := range list {
		row, ok := item.(ast.ValTuple)
		if !ok || len(row) != len(left) {
			return nil, false, nil
		}
		made := make(ast.ValTuple, 0, len(row))
		for i, e := range row {
			to, ok, end := cells[i](e, len(list))
			if end != nil || !ok {
				return nil, false, end
			}
			made = append(made, to)
		}
		rows = append(rows, made)
	}
	return &ast.ComparisonExpr{Operator: n.Operator, Left: stored, Right: rows}, true, nil
}

// cellOf is what is compared with a column of a row, in one of so many rows; false if the server cannot.
type cellOf func(e ast.Expr, rows int) (stored ast.Expr, ok bool, end *ending)

// cellOf is a column of a row as it is stored, and what it is compared with.
func (d *conditions) cellOf(e ast.Expr) (ast.Expr, cellOf, bool) {
	i := d.scope.Protected(e)
	if i < 0 {
		use, err := d.scope.UseOf(e)
		_, row := e.(ast.ValTuple)
		return ast.Clone(e), func(value ast.Expr, _ int) (ast.Expr, bool, *ending) {
			use, end := refusing(d.scope.UseOf(value))
			_, row := value.(ast.ValTuple)
			return ast.Clone(value), use == resolve.Constant && !row && !(d.secret && shape.ReadsVariable(value)), end
		}, err == nil && use == resolve.PlainOnly && !row
	}
	layer := d.scope.LayerFor(i, recipe.Equal)
	if layer == nil {
		return nil, nil, false
	}
	return shape.Column(layer.Stored), func(value ast.Expr, rows int) (ast.Expr, bool, *ending) {
		to, ok := boundOf(value)
		if !ok {
			return nil, false, nil
		}
		switch {
		case rows > 1:
			to.of.Among = recipe.AmongRows
		case to.of.Kind == recipe.FromPlace && to.of.Place.Group >= 0:
			to.of.Among = recipe.AmongElements
		}
		return d.token(i, layer, recipe.Equal, to), true, nil
	}, true
}
