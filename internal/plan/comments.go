package plan

import (
	"strings"

	"tunic/internal/sql/ast"
)

// comments are where a statement has its comments: behind its first word.
func comments(root ast.Statement) **ast.ParsedComments {
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

// hinted reports whether comments have something in them for the server.
func hinted(root ast.Statement) bool {
	for _, text := range (*comments(root)).GetComments() {
		if strings.HasPrefix(text, "/*+") || strings.HasPrefix(text, "/*!") || strings.HasPrefix(text, "/*M!") {
			return true
		}
	}
	return false
}
