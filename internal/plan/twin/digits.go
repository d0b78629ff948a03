package twin

import (
	"tunic/internal/recipe"
	"tunic/internal/sql"
	"tunic/internal/sql/ast"
)

// shortening are functions whose arguments behind the first say how many digits or
// characters the result has.
var shortening = map[string]bool{"round": true, "truncate": true, "left": true, "right": true, "format": true, "lpad": true, "rpad": true, "repeat": true, "sha2": true}

// timing are functions of dates and times, by the first of their arguments that is
// a format, or a time whose digits the result has.
var timing = map[string]int{
	"date_format": 1, "time_format": 1, "str_to_date": 1, "from_unixtime": 1,
	"addtime": 1, "subtime": 1, "timediff": 0, "time": 0, "timestamp": 0, "convert_tz": 0,
}

// FindDigits finds the literals and parameters that say so in the select list, and in the
// clauses that it is compared with, and the formats there.
func FindDigits(a *recipe.Answer, n *ast.Select, items []recipe.Item) {
	for _, of := range digitsOf(n, items) {
		if p, ok := sql.PlaceOf(of); ok {
			a.Digits = append(a.Digits, p)
		} else if p, ok := sql.ParamOf(of); ok {
			a.DigitParams = append(a.DigitParams, p)
		}
	}
	for _, of := range formatsOf(n, items) {
		if p, ok := sql.PlaceOf(of); ok {
			a.Formats = append(a.Formats, p)
		}
	}
}

// digitsOf are the bind variables that say how many digits or characters there are.
func digitsOf(n *ast.Select, items []recipe.Item) []*ast.Argument {
	return argumentsOf(n, items, func(n ast.Node) []ast.Expr {
		switch n := n.(type) {
		case *ast.FuncExpr:
			if shortening[n.Name.Lowered()] && len(n.Exprs) > 1 {
				return n.Exprs[1:]
			}
		case *ast.SubstrExpr:
			return []ast.Expr{n.From, n.To}
		}
		return nil
	})
}

// formatsOf are the formats and times there.
func formatsOf(n *ast.Select, items []recipe.Item) []*ast.Argument {
	return argumentsOf(n, items, func(n ast.Node) []ast.Expr {
		switch n := n.(type) {
		case *ast.FuncExpr:
			if first, ok := timing[n.Name.Lowered()]; ok && len(n.Exprs) > first {
				return n.Exprs[first:]
			}
		case *ast.IntervalDateExpr:
			return []ast.Expr{n.Date}
		}
		return nil
	})
}

// argumentsOf are the bind variables among the arguments that are asked for.
func argumentsOf(n *ast.Select, items []recipe.Item, of func(ast.Node) []ast.Expr) (all []*ast.Argument) {
	nodes := compared(n)
	for _, it := range items {
		nodes = append(nodes, it.Expr)
	}
	_ = ast.Walk(func(n ast.Node) (bool, error) {
		for _, e := range of(n) {
			if u, ok := e.(*ast.UnaryExpr); ok {
				e = u.Expr // a number with a sign
			}
			if a, ok := e.(*ast.Argument); ok {
				all = append(all, a)
			}
		}
		return true, nil
	}, nodes...)
	return all
}

// compared are the clauses that servers compare with the select list.
func compared(n *ast.Select) []ast.Node {
	nodes := []ast.Node{n.OrderBy}
	if n.GroupBy != nil {
		nodes = append(nodes, n.GroupBy)
	}
	return nodes
}

// KeysOf are the literals of GROUP BY and ORDER BY.
func KeysOf(n *ast.Select) (all []sql.Place) {
	_ = ast.Walk(func(n ast.Node) (bool, error) {
		if a, ok := n.(*ast.Argument); ok {
			if p, ok := sql.PlaceOf(a); ok && p.Group < 0 {
				all = append(all, p)
			}
		}
		return true, nil
	}, compared(n)...)
	return all
}
