package session

import (
	"bytes"

	"tunic/internal/exec/said"
	"tunic/internal/plan"
	"tunic/internal/sql"
	"tunic/internal/sqlerr"
	"tunic/internal/wire"
)

// each does the statements of a text one after the other, as the server does: each is
// read in the session as those before it have left it, and the first that fails is the
// last. To the client it is one answer.
func (s *Session) each(p *plan.Plan, q wire.Query) error {
	if !s.caps.Has(wire.ClientMultiStatements) {
		return s.refuseSeveral(p, q.Text)
	}
	s.client.BeginSeries(s.caps)
	defer func() {
		s.rest = nil
		s.client.EndSeries()
	}()
	for rest := q.Text; ; {
		if err := s.settle(rest); err != nil {
			return err
		}
		text, more := sql.First(rest, s.state.Modes())
		s.client.NextAnswer(len(more) > 0)
		s.rest = rest
		if err := s.oneOf(wire.Query{Attributes: q.Attributes, Text: text}, len(more) == 0); err != nil {
			return err
		}
		if s.client.AnswerFailed() || len(more) == 0 {
			return nil
		}
		s.state.Status(s.response.Status)
		s.endsTransaction()
		rest = more
	}
}

// refuseSeveral tells a client that may not send several statements, or prepares them, in SQL
// or in the binary protocol, where the second one begins, as the server does; of what it does
// not read itself it does not know.
func (s *Session) refuseSeveral(p *plan.Plan, text []byte) error {
	at, ok := sql.SecondBegins(text, s.state.Modes())
	if !ok {
		return s.refuse(p.Refusal())
	}
	s.state.Apply(p, 0, true)
	return s.failAnew(said.SyntaxError(s.state.Modes()&sql.MariaDB != 0, string(text[at:]), 1+bytes.Count(text[:at], []byte("\n"))))
}

// goesOn reports whether something follows the first statement of a text, be it a comment,
// which servers answer like a statement of its own.
func (s *Session) goesOn(text []byte) bool {
	at := bytes.IndexByte(text, ';')
	if at < 0 || at == len(text)-1 || !s.caps.Has(wire.ClientMultiStatements) {
		return false
	}
	_, rest := sql.First(text, s.state.Modes())
	return len(rest) > 0
}

// settle finds out how the server reads what is left of a text, if a statement before it
// has changed that.
func (s *Session) settle(rest []byte) error {
	if !s.state.IsUnknown() || sql.AsksInAny(rest, s.state.Modes()).Any() {
		return nil
	}
	return s.learn()
}

// oneOf does one statement of several. The last may be nothing but a comment.
func (s *Session) oneOf(q wire.Query, last bool) error {
	s.beginsTransaction()
	s.nextMayWrite()
	s.attempt.Begin()
	p, err := s.plan(q.Text)
	switch {
	case err != nil:
		return err
	case len(p.Statements) == 0 && last:
	case len(p.Statements) != 1: // nothing, or it is read otherwise than when it was cut
		return s.refuse(sqlerr.StatementUnread())
	case p.Statements[0].Kind.ReadsFile():
		return s.refuse(sqlerr.StatementRefused(p.Statements[0].Kind.String() + " beside other statements"))
	}
	return s.queryPlanned(p, q, q.AppendQuery(nil, s.server.Capabilities))
}
