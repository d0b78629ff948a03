package build

import (
	"errors"
	"slices"

	"tunic/internal/catalog"
	"tunic/internal/plan/shape"
	"tunic/internal/plan/twin"
	"tunic/internal/recipe"
	"tunic/internal/resolve"
	"tunic/internal/sql"
	"tunic/internal/sql/ast"
)

// OwnRun is the Run of a query of no table. The server is asked for a row without any
// of it.
func OwnRun(tree *sql.Tree, n *ast.Select, m sql.Modes) (*recipe.Run, error) {
	b := &Builder{Modes: m, Tree: tree, Run: &recipe.Run{Kind: tree.Kind(), Variables: tree.Variables()}}
	var items []recipe.Item
	for _, e := range n.SelectExprs.Exprs {
		one, ok := e.(*ast.AliasedExpr)
		if !ok || shape.HasAggregate(one.Expr) || shape.HasColumn(one.Expr) || shape.HasSubquery(one.Expr) || len(shape.Windows(one.Expr)) > 0 {
			return nil, &resolve.Beyond{What: "what is selected"}
		}
		items = append(items, recipe.Item{Expr: one.Expr, As: one.As, Column: -1})
	}
	described := ast.Clone(n)
	if err := twin.Silent(described); err != nil {
		return nil, err
	}
	twin.Mute(described, b.Modes)
	var err error
	if b.Run.Describe, err = b.print(described); err != nil {
		return nil, err
	}
	twin.FindDigits(b.Run, n, items)
	b.Run.Local = []recipe.Step{&recipe.Project{Items: items}}
	b.Run.Fetch = []recipe.Fetch{{Column: -1}}
	b.Run.Derived = make([]bool, len(items))
	one := &ast.Literal{Type: ast.IntVal, Val: "1"}
	b.Run.Remote, err = b.print(&ast.Select{
		SelectExprs: &ast.SelectExprs{Exprs: []ast.SelectExpr{&ast.AliasedExpr{Expr: one}}}, From: n.From,
	})
	return b.Run, err
}

// Finish makes the Run of a statement over plain tables.
func (b *Builder) Finish() error {
	root := b.Tree.Root()
	if shape.Hinted(root) {
		return &resolve.Beyond{What: "an optimizer hint"}
	}
	var err error
	if shape.InsertedQuery(root) != nil {
		err = b.build(root)
	} else {
		err = b.treeQuery(root)
	}
	if wrong := (*Wrong)(nil); errors.As(err, &wrong) && shape.InsertedQuery(root) == nil {
		b.Run = b.fresh() // the server says what is wrong
		b.Run.Describe, err = b.describedTree(root)
	}
	if err != nil {
		return err
	}
	if tables := b.tables(); b.Run.Table == nil && len(tables) > 0 {
		b.Run.Table = tables[0]
	}
	b.withoutVariables()
	b.Run.FindTables()
	return nil
}

// tables are those of the tree of a Run.
func (b *Builder) tables() []*catalog.Table {
	if b.Run.Tree == nil {
		return nil
	}
	return slices.Clone(b.Run.Tree.Tables)
}
