package session

import (
	"errors"

	"tunic/internal/outcome"
	"tunic/internal/outcome/answer"
	"tunic/internal/plan"
	"tunic/internal/sql"
	"tunic/internal/sqlerr"
	"tunic/internal/wire"
)

// A server that has not got a statement cannot say how it went. When tunic has refused the last statement, or
// carried it out, package answer answers the questions about it, and the client is told here.

// asked is what a text asks about the statement before it.
func (s *Session) asked(text []byte) sql.Asks { return sql.AsksIn(text, s.state.Modes()) }

// teller answers a question about the statement before.
func (s *Session) teller() *answer.Teller {
	t := &answer.Teller{Last: &s.last, Server: s.server, Modes: s.state.Modes()}
	if s.exec != nil {
		t.Carried = s.exec
	}
	return t
}

// tell answers a text that asks about the statement before it, if the server does not know
// all that there is to say; else done is false. The text may be that of a statement that is
// prepared.
func (s *Session) tell(p *plan.Plan, text []byte, prepared bool) (done bool, err error) {
	if s.last.HasPast() && outcome.AsksWarnings(p, text, s.state.Modes()) {
		if told, err := s.recall(); told || err != nil {
			return true, err
		}
	}
	switch {
	case plan.Is[*plan.ByName](p): // it is what is prepared that asks
		return false, nil
	case s.diagnoses(p):
		return true, s.tellDiagnostics(text)
	case s.last.IsOwn() && outcome.AsksWarnings(p, text, s.state.Modes()) && outcome.AsksList(p):
		return true, s.answer(s.teller().Warnings(text, false))
	case s.last.AsksCounts(p, text, s.state.Modes()):
		if done, err := s.unlessMissing(p, text); done {
			return true, err
		}
		return true, s.answer(s.teller().Counts(text, prepared, false))
	}
	return false, nil
}

// diagnoses reports whether a statement is a GET DIAGNOSTICS that the session answers.
func (s *Session) diagnoses(p *plan.Plan) bool { return s.shared.Ledger != nil && s.last.Diagnoses(p) }

// recall makes the past outcome the one that is asked about. told is true if the client has been told that it is not
// known any more.
func (s *Session) recall() (told bool, err error) {
	if err := s.teller().Recall(); err != nil {
		return true, s.untold(err)
	}
	return false, nil
}

// untold is after a question that has no answer.
func (s *Session) untold(err error) error {
	if errors.Is(err, answer.ErrUnknown) {
		return s.outcomeUnknown()
	}
	if broken, ok := errors.AsType[*answer.BrokenError](err); ok {
		return s.brokenBefore(broken.Err)
	}
	return s.tellFailed(err)
}

// answer writes the answer to a question.
func (s *Session) answer(a answer.Answer, err error) error {
	if err != nil {
		return s.untold(err)
	}
	status := s.response.Status & sessionStatus
	w := s.client.BeginResult(s.caps, a.Columns, status, a.Binary)
	for _, cells := range a.Rows {
		if err := w.Row(cells); err != nil {
			return err
		}
	}
	return w.End(status, a.Warnings)
}

// tellDiagnostics sets user variables to what there is to say of the statement before. The
// server sets them, as its own, but those that are a message with a value of a row in it.
func (s *Session) tellDiagnostics(text []byte) error {
	if s.last.IsOwn() {
		s.executor()
	}
	d, err := s.teller().Diagnose(text)
	if err != nil {
		return s.untold(err)
	}
	before := s.last.Keep()
	for _, name := range d.AtServer {
		s.variables.Drop(name)
	}
	if len(d.AtServer) > 0 {
		if err := s.idle(string(d.Set)); err != nil {
			return s.tellFailed(err)
		}
	}
	for name, v := range d.Kept {
		if err := s.variables.Set(name, v); err != nil {
			return s.tellFailed(err)
		}
	}
	// It leaves everything as it was, but the server's list is of another statement now.
	s.last.Back(before)
	s.last.Passes()
	s.last.Counts.Diagnosed(len(d.Kept) > 0) // it was asked for the type of a message
	return s.tellOK("")
}

// prepareOutcome has the server prepare a question about the statement before, which
// stays what is asked about.
func (s *Session) prepareOutcome(p *plan.Plan, payload []byte) error {
	if !s.teller().Answers(p, payload[1:]) || !plan.Is[*plan.Forward](p) || s.prepared.IsFull(0) {
		return s.outcomeUnknown()
	}
	before := s.last.Keep()
	err := s.forwardPrepare(p, payload)
	if err == nil && !s.response.Failed {
		s.last.Back(before)
	}
	return err
}

// sessionStatus are the flags of an answer that speak of the session.
const sessionStatus = wire.StatusInTransaction | wire.StatusAutocommit | wire.StatusInReadOnlyTrans | wire.StatusNoBackslashEscapes | wire.StatusANSIQuotes

// outcomeUnknown refuses a question. What was refused before it stays what can be
// asked about.
func (s *Session) outcomeUnknown() error {
	before := s.last.Keep()
	err := s.fail(sqlerr.OutcomeUnknown())
	s.last.Back(before)
	return err
}
