package build

import (
	"tunic/internal/recipe"
	"tunic/internal/sql/ast"
)

// A GROUP BY … WITH ROLLUP has, behind the groups that agree in their first keys, a
// row of all of them, with NULL in the place of the other keys. Whatever is selected
// of such a row is a key or an aggregate: of other columns it is nobody's to say which
// row they are from.

// rolledUp reports whether a query has super-aggregate rows.
func rolledUp(n *ast.Select) bool { return n.GroupBy != nil && n.GroupBy.WithRollup }

// rollup checks a step that groups and rolls up.
func (b *Builder) rollup(g *recipe.Group, n *ast.Select, items []recipe.Item) *ending {
	keys := map[int]bool{}
	for _, e := range g.By {
		i := b.columnOf(e)
		if i < 0 || keys[i] {
			return beyond("WITH ROLLUP by anything else than columns")
		}
		keys[i] = true
	}
	return walk(func(node ast.Node) (bool, *ending) {
		switch node := node.(type) {
		case ast.WindowFunc:
			if node.GetOverClause() != nil {
				return false, beyond("WITH ROLLUP and a window function")
			}
		case *ast.ColName:
			if i := b.columnOf(node); i >= 0 && !keys[i] {
				return false, beyond("WITH ROLLUP and a column that is no key")
			}
		}
		_, aggregate := node.(ast.AggrFunc)
		return !aggregate, nil
	}, outputNodes(n, items)...)
}
