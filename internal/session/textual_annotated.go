package session

import (
	"bytes"

	"tunic/internal/environment"
	"tunic/internal/plan"
	"tunic/internal/policy"
	"tunic/internal/sql"
	"tunic/internal/sqlerr"
	"tunic/internal/variables"
	"tunic/internal/wire"
)

// unlessAnnotates has the server prepare, or execute, a text that a variable has, unless
// that may have an annotation in it: there is no key file, and its table would be plain.
func (s *Session) unlessAnnotates(p *plan.Plan, t *sql.Textual, q wire.Query) error {
	all, err := variables.AskNamed(s.server, environment.FlavorOf(s.state.Modes()), []string{t.Variable})
	if err != nil {
		return s.tellFailed(err)
	}
	text := bytes.ReplaceAll(all[0].Source.Bytes, []byte{0}, nil) // it may be in UTF-16
	switch {
	case policy.MayAnnotate(text):
		return s.refuse(sqlerr.StatementUnkeyed("a statement with an annotation"))
	case p.Statements[0].Kind == sql.ExecuteImmediate && sql.AsksInAny(text, s.state.Modes()).Any(): // of what was asked here
		return s.refuse(sqlerr.StatementUnkeyed("EXECUTE IMMEDIATE of what asks about the statement before it"))
	}
	return s.forwardText(p, q.Text)
}
