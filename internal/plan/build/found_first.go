package build

import (
	"tunic/internal/recipe"
	"tunic/internal/sql"
	"tunic/internal/sql/ast"
)

// findsFirst reports whether MariaDB is known to find all rows of an UPDATE before it writes the
// first. It does where the rows have an order, or the key is set by which it scans them; strict
// mode is for what it writes then, and what it warns of in WHERE stays a warning.
func (b *Builder) findsFirst(set []recipe.Assignment, where *ast.Where, by ast.OrderBy) bool {
	if b.Modes&sql.MariaDB == 0 || b.Run.Kind != sql.Update || where == nil || ast.HasQuery(where) {
		return false
	}
	return b.scope.StaysInOrder(where, by) || b.scope.SetsPrimary(set, where)
}
