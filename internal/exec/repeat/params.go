package repeat

import (
	"tunic/internal/binding"
	"tunic/internal/exec/change"
	"tunic/internal/recipe"
	"tunic/internal/sql"
	"tunic/internal/wire"
)

// param is a parameter: the slot that it stands for.
type param struct {
	slot int
	binding.ParamType
}

// paramsOf are the parameters of a statement that writes rows of w, in the order of its text; false if it has a hole that
// is no form of a row, and no integer of one.
func paramsOf(w *change.Write, p *sql.Printed) (all []param, ok bool) {
	for _, h := range p.Holes() {
		if h.Kind != sql.HoleSlot || h.Limit {
			return nil, false
		}
		s := &w.Fills[h.Number]
		if s.Of.Kind != recipe.FromRow && s.Of.Kind != recipe.FromSet {
			return nil, false
		}
		t := binding.ParamType{Kind: wire.TypeBlob}
		switch s.Form {
		case recipe.Sealed, recipe.Record, recipe.Token:
		case recipe.Value:
			if !s.Type.Kind.IsInteger() {
				return nil, false
			}
			t = binding.ParamType{Kind: wire.TypeLongLong, Unsigned: s.Type.Unsigned}
		default:
			return nil, false
		}
		all = append(all, param{h.Number, t})
	}
	return all, true
}
