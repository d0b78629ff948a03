package build

import (
	"strconv"

	"tunic/internal/plan/shape"
	"tunic/internal/recipe"
	"tunic/internal/sql/ast"
)

// rewriter gives the names of an expression their unique ones, and takes the queries
// out of it.
type rewriter struct {
	scope *scope
	// items are those whose aliases stay as they are: in GROUP BY, HAVING and ORDER BY.
	items []recipe.Item
	// found are the queries.
	found []*recipe.Subquery
}

// rewrite is the expression as a block computes it.
func (r *rewriter) rewrite(e ast.Expr) (ast.Expr, *ending) {
	var failed *ending
	aggregates := 0
	before := func(c *ast.Cursor) bool {
		if failed != nil {
			return false
		}
		n := c.Node()
		if failed = r.scope.follows(n); failed != nil {
			return false
		}
		if _, ok := n.(ast.AggrFunc); ok {
			aggregates++
		}
		made, done, end := r.node(n, aggregates > 0)
		if failed = end; end == nil && made != nil {
			c.Replace(made)
		}
		return failed == nil && !done
	}
	after := func(c *ast.Cursor) bool {
		if _, ok := c.Node().(ast.AggrFunc); ok {
			aggregates--
		}
		return failed == nil
	}
	made, ok := ast.Rewrite(ast.Clone(e), before, after).(ast.Expr)
	if failed == nil && !ok {
		failed = beyond("an expression")
	}
	return made, failed
}

// node is what stands in the place of a node, nil if it stays; done says that what is
// in it is not looked at.
func (r *rewriter) node(n ast.Node, aggregated bool) (made ast.Node, done bool, end *ending) {
	var q *recipe.Subquery
	switch n := n.(type) {
	case *ast.ColName:
		if i, end := aliased(n, r.items); n.Qualifier.Name.IsEmpty() && (end != nil || i >= 0) {
			return nil, true, end
		}
		name, end := r.scope.resolve(n)
		return name, true, end
	case *ast.ExistsExpr:
		q, end = r.scope.subquery(n.Subquery, recipe.Exists)
	case *ast.ComparisonExpr:
		if s, ok := n.Right.(*ast.Subquery); ok && (n.Modifier != ast.Missing || n.Operator == ast.InOp || n.Operator == ast.NotInOp) {
			q, end = r.compared(n, s)
		}
	case *ast.Subquery:
		q, end = r.scope.subquery(n, recipe.Scalar)
	}
	switch {
	case end != nil || q == nil:
		return nil, false, end
	case aggregated:
		return nil, true, beyond("a subquery in an aggregate function")
	}
	r.found = append(r.found, q)
	return attached(q), true, nil
}

// attached is the column of a subquery's result.
func attached(q *recipe.Subquery) *ast.ColName {
	return &ast.ColName{Name: ast.Identifier(strconv.Itoa(q.Number)), Qualifier: ast.TableName{Name: ast.Name(recipe.Attached)}}
}

// compared is a comparison with the rows of a query: IN, ANY, ALL.
func (r *rewriter) compared(n *ast.ComparisonExpr, of *ast.Subquery) (*recipe.Subquery, *ending) {
	q, end := r.scope.subquery(of, recipe.Compared)
	if end != nil {
		return nil, end
	}
	q.Operator, q.Every = n.Operator, n.Modifier == ast.All
	switch n.Operator {
	case ast.InOp:
		q.Operator = ast.EqualOp
	case ast.NotInOp:
		q.Operator, q.Every = ast.NotEqualOp, true
	case ast.EqualOp, ast.NotEqualOp, ast.LessThanOp, ast.LessEqualOp, ast.GreaterThanOp, ast.GreaterEqualOp:
	default:
		return nil, beyond("such a comparison with a subquery")
	}
	operands := []ast.Expr{n.Left}
	if row, ok := n.Left.(ast.ValTuple); ok {
		operands = row
		if q.Operator != ast.EqualOp && !(q.Operator == ast.NotEqualOp && q.Every) {
			return nil, beyond("such a comparison of a row with a subquery")
		}
	}
	for _, e := range operands {
		if shape.HasAggregate(e) {
			return nil, beyond("an aggregate function that is compared with a subquery")
		}
		inside := &rewriter{scope: r.scope, items: r.items}
		made, end := inside.rewrite(e)
		if end != nil {
			return nil, end
		}
		if len(inside.found) > 0 {
			return nil, beyond("a subquery that is compared with a subquery")
		}
		q.Operands = append(q.Operands, made)
	}
	return q, nil
}

// subquery plans a query in an expression of the block.
func (s *scope) subquery(n *ast.Subquery, kind recipe.SubqueryKind) (*recipe.Subquery, *ending) {
	t := s.tree
	t.subqueries++
	q := &recipe.Subquery{Number: t.subqueries, Kind: kind}
	made, end := t.relation(n.Select, s)
	if end != nil {
		return nil, end
	}
	q.Of = made.relation
	if kind == recipe.Scalar && len(made.columns) != 1 {
		return nil, &ending{wrong: "a subquery of several columns"}
	}
	return q, nil
}
