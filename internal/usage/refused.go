package usage

import "sync"

// Refused keeps which template was refused last, for each code of an error. A nil Refused
// keeps nothing.
type Refused struct{ last sync.Map }

// Note notes that a statement was refused with a code. A nil template is one of which
// nothing is known.
func (r *Refused) Note(code uint16, t *Template) {
	if r == nil || t == nil {
		return
	}
	t.Refuse()
	if last, _ := r.last.Load(code); last != t {
		r.last.Store(code, t)
	}
}

// Last is the template that was refused last with a code; nil if none is known.
func (r *Refused) Last(code uint16) *Template {
	if r == nil {
		return nil
	}
	last, _ := r.last.Load(code)
	t, _ := last.(*Template)
	return t
}
