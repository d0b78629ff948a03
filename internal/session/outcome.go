package session

import (
	"errors"
	"strconv"

	"tunic/internal/backend"
	"tunic/internal/outcome"
	"tunic/internal/plan"
	"tunic/internal/sql"
	"tunic/internal/sqlerr"
	"tunic/internal/value"
	"tunic/internal/wire"
)

// A server that has not got a statement cannot say how it went: its list of
// warnings is that of an older one. When tunic has refused the last statement it
// answers the questions that clients ask in one form only, and refuses the others.

// asksOutcome reports whether the first statement of a text, whose plan is p, asks
// for the warnings and errors of the one before it.
func (s *Session) asksOutcome(p *plan.Plan, text []byte) bool {
	return asksOf(p) && (asksList(p) || s.asked(text).Warnings)
}

// asked is what a text asks about the statement before it.
func (s *Session) asked(text []byte) sql.Asks { return sql.AsksIn(text, s.state.Modes()) }

// asksOf reports whether the first statement of a plan may ask about the one before it; of one by
// name it is what was prepared that does.
func asksOf(p *plan.Plan) bool { return len(p.Statements) > 0 && !plan.Is[*plan.ByName](p) }

// tell answers a text that asks about the statement before it, if the server does not know
// all that there is to say; else done is false. The text may be that of a statement that is
// prepared.
func (s *Session) tell(p *plan.Plan, text []byte, prepared bool) (done bool, err error) {
	if s.last.HasPast() && s.asksOutcome(p, text) {
		if told, err := s.recall(); told || err != nil {
			return true, err
		}
	}
	switch {
	case plan.Is[*plan.ByName](p): // it is what is prepared that asks
		return false, nil
	case s.diagnoses(p):
		return true, s.tellDiagnostics(text)
	case s.last.IsOwn() && s.asksOutcome(p, text) && asksList(p):
		return true, s.tellOutcome(text, false)
	case s.asksCounts(p, text):
		if done, err := s.unlessMissing(p, text); done {
			return true, err
		}
		return true, s.tellCounts(text, prepared, false)
	}
	return false, nil
}

// asks reports whether a text, whose plan is p, may ask anything about the statement before
// it.
func (s *Session) asks(p *plan.Plan, text []byte) bool {
	return s.asksOutcome(p, text) || s.asked(text).Rows
}

// asksList reports whether the first statement of a plan asks for the list of warnings, or more.
func asksList(p *plan.Plan) bool {
	kind := p.Statements[0].Kind
	return kind == sql.ShowWarnings || kind == sql.GetDiagnostics
}

// tellOutcome answers a question about the statement that tunic has refused or
// executed. The server is asked the same, for the columns, whose names, character
// set and sizes are its own, and for what it has to say itself.
//
// The answer is binary to the execution of a statement that is prepared.
func (s *Session) tellOutcome(text []byte, inBinary bool) error {
	asked, ok := s.shownWarnings(text)
	if !ok {
		return s.outcomeUnknown()
	}
	columns, rows, err := s.server.Rows(asked.All())
	if err != nil {
		return s.unanswered(err)
	}
	told := s.outcome(asked.Errors, rows, asked.Count)
	for _, cells := range told {
		if len(cells) != len(columns) || inBinary && !outcome.InBinary(cells, columns) {
			return s.outcomeUnknown()
		}
	}
	s.last.Counts.Fail() // as after everything that returns rows
	return s.answerIn(columns, asked.Limit(told), 0, inBinary)
}

// unanswered is after a question that the server has not answered with rows: what there is
// to say is not known, or the session is over.
func (s *Session) unanswered(err error) error {
	if errors.Is(err, backend.ErrAnswered) {
		return s.outcomeUnknown()
	}
	return s.brokenBefore(err)
}

// shownWarnings is what a text asks for that is a SHOW WARNINGS or SHOW ERRORS.
func (s *Session) shownWarnings(text []byte) (asked outcome.Shown, ok bool) {
	read, err := sql.Parse(text, s.state.Modes())
	if err != nil || len(read) != 1 {
		return asked, false
	}
	asked.ShownWarnings, ok = read[0].ShownWarnings()
	return asked, ok
}

// prepareOutcome has the server prepare a question about the statement before, which
// stays what is asked about.
func (s *Session) prepareOutcome(p *plan.Plan, payload []byte) error {
	if !s.tellable(p, payload[1:]) || !plan.Is[*plan.Forward](p) || s.prepared.IsFull(0) {
		return s.outcomeUnknown()
	}
	before := s.last.Keep()
	err := s.forwardPrepare(p, payload)
	if err == nil && !s.response.Failed {
		s.last.Back(before)
	}
	return err
}

// tellable reports whether tunic can answer a question when it is asked.
func (s *Session) tellable(p *plan.Plan, text []byte) bool {
	if p.Statements[0].Kind == sql.GetDiagnostics || len(s.countsAsked(text)) > 0 {
		return true
	}
	_, ok := s.shownWarnings(text)
	return ok
}

// outcome is the answer to a question: what tunic has to say of the statement
// before, and behind it what the server has, if it got the statement. A plain
// server has both in the order of the rows that they are of.
func (s *Session) outcome(errorsOnly bool, rows [][]string, counted bool) [][]wire.Cell {
	if counted {
		if len(rows) != 1 || len(rows[0]) != 1 {
			return [][]wire.Cell{{}}
		}
		return [][]wire.Cell{{{Bytes: strconv.AppendInt(nil, int64(s.noticesWith(errorsOnly, rows[0][0])), 10)}}}
	}
	own, _ := s.notices(errorsOnly)
	if s.serversPast() {
		rows = nil
	}
	if s.exec != nil {
		s.exec.TellAgain()
	}
	for _, row := range rows {
		if len(row) != len("lcm") {
			return [][]wire.Cell{{}}
		}
		number, _ := strconv.Atoi(row[1])
		own = append(own, outcome.Notice(row[0], number, s.exec.Translate(uint16(number), []byte(row[2]))))
	}
	return own
}

// serversPast reports whether what the server has to say is of an older statement, or has
// been told.
func (s *Session) serversPast() bool {
	return s.last.IsRefused() || s.exec != nil && s.exec.Notices().Whole()
}

// leaveOutcome is before a statement that the server gets: what there is to say of the
// one before it is past.
func (s *Session) leaveOutcome() {
	if s.last.IsOwn() {
		s.last.Leave(s.noticeCount())
	}
}

func (s *Session) noticeCount() int {
	if s.exec == nil {
		return 0
	}
	return s.exec.Notices().Count()
}

// passes is after statements that have had no warnings of their own.
func (s *Session) passes(p *plan.Plan) {
	if s.state.Modes()&sql.MariaDB != 0 {
		s.last.PassesOver(p)
	}
}

// recall makes the past outcome the one that is asked about, if the server still has a
// list and no statement since has had anything to say. Of what tunic has refused the server has no list; on MariaDB no
// statement since has dropped it. told is true if the client has been told that it is not known any more.
func (s *Session) recall() (told bool, err error) {
	over := s.last.IsPastOver(s.noticeCount())
	switch refused := s.last.IsPastRefused() && s.state.Modes()&sql.MariaDB != 0; {
	case refused && (over || s.last.IsDoubted()):
		return true, s.outcomeUnknown()
	case over:
		return false, nil
	case refused:
		s.last.Recall()
		return false, nil
	}
	_, rows, err := s.server.Rows([]byte("SHOW WARNINGS"))
	s.last.Counts.Disturb()
	if errors.Is(err, backend.ErrAnswered) {
		return false, nil
	}
	if err == nil && len(rows) == 0 { // a list that it has later is of a later statement
		s.last.Passes()
		return false, nil
	}
	if err != nil {
		return true, s.brokenBefore(err)
	}
	s.last.Recall()
	return false, nil
}

// notices are the warnings and errors of tunic's own, and how many there are.
func (s *Session) notices(errorsOnly bool) (rows [][]wire.Cell, count int) {
	if s.last.IsNoted() {
		for _, n := range s.exec.Notices().All() {
			if !errorsOnly || n.Level == value.Error {
				rows = append(rows, outcome.Notice(n.Level.String(), int(n.Code), n.Message))
			}
		}
		count = len(rows)
		if !errorsOnly {
			count = s.exec.Notices().Count()
		}
	}
	if refused := s.last.Refusal(); count == 0 && refused != nil {
		return [][]wire.Cell{outcome.Notice("Error", int(refused.Number), []byte(refused.Message))}, 1
	}
	return rows, count
}

// sessionStatus are the flags of an answer that speak of the session.
const sessionStatus = wire.StatusInTransaction | wire.StatusAutocommit | wire.StatusInReadOnlyTrans | wire.StatusNoBackslashEscapes | wire.StatusANSIQuotes

// answerIn writes a result, whose cells are text or binary.
func (s *Session) answerIn(columns []wire.ColumnDefinition, rows [][]wire.Cell, warnings uint16, binary bool) error {
	status := s.response.Status & sessionStatus
	w := s.client.BeginResult(s.caps, columns, status, binary)
	for _, cells := range rows {
		if err := w.Row(cells); err != nil {
			return err
		}
	}
	return w.End(status, warnings)
}

// outcomeUnknown refuses a question. What was refused before it stays what can be
// asked about.
func (s *Session) outcomeUnknown() error {
	before := s.last.Keep()
	err := s.fail(sqlerr.OutcomeUnknown())
	s.last.Back(before)
	return err
}
