package local

import (
	"testing"

	"tunic/internal/recipe"
	"tunic/internal/sql/ast"
)

// unknown is a step that nobody has looked at.
type unknown struct{ recipe.Step }

// TestBuffers: a server may put rows into a table before a step, unless it is known that it does not.
func TestBuffers(t *testing.T) {
	for _, c := range []struct {
		step          recipe.Step
		all, constant bool
	}{
		{&recipe.Filter{}, false, false}, {&recipe.Sort{}, false, false}, {&recipe.Group{}, false, true},
		{&recipe.Group{By: []ast.Expr{&ast.NullVal{}}}, true, true}, {&recipe.Distinct{}, true, true}, {unknown{}, true, true},
	} {
		all, constant := Buffers(&recipe.Run{Local: []recipe.Step{c.step}})
		if all != c.all || constant != c.constant {
			t.Errorf("%T: %t, %t", c.step, all, constant)
		}
	}
}
