package build

import (
	"bytes"
	"slices"

	"tunic/internal/catalog"
	"tunic/internal/plan/shape"
	"tunic/internal/plan/views"
	"tunic/internal/recipe"
	"tunic/internal/resolve"
	"tunic/internal/sql/ast"
)

// mayRead is a condition that is true, and that the server only computes for who may read
// the views that a statement names: they have no rows. Of their columns it reads those
// that the statement may read.
func (b *Builder) mayRead() ast.Expr {
	var all ast.Expr
	for _, v := range b.views {
		all = shape.And(all, &ast.NotExpr{Expr: &ast.ExistsExpr{Subquery: &ast.Subquery{Select: views.Guard(v, b.written)}}})
	}
	return all
}

// guarded adds the guard to a stored query.
func (b *Builder) guarded(root ast.Statement) ast.Statement {
	n, ok := root.(*ast.Select)
	if !ok || len(b.views) == 0 || len(b.asks) > 0 {
		return root
	}
	out := *n
	condition := b.mayRead()
	if n.Where != nil {
		condition = shape.And(n.Where.Expr, condition)
	}
	out.Where = shape.Where(condition)
	return &out
}

// overViews has the statement's views stand among the tables that it is about.
func (b *Builder) overViews(run *recipe.Run) {
	if len(b.found) == 0 {
		return
	}
	all := slices.Concat(run.Tables, b.found)
	slices.SortFunc(all, func(a, b *catalog.Table) int { return bytes.Compare(a.ID[:], b.ID[:]) })
	run.Tables = slices.Compact(all)
	for _, other := range run.Others() {
		b.overViews(other)
	}
}

// firstOf is the first protected table that a tree names.
func (b *Builder) firstOf(root ast.Node) *catalog.Table {
	for _, n := range resolve.Tables(root) {
		schema := n.Qualifier.String()
		if schema == "" {
			schema = b.Schema
		}
		if t := b.Catalog.Table(schema, n.Name.String()); t != nil {
			return t
		}
	}
	return nil
}

// writesTo notes that the statement writes through the view that it names, if it does.
// Of an INSERT of the rows of a query over views, what the query names is read of them.
func (b *Builder) writesTo(x *views.Expander) *ending {
	root := b.Asked.Root()
	if x.Written == nil {
		if q, ok := shape.InsertedQuery(root).(ast.Statement); ok && len(x.Named) > 0 {
			b.written = q
		}
		return nil
	}
	if b.Tree.Returning() != nil {
		return beyond("RETURNING of a view")
	}
	v := x.Written
	b.written = views.ReadsOf(root)
	if shape.HasColumn(b.written) {
		read, end := b.print(views.Guard(v, b.written))
		if end != nil {
			return end
		}
		b.asks = append(b.asks, read.String())
	}
	b.asks = append(b.asks, views.WritesNone(v, root))
	return nil
}
