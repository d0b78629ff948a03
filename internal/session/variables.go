package session

import (
	"errors"
	"slices"

	"tunic/internal/backend"
	"tunic/internal/binding"
	"tunic/internal/catalog"
	"tunic/internal/dialogue"
	"tunic/internal/environment"
	"tunic/internal/plan"
	"tunic/internal/recipe"
	"tunic/internal/sqlerr"
	"tunic/internal/variables"
)

// sessionVariables makes of a session the exec.Variables of its carrier.
type sessionVariables struct{ *Session }

// Bound notes that a variable goes with a protected column.
func (s sessionVariables) Bound(name string) {
	s.variables.Hide(name)
}

// Read returns the values of variables. Those that are not kept the server is asked for.
func (s sessionVariables) Read(names []string) ([]binding.Variable, error) {
	all := make([]binding.Variable, len(names))
	var asked []string
	for i, name := range names {
		switch v := s.variables.Get(name); {
		case v != nil:
			all[i] = *v
			all[i].Key = s.variables.WasKey(name)
		case !variables.Keepable(name):
			return nil, sqlerr.StatementRefused("a user variable with such a name on protected data")
		default:
			asked = append(asked, name)
		}
	}
	if len(asked) == 0 {
		return all, nil
	}
	told, err := s.askVariables(asked)
	if err != nil {
		return nil, err
	}
	for i, name := range names {
		if at := slices.Index(asked, name); at >= 0 {
			all[i] = told[at]
		}
	}
	return all, nil
}

// Tell asks the server for what the session says of itself.
func (s sessionVariables) Tell(expressions []string) ([]binding.Variable, error) {
	all := make([]binding.Variable, len(expressions))
	var asked []string
	var at []int
	for i, of := range expressions {
		if of != recipe.RowCount && of != recipe.FoundRows {
			asked, at = append(asked, of), append(at, i)
			continue
		}
		var err error
		if all[i], err = s.tellCount(of); err != nil {
			return nil, err
		}
	}
	if len(asked) > 0 {
		told, err := s.askValues(asked)
		if err != nil {
			return nil, err
		}
		for i := range told {
			all[at[i]] = told[i]
		}
	}
	for i := range all {
		all[i].Source.Variable, all[i].Source.System = false, true
	}
	return all, nil
}

// askVariables asks the server for variables.
func (s *Session) askVariables(names []string) ([]binding.Variable, error) {
	all := make([]string, len(names))
	for i, name := range names {
		all[i] = "@" + catalog.Quoted(name)
	}
	return s.askValues(all)
}

// askValues asks the server for expressions without a table.
func (s *Session) askValues(names []string) ([]binding.Variable, error) {
	columns, rows, err := s.server.Rows(variables.Question(names))
	switch {
	case errors.Is(err, backend.ErrAnswered):
		return nil, variables.Untold()
	case err != nil:
		return nil, &dialogue.BrokenError{Err: err}
	}
	return variables.Answer(environment.FlavorOf(s.state.Modes()), len(names), columns, rows)
}

// unkept prepares for forwarding a statement of which the server reads variables, some of which may
// be kept: the server gets them, if it may, and has them from then on.
func (s *Session) unkept(read plan.Variables) error {
	if !s.variables.Any() {
		return nil
	}
	names, secret := s.variables.Named(read)
	switch {
	case len(names) == 0:
		return nil
	case secret:
		return sqlerr.VariableSecret()
	}
	return s.giveVariables(names)
}

// functionsRead gives the server the variables that it may have, before a stored function runs that
// may read them; p is nil where nothing runs.
func (s *Session) functionsRead(p *plan.Plan) error {
	if p == nil || !p.Functions {
		return nil
	}
	return s.unkept(plan.Variables{Programs: true})
}

// unkeptOf is unkept for a text that is not forwarded as it came, but read by the server.
func (s *Session) unkeptOf(text []byte) error {
	if !s.variables.Any() {
		return nil
	}
	return s.unkept(plan.VariablesOf(text, s.state.Modes()))
}

// giveVariables gives the server the values of variables.
func (s *Session) giveVariables(names []string) error {
	text := []byte("SET ")
	for i, name := range names {
		if i > 0 {
			text = append(text, ", "...)
		}
		text = append(text, "@"+catalog.Quoted(name)+" = "...)
		text = s.variables.Get(name).AppendLiteral(text)
	}
	client := &definitionClient{session: s}
	err := client.Exec(s.life, string(text))
	if client.broken != nil {
		return &dialogue.BrokenError{Err: client.broken}
	}
	if err != nil {
		return sqlerr.StatementRefused("a user variable that the server does not take")
	}
	for _, name := range names {
		s.variables.Drop(name)
	}
	return nil
}
