package session

import (
	"tunic/internal/dialogue"
	"tunic/internal/plan"
)

// unkept prepares for forwarding a statement of which the server reads variables, some of which may
// be kept: the server gets them, if it may, and has them from then on.
func (s *Session) unkept(read plan.Variables) error {
	if !s.variables.Any() {
		return nil
	}
	client := s.aside()
	err := s.variables.Give(s.life, client, read)
	if client.Broken != nil {
		return &dialogue.BrokenError{Err: client.Broken}
	}
	return err
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
