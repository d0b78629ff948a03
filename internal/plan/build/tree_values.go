package build

import (
	"strconv"

	"tunic/internal/sql/ast"
)

// rowsAsUnion is VALUES ROW(…), ROW(…) as a UNION ALL of queries without FROM: its columns
// are named column_0 and so on, and have the types that those of a UNION have (MySQL
// manual, "VALUES Statement").
func rowsAsUnion(n *ast.ValuesStatement) (ast.TableStatement, *ending) {
	if n.With != nil || n.ListArg != "" || n.Order != nil || n.Limit != nil || len(n.Rows) == 0 || len(n.Rows) > operandsMax {
		return nil, beyond("VALUES of this form")
	}
	var all ast.TableStatement
	for _, row := range n.Rows {
		if len(row) != len(n.Rows[0]) || len(row) == 0 {
			return nil, &ending{wrong: "VALUES of rows of different lengths"}
		}
		one := &ast.Select{SelectExprs: &ast.SelectExprs{}}
		one.From = ast.TableExprs{&ast.AliasedTableExpr{Expr: ast.TableName{Name: ast.Name("dual")}}}
		for i, e := range row {
			as := ast.Identifier("column_" + strconv.Itoa(i))
			one.SelectExprs.Exprs = append(one.SelectExprs.Exprs, &ast.AliasedExpr{Expr: ast.Clone(e), As: as})
		}
		if all == nil {
			all = one
		} else {
			all = &ast.Union{Left: all, Right: one}
		}
	}
	return all, nil
}
