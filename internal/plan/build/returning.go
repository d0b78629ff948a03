package build

import (
	"slices"
	"strings"

	"tunic/internal/catalog"
	"tunic/internal/plan/check"
	"tunic/internal/plan/shape"
	"tunic/internal/plan/twin"
	"tunic/internal/recipe"
	"tunic/internal/sql"
	"tunic/internal/sql/ast"
)

// returning plans the list after the RETURNING of a statement that is stored as one
// (MariaDB manual, "INSERT...RETURNING"): the rows are those that the server has
// written or deleted, and are opened as those of a query.
func (b *Builder) returning(stored ast.Statement) *ending {
	list := b.Tree.Returning()
	if list == nil {
		return nil
	}
	items, end := b.items(b.scope.Unqualified(list).Exprs)
	if end != nil {
		return end
	}
	selected := &ast.SelectExprs{}
	for _, it := range items {
		e, opened, ok, end := b.remoteItem(it, &groups{})
		switch {
		case end != nil:
			return end
		case !ok || shape.HasAggregate(it.Expr) || it.Column < 0 && it.As.IsEmpty(): // whose name is its text
			return beyond("RETURNING of what tunic has to compute")
		}
		if of, f := itemCell(b.scope.Table, it, opened), (recipe.Fetch{Column: it.Column}); !b.Run.ShareCell(of, f) {
			selected.Exprs = append(selected.Exprs, e)
			b.Run.AddFetch(of, f)
		}
	}
	b.fetchRowTokens(selected)
	if end := refused(check.Statement(&ast.Select{SelectExprs: selected}, b.scope.Table)); end != nil {
		return end
	}
	if b.Run.Remote, end = refusing(sql.NewTree(b.asWritten(b.fenced(stored)), selected).Print(b.Modes)); end != nil {
		return end
	}
	b.Run.Answer.Describe, end = b.describedReturning(list)
	return end
}

// describedReturning is the query of what a statement returns, over the twin: servers do
// not say which columns such a statement has before it runs.
func (b *Builder) describedReturning(list *ast.SelectExprs) (*sql.Printed, *ending) {
	n := &ast.Select{SelectExprs: b.scope.Unqualified(list), From: ast.TableExprs{b.twin()}}
	if end := refused(twin.Silent(n)); end != nil {
		return nil, end
	}
	return b.print(n)
}

// readToDelete plans a DELETE that reads its rows first. What it returns of them is what
// was read.
func (b *Builder) readToDelete(n *ast.Delete) *ending {
	if b.Tree.Returning() != nil && (len(n.OrderBy) > 0 || n.Limit != nil) {
		return beyond("RETURNING of rows that are deleted in an order")
	}
	return b.readToWrite(nil, n.Where, n.OrderBy, n.Limit)
}

// returned are the columns that a statement returns of rows that it reads first; nil if
// it returns nothing.
func (b *Builder) returned() ([]recipe.Item, *ending) {
	list := b.Tree.Returning()
	if list == nil {
		return nil, nil
	}
	items, end := b.items(b.scope.Unqualified(list).Exprs)
	if end != nil {
		return nil, end
	}
	for _, it := range items {
		if _, name := it.Expr.(*ast.ColName); name && it.Column < 0 {
			return nil, unknown()
		}
		if it.Column < 0 {
			return nil, beyond("RETURNING of what tunic has to compute")
		}
	}
	return items, nil
}

// returns plans what is returned of the rows that were read; nil for nothing.
func (b *Builder) returns(items []recipe.Item) (made *recipe.Run, end *ending) {
	if items == nil {
		return nil, nil //nolint:nilnil // it is asked for whether there is one
	}
	if b.Run.Answer.Describe, end = b.describedReturning(b.Tree.Returning()); end != nil {
		return nil, end
	}
	return &recipe.Run{Kind: sql.Select, Does: &recipe.Query{}, Table: b.Run.Table, Tables: b.Run.Tables, Cells: b.Run.Cells, Fetch: b.Run.Fetch, Local: []recipe.Step{&recipe.Project{Items: items}}}, nil
}

// returnsUpserted plans what an upsert returns: each row is read again, by a key that it
// is found by for certain, and that the statement does not set.
func (b *Builder) returnsUpserted(u *recipe.Upsert, set []recipe.Assignment, items []recipe.Item) (end *ending) {
	if items == nil {
		return nil
	}
	for _, a := range set {
		for i := range b.scope.Table.Keys {
			k := &b.scope.Table.Keys[i]
			if k.Distinct() && slices.ContainsFunc(k.Parts, func(p catalog.Part) bool { return b.scope.Table.Column(p.Column) == a.Column }) {
				return beyond("RETURNING with ON DUPLICATE KEY UPDATE of a key")
			}
		}
	}
	for r := range u.Rows {
		row := &u.Rows[r]
		if row.Sure = slices.IndexFunc(row.Finds, b.isSure); row.Sure < 0 {
			return beyond("RETURNING with ON DUPLICATE KEY UPDATE of rows whose keys are not told")
		}
	}
	u.Returns, end = b.returns(items)
	return end
}

// isSure reports whether a row is found by a key: one whose columns are never NULL.
func (b *Builder) isSure(f recipe.Find) bool {
	for i := range b.scope.Table.Keys {
		k := &b.scope.Table.Keys[i]
		if !strings.EqualFold(k.Name, f.Key) {
			continue
		}
		return !slices.ContainsFunc(k.Parts, func(p catalog.Part) bool { return !b.scope.At(b.scope.Table.Column(p.Column)).Type.NotNull })
	}
	return false
}
