package build

import (
	"slices"

	"tunic/internal/catalog"
	"tunic/internal/plan/shape"
	"tunic/internal/plan/twin"
	"tunic/internal/recipe"
	"tunic/internal/sql"
	"tunic/internal/sql/ast"
)

// OwnRun is the Run of a query of no table. The server is asked for a row without any
// of it.
func OwnRun(tree *sql.Tree, n *ast.Select, m sql.Modes) (*recipe.Run, error) {
	b := &Builder{Modes: m, Tree: tree, Run: &recipe.Run{Kind: tree.Kind(), Variables: tree.Variables()}}
	end := b.ownRun(n)
	return b.Run, end.told()
}

func (b *Builder) ownRun(n *ast.Select) (end *ending) {
	var items []recipe.Item
	for _, e := range n.SelectExprs.Exprs {
		one, ok := e.(*ast.AliasedExpr)
		if !ok || shape.HasAggregate(one.Expr) || shape.HasColumn(one.Expr) || shape.HasSubquery(one.Expr) || len(shape.Windows(one.Expr)) > 0 {
			return beyond("what is selected")
		}
		items = append(items, recipe.Item{Expr: one.Expr, As: one.As, Column: -1})
	}
	described := ast.Clone(n)
	if end := refused(twin.Silent(described)); end != nil {
		return end
	}
	twin.Mute(described, b.Modes)
	if b.Run.Answer.Describe, end = b.print(described); end != nil {
		return end
	}
	twin.FindDigits(&b.Run.Answer, n, items)
	b.Run.Local = []recipe.Step{&recipe.Project{Items: items}}
	b.Run.AddFetch(recipe.Cell{Column: -1}, recipe.Fetch{Column: -1})
	b.asQuery().Derived = make([]bool, len(items))
	one := &ast.Literal{Type: ast.IntVal, Val: "1"}
	b.Run.Remote, end = b.print(&ast.Select{
		SelectExprs: &ast.SelectExprs{Exprs: []ast.SelectExpr{&ast.AliasedExpr{Expr: one}}}, From: n.From,
	})
	return end
}

// Finish makes the Run of a statement over plain tables.
func (b *Builder) Finish() error { return b.finish().told() }

func (b *Builder) finish() *ending {
	root := b.Tree.Root()
	if shape.Hinted(root) {
		return beyond("an optimizer hint")
	}
	var end *ending
	if shape.InsertedQuery(root) != nil {
		end = b.build(root)
	} else {
		end = b.treeQuery(root)
	}
	if end.isWrong() && shape.InsertedQuery(root) == nil {
		b.Run = b.fresh() // the server says what is wrong
		b.Run.Answer.Describe, end = b.describedTree(root)
	}
	if end != nil {
		return end
	}
	if tables := b.tables(); b.Run.Table == nil && len(tables) > 0 {
		b.Run.Table = tables[0]
	}
	b.withoutVariables()
	b.nameOnce()
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
