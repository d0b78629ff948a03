package session

import (
	"errors"

	"tunic/internal/plan"
	"tunic/internal/sql"
	"tunic/internal/sqlerr"
)

// errSyntax is the server's error for a text that it cannot read (ER_PARSE_ERROR).
const errSyntax = 1064

// textAside is what the server calls a text that is only tried.
const textAside = "`tunic$aside`"

// orSyntax is the refusal of a statement that might read a variable which the server is not
// to have, or the server's error if it cannot read the text either: then nothing of it runs,
// and that is what the client has to know.
func (s *Session) orSyntax(refusal error, p *plan.Plan, text []byte) error {
	if e, ok := errors.AsType[*sqlerr.Error](refusal); !ok || e.Code == 0 {
		return refusal
	}
	return s.syntaxFirst(refusal, p, text)
}

// syntaxFirst is orSyntax for an error of a server's as well.
func (s *Session) syntaxFirst(refusal error, p *plan.Plan, text []byte) error {
	if len(p.Statements) != 1 || sql.IsRead(text, s.state.Modes()) {
		return refusal
	}
	said, err := s.tries(text)
	switch {
	case err != nil:
		return err
	case said != nil && said.Number == errSyntax:
		return said
	}
	return refusal
}
