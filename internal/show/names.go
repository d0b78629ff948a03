package show

import (
	"tunic/internal/sql/ast"
	"tunic/internal/value"
)

// Names are the names of the answer's columns where the server does not give the
// right ones: MariaDB calls a column as the statement does, but one that an
// expression stands for by the name that it has in information_schema.
func (a *Answer) Names(columns int) []string {
	if a.inquiry.Tree == nil || a.session.Env.Flavor != value.MariaDB {
		return nil
	}
	var q ast.TableStatement
	q, _ = a.inquiry.Tree.Root().(ast.TableStatement)
	for {
		u, ok := q.(*ast.Union)
		if !ok {
			break
		}
		q = u.Left
	}
	s, ok := q.(*ast.Select)
	if !ok {
		return nil
	}
	names := make([]string, columns)
	items := s.SelectExprs.Exprs
	for i, item := range items {
		if _, all := item.(*ast.StarExpr); all {
			break
		}
		nameItem(names, i, item)
	}
	for i := len(items) - 1; i >= 0; i-- {
		if _, all := items[i].(*ast.StarExpr); all {
			break
		}
		nameItem(names, columns-len(items)+i, items[i])
	}
	return names
}

// nameItem names the column of an item that is a column without an alias.
func nameItem(names []string, at int, item ast.SelectExpr) {
	e, ok := item.(*ast.AliasedExpr)
	if !ok || !e.As.IsEmpty() || at < 0 || at >= len(names) {
		return
	}
	if c, ok := e.Expr.(*ast.ColName); ok {
		names[at] = c.Name.String()
	}
}
