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

// typeOf is the type of the parameter that stands for a slot of a statement that writes a row back; false if it is no form of
// that row, and no integer of it.
func typeOf(s *change.Slot) (t binding.ParamType, ok bool) {
	if s.Of.Kind != recipe.FromRow && s.Of.Kind != recipe.FromSet {
		return t, false
	}
	if s.Form == recipe.Value && s.Type.Kind.IsInteger() {
		return binding.ParamType{Kind: wire.TypeLongLong, Unsigned: s.Type.Unsigned}, true
	}
	return binding.ParamType{Kind: wire.TypeBlob}, isForm(s.Form)
}

func isForm(f recipe.Form) bool {
	return f == recipe.Sealed || f == recipe.Record || f == recipe.Token
}

// writesForms reports whether each hole of a statement that writes rows of w back may be a parameter.
func writesForms(w *change.Write, p *sql.Printed) bool {
	for h := range p.EachHole() {
		if h.Kind != sql.HoleSlot || h.Limit {
			return false
		}
		if _, ok := typeOf(&w.Fills[h.Number]); !ok {
			return false
		}
	}
	return true
}

// paramsOf are the parameters of such a statement, in the order of its text.
func paramsOf(w *change.Write, p *sql.Printed) (all []param) {
	for h := range p.EachHole() {
		t, _ := typeOf(&w.Fills[h.Number])
		all = append(all, param{h.Number, t})
	}
	return all
}

// hasForms reports whether each hole of a change that is done as a whole is a form.
func hasForms(of *binding.Statement) bool {
	if of.Run.Remote.ElementHoles() > 0 && !of.Inserts() { // an IN has as many elements as it comes with
		return false
	}
	for h := range of.Run.Remote.EachHole() {
		if h.Kind != sql.HoleSlot || h.Limit || !isForm(of.Run.Slots[h.Number].Form) {
			return false
		}
	}
	return true
}

// inputsOf are the parameters of such a change, in the order of its text.
func inputsOf(of *binding.Statement) (all []binding.Input) {
	for h := range of.Run.Remote.EachHole() {
		all = append(all, binding.Input{Param: -1, Slot: h.Number})
	}
	return all
}
