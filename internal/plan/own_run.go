package plan

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

// ownRun is the Run of a query of no table. The server is asked for a row without any
// of it.
func ownRun(tree *sql.Tree, n *ast.Select, m sql.Modes) (*recipe.Run, error) {
	b := &builder{modes: m, tree: tree, run: &recipe.Run{Kind: tree.Kind(), Variables: tree.Variables()}}
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
	twin.Mute(described, b.modes)
	var err error
	if b.run.Describe, err = b.print(described); err != nil {
		return nil, err
	}
	twin.FindDigits(b.run, n, items)
	b.run.Local = []recipe.Step{&recipe.Project{Items: items}}
	b.run.Fetch = []recipe.Fetch{{Column: -1}}
	b.run.Derived = make([]bool, len(items))
	one := &ast.Literal{Type: ast.IntVal, Val: "1"}
	b.run.Remote, err = b.print(&ast.Select{
		SelectExprs: &ast.SelectExprs{Exprs: []ast.SelectExpr{&ast.AliasedExpr{Expr: one}}}, From: n.From,
	})
	return b.run, err
}

// finish makes the Run of a statement over plain tables.
func (b *builder) finish() error {
	root := b.tree.Root()
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
		b.run = b.fresh() // the server says what is wrong
		b.run.Describe, err = b.describedTree(root)
	}
	if err != nil {
		return err
	}
	if tables := b.tables(); b.run.Table == nil && len(tables) > 0 {
		b.run.Table = tables[0]
	}
	b.discreet()
	b.run.FindTables()
	return nil
}

// tables are those of the tree of a Run.
func (b *builder) tables() []*catalog.Table {
	if b.run.Tree == nil {
		return nil
	}
	return slices.Clone(b.run.Tree.Tables)
}
