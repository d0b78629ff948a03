package exec

import (
	"bytes"

	"tunic/internal/eval"
	"tunic/internal/recipe"
	"tunic/internal/sql"
	"tunic/internal/value"
)

// bindInputs are the values of a statement's inputs in this execution, as the
// server would take them.
func (b *binder) bindInputs(singles []recipe.Operand, lists []sql.Place) (eval.Inputs, error) {
	in := eval.Inputs{Env: &b.env.Value, Now: b.env.Value.Now, ZoneUnknown: b.env.Zone != ""}
	for i := range singles {
		if err := b.take(&operand{of: singles[i]}, 0); err != nil {
			return in, err
		}
		in.Binds = append(in.Binds, ownSource(&b.source))
	}
	for _, place := range lists {
		var items []value.Source
		for element := range b.elementsAt(place) {
			if err := b.take(&operand{of: recipe.Operand{Kind: recipe.FromPlace, Place: place}}, element); err != nil {
				return in, err
			}
			items = append(items, ownSource(&b.source))
		}
		in.Lists = append(in.Lists, items)
	}
	return in, nil
}

// elementsAt is how many literals there are at the place of a list.
func (b *binder) elementsAt(p sql.Place) int {
	if b.prepared != nil {
		return b.prepared.elements[p.Group]
	}
	return b.literals.Elements(p.Group)
}

// ownSource is a source whose bytes are its own: those of the binder are used for
// the next one.
func ownSource(s *value.Source) value.Source {
	own := *s
	own.Bytes = bytes.Clone(s.Bytes)
	return own
}
