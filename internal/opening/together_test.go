package opening

import (
	"testing"

	"tunic/internal/binding"
	"tunic/internal/recipe"
)

// unknown is a step that nobody has looked at.
type unknown struct{ recipe.Step }

// TestPutsTogether: a step puts rows together by what they have, unless it is known that it does not.
func TestPutsTogether(t *testing.T) {
	for _, c := range []struct {
		step     recipe.Step
		together bool
	}{
		{&recipe.Filter{}, false}, {&recipe.Sort{}, false}, {&recipe.Limit{}, false},
		{&recipe.Group{}, true}, {&recipe.Distinct{}, true}, {&recipe.Window{}, true}, {unknown{}, true},
	} {
		st := &binding.Statement{}
		st.Run.Local = []recipe.Step{c.step}
		if got := putsTogether(st); got != c.together {
			t.Errorf("%T: %t", c.step, got)
		}
	}
}
