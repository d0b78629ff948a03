package build

import (
	"slices"

	"tunic/internal/plan/shape"
	"tunic/internal/recipe"
	"tunic/internal/sql/ast"
)

// tellsVariable reports whether the server would get the value of a user variable in a
// clause behind WHERE, and is not to.
func (b *Builder) tellsVariable(n *ast.Select) bool {
	if !b.secret {
		return false
	}
	if n.GroupBy != nil && shape.ReadsVariable(n.GroupBy) || n.Having != nil && shape.ReadsVariable(n.Having) {
		return true
	}
	return slices.ContainsFunc(n.OrderBy, func(o *ast.Order) bool { return shape.ReadsVariable(o) })
}

// withoutVariables plans the statement once more so that the server gets no user variable's
// value, but in slots, if it would: a variable may have a value of a protected column.
func (b *Builder) withoutVariables() {
	if len(b.Run.SentVariables()) == 0 {
		return
	}
	other := *b
	other.secret, other.Run = true, b.fresh()
	if other.build(b.Tree.Root()) != nil {
		return
	}
	other.fallBack()
	if len(other.Run.SentVariables()) == 0 {
		b.Run.Alternatives[recipe.SecretVariable] = other.Run
	}
}

// fresh is a Run of the statement without a plan yet.
func (b *Builder) fresh() *recipe.Run {
	return &recipe.Run{Kind: b.Run.Kind, Variables: b.Run.Variables, Told: b.Run.Told}
}
