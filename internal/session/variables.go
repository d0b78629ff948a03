package session

import (
	"errors"

	"tunic/internal/backend"
	"tunic/internal/binding"
	"tunic/internal/dialogue"
	"tunic/internal/environment"
	"tunic/internal/identifier"
	"tunic/internal/plan"
	"tunic/internal/sqlerr"
	"tunic/internal/variables"
)

// askVariables asks the server for variables.
func (s *Session) askVariables(names []string) ([]binding.Variable, error) {
	all := make([]string, len(names))
	for i, name := range names {
		all[i] = "@" + identifier.Quoted(name)
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
		text = append(text, "@"+identifier.Quoted(name)+" = "...)
		text = s.variables.Get(name).AppendLiteral(text)
	}
	client := s.aside()
	err := client.Exec(s.life, string(text))
	if client.Broken != nil {
		return &dialogue.BrokenError{Err: client.Broken}
	}
	if err != nil {
		return sqlerr.StatementRefused("a user variable that the server does not take")
	}
	for _, name := range names {
		s.variables.Drop(name)
	}
	return nil
}
