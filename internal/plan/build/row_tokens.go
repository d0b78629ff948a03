package build

import (
	"slices"

	"tunic/internal/plan/columns"
	"tunic/internal/plan/shape"
	"tunic/internal/policy"
	"tunic/internal/recipe"
	"tunic/internal/sql/ast"
)

// The form of a family does not say which row it is of, but it has values of the row's key in it where columns of the key are in
// the family. Where the rows of a stored query are those of the table, it returns the tokens of these columns as well, and
// whoever opens the form compares them. So a form that somebody has moved to another row is noticed.

// rowTokens are the cells with the tokens that say which row the forms of families are of that are in known cells. A token that is
// the only one that rows are found by is left out: what is opened is compared with that one.
func (b *Builder) rowTokens(known []recipe.Cell) (all []recipe.Cell) {
	t := b.scope.Table
	key := t.RowKey()
	if key == nil || len(t.Families) == 0 {
		return nil
	}
	for _, p := range key.Parts {
		i := t.Column(p.Column)
		c := b.scope.At(i)
		l := columns.Ready(c.Layer(p.Layer))
		form := recipe.CellOf(t, i)
		form.Column += b.base
		if l == nil || !form.Record || !slices.Contains(known, form) || b.foundBy(b.base+i, l.Capability) {
			continue
		}
		all = append(all, recipe.Cell{Column: b.base + i, Layer: l.Capability})
	}
	return all
}

// foundBy reports whether all rows are found by one token of a column, and what is opened of them is compared with it.
func (b *Builder) foundBy(column int, layer policy.Capabilities) bool {
	if b.unsought {
		return false
	}
	return slices.ContainsFunc(b.Run.Slots, func(s recipe.Slot) bool {
		if s.Sought == 0 || s.Column != column || s.Layer != layer || s.Of.Kind == recipe.FromPlace && s.Of.Place.Group >= 0 {
			return false
		}
		same := 0
		for i := range b.Run.Slots {
			if b.Run.Slots[i].Sought == s.Sought {
				same++
			}
		}
		return same == 1
	})
}

// tokenColumn is the stored column whose tokens are in a cell.
func (b *Builder) tokenColumn(c recipe.Cell) *ast.ColName {
	return shape.Column(b.scope.At(c.Column - b.base).Layer(c.Layer).Stored)
}

// fetchRowTokens has a stored query return the tokens that its forms are compared with.
func (b *Builder) fetchRowTokens(selected *ast.SelectExprs) {
	for _, c := range b.rowTokens(b.Run.Cells) {
		selected.Exprs = append(selected.Exprs, &ast.AliasedExpr{Expr: b.tokenColumn(c)})
		b.Run.AddCell(c)
	}
}
