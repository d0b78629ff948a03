package session

import (
	"bytes"
	"errors"

	"tunic/internal/dialogue"
	"tunic/internal/exec/said"
	"tunic/internal/plan"
	"tunic/internal/sql"
	"tunic/internal/sqlerr"
)

// Most texts that tunic cannot read the server cannot read either: somebody has mistyped
// them. Whoever has wants to know where, in the server's words. The server must not have the
// text, which may have values of protected columns in it, or words of them. It is asked
// about the text's outline, which has none, and which it cannot accept.

// unread is the error of a text that tunic cannot read, whose refusal that is: the server's, if it
// cannot either. Any other refusal is left as it is.
func (s *Session) unread(refusal error, p *plan.Plan, text []byte, prepared bool) error {
	if e, ok := errors.AsType[*sqlerr.Error](refusal); !ok || !errors.Is(e, sqlerr.StatementUnread()) ||
		s.shared.Ledger == nil || s.state.IsUnknown() || len(p.Statements) != 1 || sql.IsRead(text, s.state.Modes()) {
		return refusal
	}
	if line := sql.UnreadFrom(text, s.state.Modes()); line > 0 {
		refusal = sqlerr.StatementUnreadFrom(line)
	}
	text = bytes.TrimRight(text, "; \t\n\v\f\r") // as servers do
	outline, ok := sql.NewOutline(text, s.state.Modes(), prepared)
	if !ok {
		return refusal
	}
	answer, err := s.tries(outline.Text)
	switch {
	case err != nil:
		return err
	case answer == nil || answer.Number != errSyntax:
		return refusal
	}
	stopped, ok := outline.Where(answer.Message, s.state.Modes())
	switch {
	case !ok || stopped.Whole: // it may be right
		return refusal
	}
	near := text[stopped.At:]
	if bytes.HasPrefix(s.rest, text) { // servers do not stop quoting where a statement ends
		near = s.rest[stopped.At:]
	}
	return said.SyntaxError(s.state.Modes()&sql.MariaDB != 0, string(near), stopped.Line)
}

// mistyped is the server's error for a definition that is prepared and that neither tunic nor the
// server can read; nil for any other.
func (s *Session) mistyped(p *plan.Plan, text []byte) error {
	if d, ok := p.Action.(*plan.Define); !ok || d.Statement != nil || !s.mayDefineProtected(p) {
		return nil
	}
	err := s.unread(sqlerr.StatementUnread(), p, text, true)
	if said, ok := errors.AsType[*sqlerr.Error](err); ok && said.Number != errSyntax {
		return nil
	}
	return err
}

// tries is what the server says of a text, which it does not run. An error ends the session.
func (s *Session) tries(text []byte) (said *sqlerr.Error, err error) {
	client := s.aside()
	err = client.Exec(s.life, "PREPARE "+textAside+" FROM "+string(sql.AppendString(nil, text, s.state.Modes())))
	if err == nil {
		err = client.Exec(s.life, "DEALLOCATE PREPARE "+textAside)
	}
	s.last.Counts.Disturb()
	if client.Broken != nil {
		return nil, &dialogue.BrokenError{Err: client.Broken}
	}
	said, _ = errors.AsType[*sqlerr.Error](err)
	return said, nil
}

// refuseText answers a text whose plan does not let it pass.
func (s *Session) refuseText(refusal error, p *plan.Plan, text []byte, prepared bool) error {
	err := s.unread(refusal, p, text, prepared)
	if broken, ok := errors.AsType[*dialogue.BrokenError](err); ok {
		return s.brokenBefore(broken.Err)
	}
	return s.refuse(err)
}
