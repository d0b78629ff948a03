package show

import (
	"strings"

	"tunic/internal/sql/ast"
)

// hold notes which columns hold words. The queries of a union have to agree on them,
// up to what cannot be a word anyway: what is computed could be one, of the text of
// the statement, which the server shows to its client.
func (s *secrets) hold(q *ast.Select, holds []bool) error {
	if s.queries++; s.queries == 1 {
		s.columns, s.first = holds, q
		return nil
	}
	if s.columns == nil || holds == nil || len(holds) != len(s.columns) {
		if len(s.selected) > 0 {
			return errSecret()
		}
		return nil
	}
	for i := range holds {
		if holds[i] == s.columns[i] {
			continue
		}
		other := q
		if holds[i] {
			other = s.first
		}
		if e, ok := other.SelectExprs.Exprs[i].(*ast.AliasedExpr); s.queries > 2 || !ok || !s.settled(e.Expr) {
			return errSecret()
		}
		s.columns[i] = true
	}
	return nil
}

// settled reports whether an expression is a literal, or a column of
// information_schema: its value was there before the statement, and is no word of it.
func (s *secrets) settled(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.Literal, *ast.NullVal, ast.BoolVal:
		return true
	case *ast.ColName:
		if !e.Qualifier.IsEmpty() {
			return s.relations[strings.ToLower(e.Qualifier.Name.String())] != ""
		}
		for _, relation := range s.relations {
			if relation == "" {
				return false
			}
		}
		return true
	}
	return false
}

// settledAll reports the same of what a * stands for.
func (s *secrets) settledAll(star *ast.StarExpr, q *ast.Select) (ok bool) {
	if !star.TableName.IsEmpty() {
		return s.relations[strings.ToLower(star.TableName.Name.String())] != ""
	}
	ok = true
	for _, from := range q.From {
		_ = ast.Walk(func(n ast.Node) (bool, error) {
			if t, isTable := n.(ast.TableExpr); isTable {
				switch t := t.(type) {
				case *ast.AliasedTableExpr:
					ok = ok && s.relationOf(t) != ""
					return false, nil
				case *ast.JoinTableExpr, *ast.ParenTableExpr:
				default:
					ok = false
				}
			}
			return true, nil
		}, from)
	}
	return ok
}
