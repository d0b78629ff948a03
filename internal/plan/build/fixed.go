package build

import (
	"slices"

	"tunic/internal/catalog"
	"tunic/internal/plan/columns"
	"tunic/internal/sql/ast"
)

// fixesKey reports whether a WHERE lets one row pass at most, by its key.
func fixesKey(scope *columns.Of, key *catalog.Key, where *ast.Where) bool {
	if where == nil {
		return false
	}
	all := fixed(scope, where.Expr)
	for _, p := range key.Parts {
		if !all[scope.Table.Column(p.Column)] {
			return false
		}
	}
	return true
}

// fixed are the columns that a condition lets have one value only.
func fixed(scope *columns.Of, e ast.Expr) map[int]bool {
	switch n := e.(type) {
	case *ast.AndExpr:
		all := fixed(scope, n.Left)
		for i := range fixed(scope, n.Right) {
			all[i] = true
		}
		return all
	case *ast.ComparisonExpr:
		name, ok := n.Left.(*ast.ColName)
		_, _, value := operand(n.Right)
		if !ok || !value || n.Operator != ast.EqualOp {
			break
		}
		if i, known := scope.Column(name); known {
			return map[int]bool{i: true}
		}
	}
	return map[int]bool{}
}

// inKey reports whether a column is one of a key.
func inKey(t *catalog.Table, key *catalog.Key, column int) bool {
	return slices.ContainsFunc(key.Parts, func(p catalog.Part) bool { return t.Column(p.Column) == column })
}
