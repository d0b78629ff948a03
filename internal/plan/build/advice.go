package build

import (
	"tunic/internal/plan/explanation"
	"tunic/internal/recipe"
	"tunic/internal/sql/ast"
)

// advise finds the layers with which the server could do something that it cannot
// do now: the rules are asked again, over a table that has them.
func (b *Builder) advise(e ast.Node, does func(*Builder) bool) []explanation.Advice {
	for _, try := range b.scope.Tries(e) {
		if does(b.supposing(try)) {
			return try
		}
	}
	return nil
}

// supposing is a builder over a table that has these layers as well.
func (b *Builder) supposing(layers []explanation.Advice) *Builder {
	other := *b
	other.scope = b.scope.With(layers)
	other.Run = &recipe.Run{Kind: b.Run.Kind, Table: other.scope.Table}
	return &other
}
