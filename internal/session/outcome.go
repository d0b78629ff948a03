package session

import (
	"bytes"
	"errors"
	"strconv"

	"tunic/internal/backend"
	"tunic/internal/plan"
	"tunic/internal/sql"
	"tunic/internal/sqlerr"
	"tunic/internal/wire"
)

// A server that has not got a statement cannot say how it went: its list of
// warnings is that of an older one. When tunic has refused the last statement it
// answers the questions that clients ask in one form only, and refuses the others.

// asksOutcome reports whether the first statement of a text, whose plan is p, asks
// for the warnings and errors of the one before it.
func asksOutcome(p *plan.Plan, text []byte) bool {
	if len(p.Statements) == 0 {
		return false
	}
	switch p.Statements[0].Kind {
	case sql.ShowWarnings, sql.GetDiagnostics:
		return true
	default:
		return bytes.Contains(text, []byte("@@")) && plan.ReadsCounts(text)
	}
}

// question is what a statement asks of a refusal.
type question uint8

const (
	questionOther question = iota
	questionList           // the error, as a row
	questionCount          // how many there are
)

// questions are the statements that tunic answers itself, in capital letters and
// as the templates they are.
var questions = map[string]question{
	"SHOW WARNINGS": questionList, "SHOW ERRORS": questionList,
	"SHOW COUNT(*) WARNINGS": questionCount, "SHOW COUNT(*) ERRORS": questionCount,
	"SELECT @@WARNING_COUNT": questionCount, "SELECT @@ERROR_COUNT": questionCount,
	"SELECT @@SESSION.WARNING_COUNT": questionCount, "SELECT @@SESSION.ERROR_COUNT": questionCount,
}

// tellOutcome answers a question about the statement that tunic has refused. The
// server is asked the same, for the columns: their names, character set and sizes
// are its own.
func (s *Session) tellOutcome(text []byte) error {
	template := s.fingerprinter.Fingerprint(text, s.state.modes).Template
	asked := questions[string(bytes.ToUpper(bytes.TrimRight(template, " ;")))]
	if asked == questionOther {
		return s.outcomeUnknown()
	}
	columns, err := s.server.Columns(text)
	switch {
	case errors.Is(err, backend.ErrAnswered):
		return s.outcomeUnknown()
	case err != nil:
		s.response.Begin(wire.ComQuery, s.server.Capabilities, s.client.Sequence())
		return s.answerBroken(err)
	}
	cells := []wire.Cell{{Bytes: []byte("1")}}
	if asked == questionList {
		number := strconv.Itoa(int(s.refused.Number))
		cells = []wire.Cell{{Bytes: []byte("Error")}, {Bytes: []byte(number)}, {Bytes: []byte(s.refused.Message)}}
	}
	if len(cells) != len(columns) {
		return s.outcomeUnknown()
	}
	return s.answer(columns, cells)
}

// answer writes a result of one row.
func (s *Session) answer(columns []wire.ColumnDefinition, cells []wire.Cell) error {
	const session = wire.StatusInTransaction | wire.StatusAutocommit | wire.StatusInReadOnlyTrans | wire.StatusNoBackslashEscapes
	status := s.response.Status & session
	w := s.client.BeginResult(s.caps, columns, status, false)
	if err := w.Row(cells); err != nil {
		return err
	}
	return w.End(status, 0)
}

// outcomeUnknown refuses a question. What was refused before it stays what can be
// asked about.
func (s *Session) outcomeUnknown() error {
	before := s.refused
	err := s.fail(sqlerr.OutcomeUnknown())
	s.refused = before
	return err
}
