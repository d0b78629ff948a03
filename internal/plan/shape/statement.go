package shape

import (
	"strings"

	"tunic/internal/sql/ast"
)

// Bare reports whether a query has a list, and nothing else: what SET assigns has.
func Bare(n *ast.Select) bool {
	if len(n.From) != 1 || Hinted(n) || !onlyItems(n) {
		return false
	}
	t, ok := n.From[0].(*ast.AliasedTableExpr)
	return ok && t.As.IsEmpty()
}

// LimitsByVariable reports whether a LIMIT has a user variable, which servers do not
// read.
func LimitsByVariable(root ast.Node) (found bool) {
	_ = ast.Walk(func(n ast.Node) (bool, error) {
		if l, ok := n.(*ast.Limit); ok {
			found = found || l.Offset != nil && ReadsVariable(l.Offset) || l.Rowcount != nil && ReadsVariable(l.Rowcount)
		}
		return !found, nil
	}, root)
	return found
}

// onlyItems reports whether a query has nothing but its list.
func onlyItems(q *ast.Select) bool {
	from, ok := q.From[0].(*ast.AliasedTableExpr)
	if !ok {
		return false
	}
	name, ok := from.Expr.(ast.TableName)
	bare := &ast.Select{SelectExprs: q.SelectExprs, From: q.From, Comments: q.Comments}
	return ok && IsDual(name) && ast.Equal(q, bare)
}

// Comments are where a statement has its comments: behind its first word.
func Comments(root ast.Statement) **ast.ParsedComments {
	switch n := root.(type) {
	case *ast.Select:
		return &n.Comments
	case *ast.Insert:
		return &n.Comments
	case *ast.Update:
		return &n.Comments
	case *ast.Delete:
		return &n.Comments
	}
	return new(*ast.ParsedComments)
}

// Hinted reports whether comments have something in them for the server.
func Hinted(root ast.Statement) bool {
	for _, text := range (*Comments(root)).GetComments() {
		if strings.HasPrefix(text, "/*+") || strings.HasPrefix(text, "/*!") || strings.HasPrefix(text, "/*M!") {
			return true
		}
	}
	return false
}

// InsertedQuery is the query whose rows a statement inserts, nil if it inserts none.
func InsertedQuery(root ast.Statement) ast.TableStatement {
	n, ok := root.(*ast.Insert)
	if !ok {
		return nil
	}
	if _, rows := n.Rows.(ast.Values); rows {
		return nil
	}
	q, _ := n.Rows.(ast.TableStatement)
	return q
}

// CommonNames are the names of common table expressions, in lower case.
func CommonNames(root ast.Node) map[string]bool {
	found := map[string]bool{}
	_ = ast.Walk(func(n ast.Node) (bool, error) {
		if c, ok := n.(*ast.CommonTableExpr); ok {
			found[strings.ToLower(c.ID.String())] = true
		}
		return true, nil
	}, root)
	return found
}

// IsDual reports whether a table is what the parser makes of a query without FROM.
func IsDual(n ast.TableName) bool { return n.Name.String() == "dual" && n.Qualifier.IsEmpty() }

// WritesByQuery reports whether a statement changes rows of one table that a condition
// with queries in it chooses.
func WritesByQuery(root ast.Statement) bool {
	switch n := root.(type) {
	case *ast.Update:
		return n.Where != nil && ast.HasQuery(n.Where) && len(n.TableExprs) == 1
	case *ast.Delete:
		return n.Where != nil && ast.HasQuery(n.Where) && len(n.TableExprs) == 1
	}
	return false
}
