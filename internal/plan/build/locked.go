package build

import (
	"slices"

	"tunic/internal/catalog"
	"tunic/internal/plan/columns"
	"tunic/internal/plan/shape"
	"tunic/internal/recipe"
	"tunic/internal/sql/ast"
)

// oneRow is what the row has in its key that a WHERE lets pass, one at most, if it says that and nothing else, and
// the server decides all of it; nil if not. It is asked behind whereOf.
func (b *Builder) oneRow(where *ast.Where) []recipe.KeyPart {
	t := b.scope.Table
	key := t.RowKey()
	if key == nil || where == nil || b.rest != nil || b.base != 0 || b.written != nil || t.Late {
		return nil
	}
	values := map[int]recipe.Operand{}
	if !b.equals(where.Expr, values) || len(values) != len(key.Parts) {
		return nil
	}
	parts := make([]recipe.KeyPart, 0, len(key.Parts))
	for _, p := range key.Parts {
		i := t.Column(p.Column)
		of, ok := values[i]
		part := recipe.KeyPart{Column: i, Slot: -1, Param: -1, Place: of.Place}
		if c := b.scope.At(i); c.Protected() {
			part.Slot = b.tokenOf(i, p)
			ok = ok && part.Slot >= 0
		} else {
			ok = ok && c.Type.Kind.IsInteger() && !of.Negative && (of.Kind == recipe.FromPlace || of.Kind == recipe.FromParam)
		}
		if of.Kind == recipe.FromParam {
			part.Param = of.Param
		}
		if !ok {
			return nil
		}
		parts = append(parts, part)
	}
	return parts
}

// lockOneRow notes the row that an UPDATE writes, if it is one by its key.
func (b *Builder) lockOneRow(where *ast.Where) {
	b.Run.Key = b.oneRow(where)
	b.Run.Locks = b.Run.Key != nil
}

// equals reports whether a condition says of columns that they are equal to values, each of one, and nothing else.
func (b *Builder) equals(e ast.Expr, values map[int]recipe.Operand) bool {
	switch n := e.(type) {
	case *ast.AndExpr:
		return b.equals(n.Left, values) && b.equals(n.Right, values)
	case *ast.ComparisonExpr:
		column, to := n.Left, n.Right
		if _, ok := column.(*ast.ColName); !ok {
			column, to = to, column
		}
		name, ok := column.(*ast.ColName)
		of, _, value := operand(to)
		if !ok || !value || n.Operator != ast.EqualOp || n.Modifier != ast.Missing {
			return false
		}
		i, known := b.scope.Column(name)
		if _, twice := values[i]; !known || twice {
			return false
		}
		values[i] = of
		return true
	}
	return false
}

// tokenOf is the slot that a column of the key is compared with, -1 if there is none, or others too.
func (b *Builder) tokenOf(column int, p catalog.Part) int {
	l := columns.Filled(b.scope.At(column).Layer(p.Layer))
	at := slices.IndexFunc(b.Run.Slots, func(s recipe.Slot) bool { return s.Column == column })
	if l == nil || at < 0 || slices.ContainsFunc(b.Run.Slots[at+1:], func(s recipe.Slot) bool { return s.Column == column }) {
		return -1
	}
	if s := &b.Run.Slots[at]; s.Form != recipe.Token || s.Use != recipe.Equal || s.Layer != l.Capability {
		return -1
	}
	return at
}

// rowOfQuery is oneRow of a query that returns its row, and whether that locks it for itself.
func (b *Builder) rowOfQuery(n *ast.Select, items []recipe.Item) (key []recipe.KeyPart, locks bool) {
	if n.GroupBy != nil || n.Distinct || n.Having != nil || b.Into || aggregates(items) || len(shape.Windows(n.SelectExprs, n.OrderBy)) > 0 {
		return nil, false
	}
	switch n.Lock {
	case ast.ForUpdateLock, ast.ForUpdateLockNoWait, ast.ForUpdateLockSkipLocked:
		locks = true
	}
	key = b.oneRow(n.Where)
	return key, locks && key != nil
}

// keyCells are the cells of protected columns of the key of a row that is locked that are not among those of
// its query: an UPDATE finds the row again by them.
func (b *Builder) keyCells(known []recipe.Cell) (all []recipe.Cell) {
	if !b.Run.Locks {
		return nil
	}
	for _, p := range b.Run.Key {
		if of := recipe.CellOf(b.scope.Table, p.Column); of.Sealed && !slices.Contains(known, of) && !slices.Contains(all, of) {
			all = append(all, of)
		}
	}
	return all
}

// alone reports whether an UPDATE of the row that a key has changes no other row: none of another table follows what
// is not in a key.
func (b *Builder) alone(set []recipe.Assignment) bool {
	changed := b.changing(set)
	for i := range b.scope.Table.Columns {
		if c := b.scope.At(i); c.OnUpdateNow || c.Generated {
			changed = append(changed, i)
		}
	}
	t := b.scope.Table
	in := func(name string) bool { return slices.Contains(changed, t.Column(name)) }
	for i := range t.Keys {
		if slices.ContainsFunc(t.Keys[i].Parts, func(p catalog.Part) bool { return in(p.Column) }) {
			return false
		}
	}
	return true
}
