package exec

import (
	"slices"

	"tunic/internal/binding"
	"tunic/internal/catalog"
	"tunic/internal/sql"
	"tunic/internal/sqlerr"
)

// readVariables takes the values of the user variables that a statement reads, and
// returns the Statement for them: that of the Run where the server gets none of them, if
// one of them is secret.
func (s *Session) readVariables(st *Statement) (*Statement, error) {
	b := s.binder
	b.Variables = b.Variables[:0]
	names := st.Run.Variables[:len(st.Run.Variables)-st.Run.Told]
	if len(st.Run.Variables)+len(b.Using) == 0 {
		return st, nil
	}
	all, err := s.link.Owner.Read(names)
	if err != nil {
		return nil, err
	}
	b.Variables = append(b.Variables, all...)
	for i := range b.Variables {
		b.Variables[i].From = names[i : i+1]
	}
	if st.Run.Told > 0 {
		told, err := s.link.Owner.Tell(st.Run.Variables[len(names):])
		if err != nil {
			return nil, err
		}
		b.Variables = append(b.Variables, told...)
	}
	b.NameVariables()
	told, err := s.bindVariables(st)
	if err != nil || !told {
		return st, err
	}
	other := st.alternative(facts{secretVariable: true})
	if other == nil {
		return nil, sqlerr.VariableSecret()
	}
	if told, err = s.bindVariables(other); told && err == nil {
		err = sqlerr.VariableSecret()
	}
	return other, err
}

// bindVariables tells the session of variables whose values are those of slots, or are
// computed with here: they are secret from now on. It reports whether the server would get
// one of those that are, as it is; the error is that it would in the place of a parameter.
func (s *Session) bindVariables(st *Statement) (told bool, err error) {
	b := s.binder
	hidden := s.hidden(st)
	for _, name := range hidden {
		s.link.Owner.Bound(name)
	}
	for _, n := range st.sent {
		v, ok := b.Given(n)
		switch {
		case !ok || !v.Secret && !v.Key && !slices.ContainsFunc(v.From, func(name string) bool { return slices.Contains(hidden, name) }):
		case n < sql.FirstVariable:
			return true, sqlerr.VariableSecret()
		default:
			told = true
		}
	}
	return told, nil
}

// hidden are the variables that go with something protected in a statement: all that the
// server does not get as they are, and of those that it gets the ones that are in slots as
// well, or in what is computed here.
func (s *Session) hidden(st *Statement) (names []string) {
	if !slices.ContainsFunc(st.Run.Tables, func(t *catalog.Table) bool { return !t.Plain() }) {
		return nil
	}
	b := s.binder
	add := func(n int) {
		if slices.Contains(st.limits, n) { // the server may have the same LIMIT as well
			return
		}
		if slices.Contains(st.sent, n) && (slices.Contains(st.plain, n) || !st.uses(n)) {
			return
		}
		if v, ok := b.Given(n); ok {
			names = append(names, v.From...)
		}
	}
	for i := range b.Variables {
		add(sql.FirstVariable + i)
	}
	for i := range b.Using {
		add(i)
	}
	return names
}

// uses reports whether a parameter or variable is in a slot, or in what is computed here.
func (st *Statement) uses(n int) bool {
	for i := range st.Operands {
		if slices.Contains(binding.ParamsIn(&st.Operands[i].Of), n) {
			return true
		}
	}
	for i := range st.query.Inputs.Singles {
		if slices.Contains(binding.ParamsIn(&st.query.Inputs.Singles[i]), n) {
			return true
		}
	}
	return st.from != nil && st.from.uses(n)
}
