package local

import (
	"strconv"

	"tunic/internal/eval"
	"tunic/internal/recipe"
	"tunic/internal/sql/ast"
	"tunic/internal/sqlerr"
	"tunic/internal/value"
)

// attach compiles the computation of subqueries. Each adds a column to the rows; a
// single value that is an average adds another with all of its digits.
func (c *compiler) attach(s *recipe.Attach, rest []recipe.Step) error {
	if c.tree == nil {
		return sqlerr.StatementUnread()
	}
	made := make([]*subquery, len(s.Subqueries))
	for i, q := range s.Subqueries {
		var err error
		if made[i], err = c.subquery(q); err != nil {
			return err
		}
		made[i].sure = c.answers && surely(q, rest)
	}
	for i, q := range s.Subqueries {
		c.addAttached(q, made[i])
	}
	c.phases = append(c.phases, func(x *Execution, next Sink) (Sink, error) { return newAttacher(x.tree, made, next) })
	return nil
}

// addAttached adds the columns of a subquery's result to those of the rows.
func (c *compiler) addAttached(q *recipe.Subquery, made *subquery) {
	column := Column{Qualifier: recipe.Attached, Name: strconv.Itoa(q.Number), Typ: truthType}
	if q.Kind == recipe.Scalar {
		column.Typ, column.rough, column.hidden = nullable(made.columns[0].Typ).Unfilled(), made.columns[0].rough, made.columns[0].hidden
		column.settled, column.uneven = made.columns[0].settled, made.columns[0].uneven
		column.zeroIsNull = true // of a query without a table, (SELECT d), which MySQL takes for d
	}
	at := c.scope.Add(column)
	if q.Kind == recipe.Scalar && made.columns[0].finer > 0 {
		precise := made.columns[made.columns[0].finer]
		c.scope.Columns[at].finer = c.scope.Add(precise)
	}
}

// truthType is the type of what is true, false or unknown.
var truthType = &value.Type{Kind: value.BigInt, Length: 1}

// surely reports whether a server computes a subquery for every row that comes to
// where it is attached: it need not where what is before it in a condition decides, or
// where rows are not asked for.
func surely(q *recipe.Subquery, rest []recipe.Step) bool {
	for _, s := range rest {
		if _, ok := s.(*recipe.Limit); ok {
			return false
		}
	}
	for _, s := range rest {
		switch s := s.(type) {
		case *recipe.Filter:
			return needs(s.Where, q)
		case *recipe.Having:
			return needs(s.Where, q)
		case *recipe.Project:
			for _, it := range s.Items {
				if needs(it.Expr, q) {
					return true
				}
			}
		default:
		}
	}
	return false
}

// needs reports whether the value of an expression cannot be known without that of a
// subquery.
func needs(e ast.Expr, q *recipe.Subquery) bool {
	switch e := e.(type) {
	case *ast.ColName:
		return attached(e) && e.Name.String() == strconv.Itoa(q.Number)
	case *ast.ComparisonExpr:
		return needs(e.Left, q) || needs(e.Right, q)
	case *ast.BinaryExpr:
		return needs(e.Left, q) || needs(e.Right, q)
	}
	return false
}

// checkAttached refuses comparisons of a subquery, or a constant of a derived table, with
// a value of another kind: what a server makes of both depends on when it computes it.
func (c *compiler) checkAttached(e ast.Expr) error {
	return ast.Walk(func(n ast.Node) (bool, error) {
		var sides []ast.Expr
		switch n := n.(type) {
		case *ast.ComparisonExpr:
			sides = []ast.Expr{n.Left, n.Right}
		case *ast.BetweenExpr:
			sides = []ast.Expr{n.Left, n.From, n.To}
		}
		for i, a := range sides {
			for _, b := range sides[i+1:] {
				if err := c.checkSides(a, b); err != nil {
					return false, err
				}
			}
		}
		return true, nil
	}, e)
}

// checkSides is checkAttached for two sides of a comparison.
func (c *compiler) checkSides(a, b ast.Expr) error {
	if !c.isElsewhere(a) && !c.isElsewhere(b) {
		return nil
	}
	var of [2]*eval.Expression
	for i, e := range [...]ast.Expr{a, b} {
		if list, ok := e.(ast.ValTuple); ok && len(list) > 0 {
			e = list[0]
		}
		if argument, ok := e.(*ast.Argument); ok && c.query.Inputs.list(OperandOf(argument).Place) >= 0 {
			return nil
		}
		var err error
		if of[i], err = eval.Compile(e, c.scope, c.program.session); err != nil {
			return err
		}
	}
	if !comparesAlike(of[0], of[1]) && !comparesAlike(of[1], of[0]) {
		return sqlerr.ExpressionRefused("a comparison", "a subquery and a value of another type")
	}
	return nil
}

// isElsewhere reports whether an expression is the result of a subquery, or a constant
// of a derived table.
func (c *compiler) isElsewhere(e ast.Expr) bool {
	n, ok := e.(*ast.ColName)
	if !ok {
		return false
	}
	i := c.scope.find(n)
	return attached(n) || i >= 0 && c.scope.Columns[i].literal
}

// comparesAlike reports whether values of two expressions are compared as what they
// are.
func comparesAlike(a, b *eval.Expression) bool {
	x, y := a.Type(), b.Type()
	switch {
	case isNumber(x) && isNumber(y), isTextual(x) && isTextual(y), x.Kind.IsBytes() && y.Kind.IsBytes():
		return true
	case x.Kind == y.Kind, isDay(x) && isDay(y):
		return true
	case onlyNull(y):
		return true
	}
	return x.Kind.IsTemporal() && b.Constant() && y.Kind.IsText()
}

func isNumber(t *value.Type) bool {
	return t.Kind.IsInteger() || t.Kind == value.Decimal || isReal(t)
}

// attacher adds the results of subqueries to rows.
type attacher struct {
	queries []*subqueryRun
	made    eval.Row
	next    Sink
}

func newAttacher(x *treeRun, queries []*subquery, next Sink) (*attacher, error) {
	a := &attacher{next: next}
	for _, q := range queries {
		run, err := x.subquery(q)
		if err != nil {
			return nil, err
		}
		a.queries = append(a.queries, run)
	}
	return a, nil
}

func (a *attacher) Row(r eval.Row) error {
	a.made = append(a.made[:0], r...)
	for _, q := range a.queries {
		result, err := q.result(r)
		if err != nil {
			return err
		}
		a.made = append(a.made, result...)
	}
	return a.next.Row(a.made)
}

func (a *attacher) End() error { return a.next.End() }
