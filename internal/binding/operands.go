package binding

import (
	"bytes"

	"tunic/internal/eval"
	"tunic/internal/recipe"
	"tunic/internal/sql"
	"tunic/internal/value"
)

// BindInputs are the values of a statement's inputs in this execution, as the
// server would take them.
func (b *Binder) BindInputs(singles []recipe.Operand, lists []sql.Place) (eval.Inputs, error) {
	in := eval.Inputs{Env: &b.Env.Value, Now: b.Env.Value.Now, ZoneUnknown: b.Env.Zone != ""}
	for i := range singles {
		if err := b.take(&Operand{Of: singles[i]}, 0); err != nil {
			return in, err
		}
		in.Binds = append(in.Binds, ownSource(&b.Source))
	}
	for _, place := range lists {
		var items []value.Source
		for element := range b.elementsAt(place) {
			if err := b.take(&Operand{Of: recipe.Operand{Kind: recipe.FromPlace, Place: place}}, element); err != nil {
				return in, err
			}
			items = append(items, ownSource(&b.Source))
		}
		in.Lists = append(in.Lists, items)
	}
	return in, nil
}

// elementsAt is how many literals there are at the place of a list.
func (b *Binder) elementsAt(p sql.Place) int {
	if b.Prepared != nil {
		return b.Prepared.Elements[p.Group]
	}
	return b.Literals.Elements(p.Group)
}

// ownSource is a source whose bytes are its own: those of the binder are used for
// the next one.
func ownSource(s *value.Source) value.Source {
	own := *s
	own.Bytes = bytes.Clone(s.Bytes)
	return own
}
