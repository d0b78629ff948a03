package session

import (
	"bytes"
	"errors"
	"strconv"

	"tunic/internal/backend"
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
func asksOutcome(p *plan.Plan, text []byte) bool {
	if len(p.Statements) == 0 {
		return false
	}
	switch p.Statements[0].Kind {
	case sql.ShowWarnings, sql.GetDiagnostics:
		return true
	default:
		return plan.ReadsCounts(text)
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

// tellOutcome answers a question about the statement that tunic has refused or
// carried out. The server is asked the same, for the columns, whose names, character
// set and sizes are its own, and for what it has to say itself.
//
// The answer is binary to the execution of a statement that is prepared.
func (s *Session) tellOutcome(text []byte, binary bool) error {
	asked, errorsOnly := s.questionOf(text)
	if asked == questionOther {
		return s.outcomeUnknown()
	}
	columns, rows, err := s.server.Rows(text)
	switch {
	case errors.Is(err, backend.ErrAnswered):
		return s.outcomeUnknown()
	case err != nil:
		s.response.Begin(wire.ComQuery, s.server.Capabilities, s.client.Sequence())
		return s.answerBroken(err)
	}
	told := s.outcome(errorsOnly, rows, asked)
	for _, cells := range told {
		if len(cells) != len(columns) || binary && !numbersBinary(cells, columns) {
			return s.outcomeUnknown()
		}
	}
	s.rowCounts.changed.by = countedByServer // it has been asked the same
	return s.answerIn(columns, told, 0, binary)
}

// questionOf is what a text asks of the statement before it, and whether it asks for
// errors alone.
func (s *Session) questionOf(text []byte) (asked question, errorsOnly bool) {
	template := bytes.ToUpper(bytes.TrimRight(s.fingerprinter.Fingerprint(text, s.state.modes).Template, " ;"))
	return questions[string(template)], bytes.Contains(template, []byte("ERROR"))
}

// numbersBinary makes binary cells of those that are numbers.
func numbersBinary(cells []wire.Cell, columns []wire.ColumnDefinition) bool {
	for i := range cells {
		bytesOf, number := integerBytes[columns[i].Type]
		if !number {
			continue
		}
		n, err := strconv.ParseUint(string(cells[i].Bytes), 10, 64)
		if err != nil {
			return false
		}
		cells[i].Bytes = appendCount(nil, int64(n), true)[:bytesOf]
	}
	return true
}

// integerBytes are the bytes of a number in a binary row.
var integerBytes = map[wire.Type]int{
	wire.TypeTiny: 1, wire.TypeShort: 2, wire.TypeInt24: 4, wire.TypeLong: 4, wire.TypeLongLong: 8,
}

// prepareOutcome has the server prepare a question about the statement before, which
// stays what is asked about.
func (s *Session) prepareOutcome(p *plan.Plan, payload []byte) error {
	if asked, _ := s.questionOf(payload[1:]); asked == questionOther || p.Action != plan.Forward || s.prepared.count() >= s.prepared.max {
		return s.outcomeUnknown()
	}
	before, noted, counts := s.refused, s.noted, s.rowCounts
	err := s.forwardPrepare(p, payload)
	if err == nil && !s.response.Failed {
		s.refused, s.noted, s.rowCounts = before, noted, counts
	}
	return err
}

// outcome is the answer to a question: what tunic has to say of the statement
// before, and behind it what the server has, if it got the statement. A plain
// server has both in the order of the rows that they are of.
func (s *Session) outcome(errorsOnly bool, rows [][]string, asked question) [][]wire.Cell {
	own, count := s.notices(errorsOnly)
	if s.refused != nil || s.carries != nil && s.carries.Notices().Whole() {
		rows = nil // they are of an older statement, or have been told
	}
	if asked == questionCount {
		if len(rows) == 1 && len(rows[0]) == 1 {
			n, _ := strconv.Atoi(rows[0][0])
			count += n
		}
		return [][]wire.Cell{{{Bytes: strconv.AppendInt(nil, int64(count), 10)}}}
	}
	if s.carries != nil {
		s.carries.TellAgain()
	}
	for _, row := range rows {
		if len(row) != len("lcm") {
			return [][]wire.Cell{{}}
		}
		number, _ := strconv.Atoi(row[1])
		own = append(own, notice(row[0], number, s.carries.Translate(uint16(number), []byte(row[2]))))
	}
	return own
}

// pastOutcome is what there was to say of a statement before the last one.
type pastOutcome struct {
	refused *sqlerr.Error
	noted   bool
	count   int // of the notices
}

func (p *pastOutcome) any() bool { return p.noted || p.refused != nil }

// leaveOutcome is before a statement that the server gets: what there is to say of the
// one before it is past.
func (s *Session) leaveOutcome() {
	if s.refused != nil || s.noted {
		s.past = pastOutcome{s.refused, s.noted, s.noticeCount()}
	}
	s.refused, s.noted = nil, false
}

func (s *Session) noticeCount() int {
	if s.carries == nil {
		return 0
	}
	return s.carries.Notices().Count()
}

// recall makes the past outcome the one that is asked about, if the server still has a
// list and no statement since has had anything to say.
func (s *Session) recall() error {
	if s.past.noted && s.past.count != s.noticeCount() {
		return nil
	}
	_, rows, err := s.server.Rows([]byte("SHOW WARNINGS"))
	if errors.Is(err, backend.ErrAnswered) || err == nil && len(rows) == 0 {
		return nil
	}
	if err != nil {
		s.response.Begin(wire.ComQuery, s.server.Capabilities, s.client.Sequence())
		return s.answerBroken(err)
	}
	s.refused, s.noted, s.past = s.past.refused, s.past.noted, pastOutcome{}
	return nil
}

// notices are the warnings and errors of tunic's own, and how many there are.
func (s *Session) notices(errorsOnly bool) (rows [][]wire.Cell, count int) {
	if s.noted {
		for _, n := range s.carries.Notices().All() {
			if !errorsOnly || n.Level == value.Error {
				rows = append(rows, notice(n.Level.String(), int(n.Code), n.Message))
			}
		}
		count = len(rows)
		if !errorsOnly {
			count = s.carries.Notices().Count()
		}
	}
	if count == 0 && s.refused != nil {
		return [][]wire.Cell{notice("Error", int(s.refused.Number), []byte(s.refused.Message))}, 1
	}
	return rows, count
}

// notice is a row of SHOW WARNINGS.
func notice(level string, number int, message []byte) []wire.Cell {
	return []wire.Cell{{Bytes: []byte(level)}, {Bytes: strconv.AppendInt(nil, int64(number), 10)}, {Bytes: message}}
}

// sessionStatus are the flags of an answer that speak of the session.
const sessionStatus = wire.StatusInTransaction | wire.StatusAutocommit | wire.StatusInReadOnlyTrans | wire.StatusNoBackslashEscapes

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
	before, noted, counts := s.refused, s.noted, s.rowCounts
	err := s.fail(sqlerr.OutcomeUnknown())
	s.refused, s.noted, s.rowCounts = before, noted, counts
	return err
}
