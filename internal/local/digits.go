package local

import "tunic/internal/sql/ast"

// A type that has so many digits, or so many after the point, may have had to cut some.
const (
	digitsCut = 65
	scaleCut  = 30
)

// keepsDigits reports whether the results of an operator have no more digits than its type says.
func keepsDigits(o ast.BinaryExprOperator) bool {
	return o == ast.PlusOp || o == ast.MinusOp || o == ast.MultOp
}

// takesFirst are functions whose result is one of their arguments as it is.
var takesFirst = map[string]bool{"coalesce": true, "ifnull": true}

// isLinear reports whether an expression adds and multiplies, and nothing else.
func isLinear(e ast.Expr) bool {
	linear := true
	_ = ast.Walk(func(n ast.Node) (bool, error) {
		switch n := n.(type) {
		case *ast.BinaryExpr:
			linear = linear && keepsDigits(n.Operator)
		case *ast.UnaryExpr:
			linear = linear && n.Operator == ast.UMinusOp
		case *ast.ColName, *ast.Literal, *ast.Argument, ast.IdentifierCI, ast.TableName, ast.IdentifierCS:
		default:
			linear = false
		}
		return linear, nil
	}, e)
	return linear
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
