package build

import (
	"slices"

	"tunic/internal/catalog"
	"tunic/internal/plan/functions"
	"tunic/internal/plan/shape"
	"tunic/internal/recipe"
	"tunic/internal/sql"
	"tunic/internal/sql/ast"
)

// A row that was read needs no lock until it is written, if it is written only as it was read:
//
//	UPDATE … WHERE key AND `row$form` <=> …
//
// Sealed forms of two writes are never the same. So those that were read tell of what they are of, and of nothing else:
// whatever the statement goes by has to be in them, what its WHERE goes by as well.

// guards reports whether a row can be told to be as it was read: one row at most, of
// which nothing was read but its key and sealed forms.
func (b *Builder) guards(key *catalog.Key, w *recipe.Write, where *ast.Where) bool {
	if b.Run.Kind == sql.Delete || b.Run.Ignore || w.Plain != nil || namesMembers(b.scope.Table) || b.Run.Tree != nil || !b.findsOne(key, where) {
		return false
	}
	for _, f := range b.Run.Fetch {
		if !f.Opened && !inKey(b.scope.Table, key, f.Column) {
			return false
		}
	}
	return !slices.ContainsFunc(ast.Conjuncts(where.Expr, nil), func(e ast.Expr) bool { return !b.stays(key, e) })
}

// findsOne reports whether the server returns one row at most, and nothing is done with that here but to look at the rest of its
// WHERE.
func (b *Builder) findsOne(key *catalog.Key, where *ast.Where) bool {
	for _, s := range b.Run.Local {
		rest, ok := s.(*recipe.Filter)
		if !ok {
			return false
		}
		for i := range fixed(b.scope, rest.Where) {
			if inKey(b.scope.Table, key, i) {
				return false
			}
		}
	}
	return fixesKey(b.scope, key, where)
}

// stays reports whether a condition is true of a row as long as that has the key and the sealed forms that were read. A key in
// the clear may get another spelling that is equal to it. What a stored function reads may change, and a condition that sets
// something is not to be asked twice.
func (b *Builder) stays(key *catalog.Key, condition ast.Expr) bool {
	for i := range fixed(b.scope, condition) {
		if inKey(b.scope.Table, key, i) {
			return true
		}
	}
	stays := !functions.Acts(condition, b.Modes)
	_ = ast.Walk(func(n ast.Node) (bool, error) {
		if name, ok := n.(*ast.ColName); ok {
			i, known := b.scope.Column(name)
			stays = stays && known && (b.compares(i) || inKey(b.scope.Table, key, i) && b.scope.At(i).Type.Kind.IsInteger())
		}
		return stays, nil
	}, condition)
	return stays
}

// compares reports whether the sealed form of a column is among those that were read.
func (b *Builder) compares(column int) bool {
	of := recipe.CellOf(b.scope.Table, column)
	return of.Sealed && slices.Contains(b.Run.Cells, of)
}

// guard plans how the row is written if it is as it was read.
func (b *Builder) guard(key *catalog.Key, w *recipe.Write, set []recipe.Assignment) *ending {
	read := b.Run.Slots
	b.Run.Slots = w.Slots
	defer func() { b.Run.Slots, w.Slots = read, b.Run.Slots }()
	at, end := b.byKey(key)
	if end != nil {
		return end
	}
	for _, c := range b.Run.Cells {
		if c.Sealed {
			s := recipe.Slot{Column: c.Column, Form: recipe.Sealed, Of: recipe.Operand{Kind: recipe.FromRow}, Use: recipe.Equal}
			if c.Record {
				s.Form = recipe.Record
			}
			at = shape.And(at, &ast.ComparisonExpr{Operator: ast.NullSafeEqualOp, Left: shape.Column(b.scope.At(c.Column).Stored()), Right: b.slot(s, nil)})
		}
	}
	all, _, end := b.backAssignments(set, w.Follows(), asIs)
	if end == nil {
		w.Guarded, end = b.store(b.updateBack(all, at))
	}
	return end
}
