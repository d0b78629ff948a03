package build

import (
	"slices"

	"tunic/internal/catalog"
	"tunic/internal/recipe"
	"tunic/internal/sql"
	"tunic/internal/sql/ast"
)

// readTreeForUpdate is readForUpdate where the condition has queries in it. The rows of
// their tables are locked against changes, as servers lock what a statement reads to
// write (MySQL manual, "Locks Set by Different SQL Statements in InnoDB"), so that both
// are read as they are now.
func (b *Builder) readTreeForUpdate(key *catalog.Key, w *recipe.Write, where *ast.Where, by ast.OrderBy, limit *ast.Limit) *ending {
	if end := b.nameable(b.Tree.Root()); end != nil {
		return end
	}
	if end := b.knowsPlain(b.Tree.Root()); end != nil {
		return end
	}
	chosen := &ast.Select{
		SelectExprs: &ast.SelectExprs{Exprs: []ast.SelectExpr{&ast.StarExpr{}}}, From: ast.TableExprs{b.table},
		Where: where, OrderBy: by, Limit: limit,
	}
	var end *ending
	if b.Run.Answer.Describe, end = b.describedTree(chosen); end != nil { // what is wrong with the queries the server says
		return end
	}
	b.Run.Slots, b.Run.Local = nil, nil
	b.Run.ResetFetch()
	t := &treeBuilder{Builder: b, numbers: map[string]int{}}
	s := &scope{tree: t}
	var all *joined
	all, end = s.list([]ast.TableExpr{b.table})
	if end != nil {
		return end
	}
	from, steps, end := s.where(where, all)
	if end != nil {
		return end
	}
	if t.readsTwice() {
		if end := b.readsAgain(where, by, steps, t.fetched[0].leaves[0].alias); end != nil {
			return end
		}
	}
	inside := *b
	inside.block = s
	clauses, behind, end := s.clauses(&ast.Select{OrderBy: by, Limit: limit}, nil)
	if end != nil {
		return end
	}
	if len(behind) > 0 {
		return beyond("a subquery in the ORDER BY of a statement that writes")
	}
	rest, end := inside.blockSteps(clauses, nil, nil)
	if end != nil {
		return end
	}
	b.Run.Tree = &recipe.Tree{Root: &recipe.Block{From: from, Steps: append(steps, withoutProjection(rest)...)}}
	target := t.fetched[0].leaves[0]
	for _, it := range b.writtenItems(key, w) {
		b.uses(it.Expr, target)
	}
	t.writes = map[*leaf]bool{target: true}
	return t.remote()
}

// readsTwice reports whether the first table is read again.
func (t *treeBuilder) readsTwice() bool { return slices.Contains(t.tables[1:], t.tables[0]) }

// uses marks the columns of the table that an expression reads.
func (b *Builder) uses(e ast.Expr, l *leaf) {
	_ = ast.Walk(func(n ast.Node) (bool, error) {
		if name, ok := n.(*ast.ColName); ok {
			if i, ok := b.scope.Column(name); ok {
				l.used[i] = true
			}
		}
		return true, nil
	}, e)
}

// lockOf is the lock of a leaf: the one that its query asks for; where rows are read to
// write them, that of their table, or of those that are only read.
func (t *treeBuilder) lockOf(n int) ast.Lock {
	f := t.fetched[n]
	switch {
	case t.writes == nil && !t.inserted, t.inserted && f.lock != ast.NoLock:
		return f.lock
	case slices.ContainsFunc(f.leaves, func(l *leaf) bool { return t.writes[l] }):
		return ast.ForUpdateLock
	case t.Modes&sql.MariaDB != 0:
		return ast.ShareModeLock
	}
	return ast.ForShareLock
}
