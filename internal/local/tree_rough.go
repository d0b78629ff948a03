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

// isRough reports whether an item has, as long as it is not in a table, other digits
// than its type says.
func isRough(it *Item, e ast.Expr) bool {
	if it.Expression == nil || it.Typ.Kind != value.Decimal {
		return false
	}
	if it.Expression.averaged {
		return true
	}
	exact := true
	_ = ast.Walk(func(n ast.Node) (bool, error) {
		switch n := n.(type) {
		case ast.AggrFunc:
			return false, nil
		case *ast.BinaryExpr:
			exact = exact && (n.Operator == ast.PlusOp || n.Operator == ast.MinusOp || n.Operator == ast.MultOp)
		case *ast.ColName, *ast.Literal, *ast.Argument, *ast.UnaryExpr, ast.IdentifierCI, ast.TableName, ast.IdentifierCS:
		default:
			exact = false
		}
		return exact, nil
	}, e)
	return !exact
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

// checkRough refuses to compute with columns whose digits are not known.
func (c *compiler) checkRough(e ast.Expr) error {
	if _, ok := e.(*ast.ColName); ok {
		return nil
	}
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
			if i := c.scope.find(n); i >= 0 && c.scope.Columns[i].rough {
				return false, sqlerr.ExpressionRefused("a quotient of a derived table or subquery", "DECIMAL, inside of an expression,")
			}
		}
		return true, nil
	}, e)
}

// comparesRounded reports whether a comparison looks at the digits that a number's type
// has, where it has more: MariaDB's do, unlike IN and BETWEEN, and on MySQL a quotient has
// no more.
func comparesRounded(operator ast.ComparisonExprOperator) bool {
	switch operator {
	case ast.EqualOp, ast.NotEqualOp, ast.LessThanOp, ast.LessEqualOp, ast.GreaterThanOp, ast.GreaterEqualOp, ast.NullSafeEqualOp:
		return true
	default:
		return false
	}
}
