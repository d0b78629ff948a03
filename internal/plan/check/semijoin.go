package check

import (
	"reflect"
	"slices"

	"tunic/internal/recipe"
	"tunic/internal/sql/ast"
)

// semijoin checks that rows are left out by those that they meet: columns IN (SELECT columns FROM … WHERE …), of which
// each is a token as that of its place is, or a plain column. visit checks what is in the query.
func (f forms) semijoin(n *ast.ComparisonExpr, q *ast.Subquery, visit visitor) error {
	of, ok := q.Select.(*ast.Select)
	if !ok || n.Operator != ast.InOp || n.Modifier != ast.Missing {
		return errAudit
	}
	chosen := *of
	chosen.SelectExprs, chosen.From, chosen.Where = nil, nil, nil
	left, row := n.Left.(ast.ValTuple)
	if !row {
		left = ast.ValTuple{n.Left}
	}
	if !reflect.DeepEqual(chosen, ast.Select{}) || len(left) != len(of.SelectExprs.Exprs) {
		return errAudit
	}
	for i, e := range of.SelectExprs.Exprs {
		met, ok := e.(*ast.AliasedExpr)
		if !ok {
			return errAudit
		}
		a, isA := left[i].(*ast.ColName)
		b, isB := met.Expr.(*ast.ColName)
		if form := f.of(left[i]); !isA || !isB || form != f.of(met.Expr) || form != recipe.Token && form != recipe.Value || f.orders(a) != f.orders(b) {
			return errAudit
		}
	}
	nodes := []ast.Node{of.Where}
	for _, e := range of.From {
		if first, ok := e.(*ast.AliasedTableExpr); ok {
			if d, ok := first.Expr.(*ast.DerivedTable); ok {
				if err := f.firstRows(d, visit); err != nil {
					return err
				}
				continue
			}
		}
		nodes = append(nodes, e)
	}
	return ast.Walk(visit, nodes...)
}

// breaksTies reports whether a key of ORDER BY is a token that rows are brought into one order by, whatever it is, of which
// there are the first ones: such tokens are the last keys.
func (f forms) breaksTies(root ast.Statement, o *ast.Order) bool {
	n, ok := root.(*ast.Select)
	if !ok || n.Limit == nil || f.of(o.Expr) != recipe.Token {
		return false
	}
	at := slices.Index(n.OrderBy, o)
	if at < 0 { // of a window or an aggregate function: it decides what they return
		return false
	}
	return !slices.ContainsFunc(n.OrderBy[at:], func(o *ast.Order) bool { return f.of(o.Expr) != recipe.Token })
}

// firstRows checks a derived table in a semi-join: (SELECT columns FROM … WHERE … ORDER BY … LIMIT …), of tokens and plain columns.
// It may be in the order of any tokens, of which the server knows that order.
func (f forms) firstRows(d *ast.DerivedTable, visit visitor) error {
	of, ok := d.Select.(*ast.Select)
	if !ok || d.Lateral || of.GroupBy != nil || of.Having != nil || of.With != nil {
		return errAudit
	}
	for _, e := range of.SelectExprs.Exprs {
		one, ok := e.(*ast.AliasedExpr)
		if !ok || !one.As.IsEmpty() { // by another name it would be taken for another form
			return errAudit
		}
		name, ok := one.Expr.(*ast.ColName)
		if form := f.of(name); !ok || form != recipe.Token && form != recipe.Value {
			return errAudit
		}
	}
	for _, o := range of.OrderBy {
		if f.of(o.Expr) != recipe.Token {
			if err := ast.Walk(visit, o); err != nil {
				return err
			}
		}
	}
	nodes := []ast.Node{of.Where, of.Limit}
	for _, e := range of.From {
		nodes = append(nodes, e)
	}
	return ast.Walk(visit, nodes...)
}
