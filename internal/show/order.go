package show

import (
	"slices"
	"strings"

	"tunic/internal/sql/ast"
	"tunic/internal/value"
)

// MariaDB tells of the columns of a table in their order, where a query does not put them in
// one. The stored columns may stand in another: then the query that stands for
// information_schema.COLUMNS puts them in order. That is for statements that read it alone and
// see its order. A plain MySQL goes by the places of columns or by their names, as the statistics of its
// dictionary have it, so that nobody can count on either.

// ordersColumns reports whether it is to.
func (a *Answer) ordersColumns(root ast.Node) bool {
	q, ok := root.(*ast.Select)
	if !ok || a.session.Env.Flavor != value.MariaDB || len(q.From) != 1 || len(q.OrderBy) > 0 || counts(q) || !a.tellsColumns() {
		return false
	}
	from, ok := q.From[0].(*ast.AliasedTableExpr)
	if !ok {
		return false
	}
	table, ok := from.Expr.(ast.TableName)
	return ok && strings.EqualFold(table.Name.String(), "columns")
}

// tellsColumns reports whether columns of a protected table may be asked for.
func (a *Answer) tellsColumns() bool {
	return slices.ContainsFunc(a.tables, func(t *table) bool { return a.only.has("columns", t.Name) })
}

// counts reports whether all that a query has of its rows is their number, or a constant.
func counts(q *ast.Select) bool {
	for _, item := range q.SelectExprs.Exprs {
		e, ok := item.(*ast.AliasedExpr)
		if !ok {
			return false
		}
		switch e.Expr.(type) {
		case *ast.CountStar, *ast.Count, *ast.Literal:
		default:
			return false
		}
	}
	return true
}

// ordering puts the rows of information_schema.COLUMNS in order, behind the conditions of its
// query; ordinal is the place that is told. An order without a LIMIT is dropped. With one the
// server has all rows before it looks at the conditions of the statement: the names of tables
// that these hold all rows to are repeated, without which it opens all tables that it has.
func (a *Answer) ordering(ordinal string) string {
	order := " ORDER BY r.TABLE_SCHEMA, r.TABLE_NAME, " + ordinal + " LIMIT 18446744073709551615"
	names := a.only["columns"]
	if len(names) == 0 || slices.ContainsFunc(names, func(n string) bool { return !ascii(n) }) {
		return order
	}
	texts := make([]string, len(names))
	for i, name := range names {
		texts[i] = literal(name)
	}
	return " AND r.TABLE_NAME IN (" + strings.Join(texts, ", ") + ")" + order
}
