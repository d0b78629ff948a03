package plan

import (
	"tunic/internal/sql"
	"tunic/internal/sql/ast"
)

// CountsAsked are the functions, row_count and found_rows, that a text is a SELECT of and
// of nothing else; none if it is anything else.
func CountsAsked(text []byte, m sql.Modes) (asked []string) {
	all, err := sql.Parse(text, m)
	if err != nil || len(all) != 1 || all[0].Kind != sql.Select {
		return nil
	}
	tree, err := all[0].Tree()
	if err != nil {
		return nil
	}
	q, ok := tree.Root().(*ast.Select)
	if !ok || len(q.From) != 1 || !onlyItems(q) {
		return nil
	}
	for _, e := range q.SelectExprs.Exprs {
		item, ok := e.(*ast.AliasedExpr)
		if !ok {
			return nil
		}
		f, ok := item.Expr.(*ast.FuncExpr)
		if !ok || len(f.Exprs) > 0 || !f.Qualifier.IsEmpty() {
			return nil
		}
		name := f.Name.Lowered()
		if name != "row_count" && name != "found_rows" {
			return nil
		}
		asked = append(asked, name)
	}
	return asked
}

// onlyItems reports whether a query has nothing but its list.
func onlyItems(q *ast.Select) bool {
	from, ok := q.From[0].(*ast.AliasedTableExpr)
	if !ok {
		return false
	}
	name, ok := from.Expr.(ast.TableName)
	bare := &ast.Select{SelectExprs: q.SelectExprs, From: q.From, Comments: q.Comments}
	return ok && isDual(name) && ast.Equal(q, bare)
}
