package build

import (
	"tunic/internal/recipe"
	"tunic/internal/resolve"
	"tunic/internal/sql/ast"
)

// seek marks the slots of a condition that all rows fulfil, from a number on: where it says that a
// protected column is equal to a value, or to one of several, and the server finds that by tokens
// alone, the sealed values of the rows have to say the same.
func (d *conditions) seek(e ast.Expr, from int) {
	n, ok := e.(*ast.ComparisonExpr)
	if use, err := d.scope.UseOf(e); !ok || err != nil || use != resolve.Protected {
		return
	}
	switch n.Operator {
	case ast.EqualOp, ast.NullSafeEqualOp, ast.InOp:
	default:
		return
	}
	if _, rows := n.Left.(ast.ValTuple); rows {
		return
	}
	for i := from; i < len(d.run.Slots); i++ {
		if s := &d.run.Slots[i]; s.Form == recipe.Token && s.Use == recipe.Equal {
			s.Sought = from + 1
		}
	}
}
