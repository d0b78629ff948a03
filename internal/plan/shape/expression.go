package shape

import (
	"tunic/internal/plan/functions"
	"tunic/internal/sql"
	"tunic/internal/sql/ast"
)

// HasSubquery reports whether there is a query in an expression.
func HasSubquery(e ast.Node) (found bool) {
	_ = ast.Walk(func(n ast.Node) (bool, error) {
		_, query := n.(*ast.Subquery)
		found = found || query
		return !found, nil
	}, e)
	return found
}

// ReadsVariable reports whether a user variable is read in an expression.
func ReadsVariable(e ast.Node) (found bool) {
	_ = ast.Walk(func(n ast.Node) (bool, error) {
		if a, ok := n.(*ast.Argument); ok {
			param, is := sql.ParamOf(a)
			found = found || is && param >= sql.FirstVariable
		}
		return !found, nil
	}, e)
	return found
}

// Differs reports whether an expression may have another value in each row, without a
// column.
func Differs(root ast.Node) (found bool) {
	_ = ast.Walk(func(n ast.Node) (bool, error) {
		switch n.(type) {
		case *ast.ValuesFuncExpr, *ast.Default, ast.WindowFunc:
			found = true
		}
		return !found, nil
	}, root)
	return found || functions.Draws(root)
}

// NamesSchema reports whether a tree asks for the current schema.
func NamesSchema(root ast.Node) (names bool) {
	_ = ast.Walk(func(n ast.Node) (bool, error) {
		if f, ok := n.(*ast.FuncExpr); ok {
			names = names || f.Name.EqualString("database") || f.Name.EqualString("schema")
		}
		return !names, nil
	}, root)
	return names
}

// Aggregates are the aggregate functions in nodes, but for those in the arguments of others and
// those that are over a window.
func Aggregates(roots ...ast.Node) (found []ast.AggrFunc) {
	_ = ast.Walk(func(n ast.Node) (bool, error) {
		if a, ok := n.(ast.AggrFunc); ok && !IsWindowed(n) {
			found = append(found, a)
			return false, nil
		}
		return true, nil
	}, roots...)
	return found
}

// HasLiteral reports whether there is a literal or a parameter in an expression.
func HasLiteral(e ast.Expr) (found bool) {
	_ = ast.Walk(func(n ast.Node) (bool, error) {
		switch n.(type) {
		case *ast.Literal, *ast.Argument, *ast.NullVal, ast.BoolVal:
			found = true
		}
		return !found, nil
	}, e)
	return found
}

// HasAggregate reports whether there is an aggregate function in an expression that is not over a
// window.
func HasAggregate(e ast.Node) (found bool) {
	_ = ast.Walk(func(n ast.Node) (bool, error) {
		if _, ok := n.(ast.AggrFunc); ok && !IsWindowed(n) {
			found = true
		}
		return !found, nil
	}, e)
	return found
}

// HasColumn reports whether there is a column in an expression.
func HasColumn(e ast.Node) (found bool) {
	_ = ast.Walk(func(n ast.Node) (bool, error) {
		_, is := n.(*ast.ColName)
		found = found || is
		return !found, nil
	}, e)
	return found
}

// HasCollation reports whether there is a COLLATE in an expression.
func HasCollation(e ast.Node) (found bool) {
	_ = ast.Walk(func(n ast.Node) (bool, error) {
		_, is := n.(*ast.CollateExpr)
		found = found || is
		return !found, nil
	}, e)
	return found
}

// IsWindowed reports whether a node is a function over a window: SUM is one, and an
// aggregate function, depending on its OVER.
func IsWindowed(n ast.Node) bool {
	f, ok := n.(ast.WindowFunc)
	return ok && f.GetOverClause() != nil
}

// Windows are the window functions in nodes, but for those of queries in them.
func Windows(nodes ...ast.Node) (found []ast.WindowFunc) {
	_ = ast.Walk(func(n ast.Node) (bool, error) {
		switch n := n.(type) {
		case *ast.Subquery, *ast.DerivedTable:
			return false, nil
		case ast.WindowFunc:
			if IsWindowed(n) {
				found = append(found, n)
				return false, nil
			}
		}
		return true, nil
	}, nodes...)
	return found
}

// ItemName is the name that a column of a query has for the one around it; "" for an
// expression, which can be named by its text.
func ItemName(e *ast.AliasedExpr) string {
	if !e.As.IsEmpty() {
		return e.As.String()
	}
	if n, ok := e.Expr.(*ast.ColName); ok {
		return n.Name.String()
	}
	return ""
}
