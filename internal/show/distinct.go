package show

import (
	"strings"

	"tunic/internal/sql/ast"
)

// keyed reports whether no two rows of a query can be equal, so that DISTINCT changes
// nothing: it reads one table of information_schema, of one schema, and selects what
// names its rows there.
func (s *secrets) keyed(q *ast.Select) bool {
	if len(q.From) != 1 {
		return false
	}
	from, ok := q.From[0].(*ast.AliasedTableExpr)
	if !ok {
		return false
	}
	table, ok := from.Expr.(ast.TableName)
	if !ok {
		return false
	}
	needed := map[string]bool{"table_name": true}
	switch strings.ToLower(table.Name.String()) {
	case "tables":
	case "columns":
		needed["column_name"] = true
	default:
		return false
	}
	for _, item := range q.SelectExprs.Exprs {
		if e, ok := item.(*ast.AliasedExpr); ok {
			delete(needed, named(e.Expr))
		}
	}
	needed["table_schema"] = true
	if q.Where != nil {
		fixed(q.Where.Expr, needed)
	}
	return len(needed) == 0
}

// named is the column that an expression is, or has the bytes of.
func named(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.ColName:
		return e.Name.Lowered()
	case *ast.ConvertExpr:
		if c, ok := e.Expr.(*ast.ColName); ok && strings.EqualFold(e.Type.Type, "binary") && e.Type.Length == nil {
			return c.Name.Lowered()
		}
	}
	return ""
}

// fixed takes away the columns that a condition gives one value.
func fixed(e ast.Expr, needed map[string]bool) {
	switch e := e.(type) {
	case *ast.AndExpr:
		fixed(e.Left, needed)
		fixed(e.Right, needed)
	case *ast.ComparisonExpr:
		if e.Operator != ast.EqualOp || !constant(e.Right) {
			return
		}
		delete(needed, named(e.Left))
	}
}

// constant reports whether an expression is the same for all rows.
func constant(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.Literal, *ast.Argument:
		return true
	case *ast.FuncExpr:
		return len(e.Exprs) == 0 && (e.Name.EqualString("database") || e.Name.EqualString("schema"))
	}
	return false
}
