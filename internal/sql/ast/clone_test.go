package ast_test

import (
	"testing"

	"tunic/internal/sql"
	"tunic/internal/sql/ast"
)

// TestClone: who changes the names of columns in a copy leaves the tree as it is.
func TestClone(t *testing.T) {
	read, err := sql.Parse([]byte("SELECT s.t.a, b + 1 FROM s.t WHERE EXISTS (SELECT 1 FROM u WHERE s.t.c = d) ORDER BY e"), 0)
	if err != nil {
		t.Fatal(err)
	}
	tree, err := read[0].Tree()
	if err != nil {
		t.Fatal(err)
	}
	names := func(root ast.Node) (all []*ast.ColName) {
		_ = ast.Walk(func(n ast.Node) (bool, error) {
			if c, ok := n.(*ast.ColName); ok {
				all = append(all, c)
			}
			return true, nil
		}, root)
		return all
	}
	own := names(tree.Root())
	for i, c := range names(ast.Clone(tree.Root())) {
		if c == own[i] {
			t.Errorf("%s is the same name in both", c.Name.String())
		}
	}
	for i, c := range names(ast.CloneButNames(tree.Root())) {
		if c != own[i] {
			t.Errorf("%s is another name in the copy", c.Name.String())
		}
	}
	if c := own[0]; ast.Clone(c) == c {
		t.Error("a name is its own copy")
	}
}
