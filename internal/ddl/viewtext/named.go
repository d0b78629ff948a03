package viewtext

import (
	tsql "tunic/internal/sql"
	"tunic/internal/sql/ast"
)

// Renamed is the query as it is described, with the names that its columns have in the
// client's query as aliases; ok is false where it is not certain which is whose.
func (v *View) Renamed() (_ string, ok bool) {
	all, err := tsql.Parse([]byte(v.Described), 0)
	if err != nil || len(all) != 1 {
		return "", false
	}
	tree, err := all[0].Tree()
	if err != nil {
		return "", false
	}
	q := tsql.FirstSelect(tree.Root())
	if q == nil || !v.name(q) {
		return "", false
	}
	printed, err := tree.Print(0)
	if err != nil {
		return "", false
	}
	return printed.String(), true
}

// NamesStrings reports whether a column would be named by the text of an expression with a string
// in it: of the query itself, or of one in its FROM. A list of columns does not help: servers keep
// both names, or show both.
func (v *View) NamesStrings() (found bool) {
	all, err := tsql.Parse([]byte(v.Text), 0)
	if err != nil || len(all) != 1 {
		return true
	}
	tree, err := all[0].Tree()
	if err != nil {
		return true
	}
	_ = ast.Walk(func(n ast.Node) (bool, error) {
		item, ok := n.(*ast.AliasedExpr)
		if ok && item.As.IsEmpty() {
			found = found || hasString(item.Expr)
		}
		_, inner := n.(*ast.Subquery) // what its columns are called is nobody's business
		return !found && !inner && !ok, nil
	}, tree.Root())
	return found
}

// hasString reports whether an expression has a literal that is no number.
func hasString(e ast.Expr) (found bool) {
	_ = ast.Walk(func(n ast.Node) (bool, error) {
		if l, ok := n.(*ast.Literal); ok {
			found = found || l.Type != ast.IntVal && l.Type != ast.DecimalVal && l.Type != ast.FloatVal
		}
		return !found, nil
	}, e)
	return found
}

// OwnNames are the names of the query's own.
func (v *View) OwnNames() []string {
	if v.Own == nil {
		return v.Names
	}
	return v.Own
}

// name gives expressions their names. What a * stands for has names.
func (v *View) name(q *ast.Select) bool {
	stars := 0
	for _, e := range q.SelectExprs.Exprs {
		if _, star := e.(*ast.StarExpr); star {
			stars++
		}
	}
	if stars > 1 || stars == 0 && len(v.OwnNames()) != len(q.SelectExprs.Exprs) {
		return stars > 1 && allNamed(q)
	}
	at := 0
	for _, e := range q.SelectExprs.Exprs {
		item, ok := e.(*ast.AliasedExpr)
		if !ok {
			at += len(v.OwnNames()) - len(q.SelectExprs.Exprs) + 1
			continue
		}
		if _, column := item.Expr.(*ast.ColName); !column && item.As.IsEmpty() {
			item.As = ast.Identifier(v.OwnNames()[at])
		}
		at++
	}
	return at == len(v.OwnNames())
}

// allNamed reports whether no column would be named by the text of an expression.
func allNamed(q *ast.Select) bool {
	for _, e := range q.SelectExprs.Exprs {
		if item, ok := e.(*ast.AliasedExpr); ok && item.As.IsEmpty() {
			if _, column := item.Expr.(*ast.ColName); !column {
				return false
			}
		}
	}
	return true
}
