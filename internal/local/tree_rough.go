package local

import (
	"slices"

	"tunic/internal/recipe"
	"tunic/internal/sql/ast"
	"tunic/internal/sqlerr"
	"tunic/internal/value"
)

// A server computes a column of a derived table where it is used, or once for a table
// of its own, as it likes. Most values are the same either way. A quotient is not: it
// has more digits than its type until it is put into a table, as in (a / 3) * 3.

// digits sets what is known of an item's digits as long as it is not in a table: whether they may be others than its
// type says, and whether it is the same number with them. COALESCE of 0 and 1.50 is 0 with no digit after the point,
// which is only seen in text, and in a quotient: that has digits after those of its operands.
func (c *compiler) digits(it *Item, e ast.Expr) {
	if it.Expression == nil || it.Typ.Kind != value.Decimal {
		return
	}
	exact, even := !it.Expression.averaged, true
	_ = ast.Walk(func(n ast.Node) (bool, error) {
		switch n := n.(type) {
		case ast.AggrFunc:
			exact = exact && it.Expression.twin == nil
			return false, nil
		case *ast.CastExpr, *ast.ConvertExpr:
			return false, nil
		case *ast.BinaryExpr:
			exact = exact && keepsDigits(n.Operator)
		case *ast.ColName:
			if i := c.scope.find(n); i >= 0 {
				of := &c.scope.Columns[i]
				even, exact = even && !of.rough, exact && (!of.rough || of.settled) && of.finer == 0
			}
		case *ast.FuncExpr:
			even = false
			if settlesDigits(n) {
				return false, nil
			}
			exact = exact && takesFirst[n.Name.Lowered()]
		case *ast.Literal, *ast.Argument, *ast.UnaryExpr, ast.IdentifierCI, ast.TableName, ast.IdentifierCS:
		default:
			exact = false
		}
		return exact, nil
	}, e)
	it.rough = !exact || !even
	it.settled = it.rough && exact && it.Typ.Decimals < scaleCut && it.Typ.Length < digitsCut
}

// merges reports whether a server may compute a block's columns where they are used.
func merges(b *recipe.Block) bool {
	return !slices.ContainsFunc(b.Steps, func(s recipe.Step) bool {
		switch s.(type) {
		case *recipe.Group, *recipe.Distinct, *recipe.Limit:
			return true
		}
		return false
	})
}

// checkRough refuses to compute with columns whose digits are not known, but for what has the same result whatever
// they are.
func (c *compiler) checkRough(e ast.Expr) error {
	if _, ok := e.(*ast.ColName); ok {
		return nil
	}
	linear := isLinear(e)
	return ast.Walk(func(n ast.Node) (bool, error) {
		switch n := n.(type) {
		case *ast.ComparisonExpr:
			if !comparesRounded(n.Operator) {
				return true, nil
			}
			for _, side := range [...]ast.Expr{n.Left, n.Right} {
				if err := c.checkRough(side); err != nil {
					return false, err
				}
			}
			return false, nil
		case *ast.ColName:
			if i := c.scope.find(n); i >= 0 && c.scope.Columns[i].rough && !(linear && c.scope.Columns[i].settled) {
				return false, sqlerr.ExpressionRefused("a quotient, or a choice of numbers, of a derived table or subquery", "DECIMAL, inside of an expression,")
			}
		}
		return true, nil
	}, e)
}
