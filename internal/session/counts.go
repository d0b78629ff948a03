package session

import (
	"strconv"

	"tunic/internal/binding"
	"tunic/internal/outcome"
	"tunic/internal/plan"
	"tunic/internal/sql"
	"tunic/internal/sqlerr"
	"tunic/internal/value"
	"tunic/internal/wire"
)

// tellCount is ROW_COUNT() or FOUND_ROWS(), for a statement that is executed here.
func (s *Session) tellCount(of string) (binding.Variable, error) {
	n, ok := s.last.Counts.Value(of)
	if !ok {
		return binding.Variable{}, sqlerr.OutcomeUnknown()
	}
	return binding.Variable{Source: value.IntSource(n)}, nil
}

// asksCounts reports whether a text, whose plan is p, asks for a count of which tunic knows, or
// nobody. What is executed here is told of the counts of rows.
func (s *Session) asksCounts(p *plan.Plan, text []byte) bool {
	rows, warnings := s.last.Uncertain()
	if !rows && !warnings {
		return false
	}
	asked := s.asked(text)
	return rows && asked.Rows && !outcome.TellsCounts(p) || warnings && asked.Warnings
}

// tellCounts answers a question that asks for nothing but counts. The server is asked the
// same, for the columns, and for what it has counted itself. Of one that is prepared it has
// said what there is to warn of.
func (s *Session) tellCounts(text []byte, prepared, binary bool) error {
	asked := s.countsAsked(text)
	if len(asked) == 0 {
		return s.outcomeUnknown()
	}
	columns, rows, warnings, err := s.server.RowsWarned(text)
	if err != nil {
		return s.unanswered(err)
	}
	if len(rows) != 1 || len(columns) != len(asked) {
		return s.outcomeUnknown()
	}
	cells := make([]wire.Cell, len(asked))
	for i, it := range asked {
		if it.OfWarnings() && prepared && warnings > 0 { // which are those of the text
			return s.outcomeUnknown()
		}
		var ok bool
		if cells[i].Bytes, ok = s.countOf(it, rows[0][i]); !ok {
			return s.outcomeUnknown()
		}
	}
	if binary && !outcome.InBinary(cells, columns) {
		return s.outcomeUnknown()
	}
	// The server has got this query as the client has written it. MySQL has no warnings
	// behind it, MariaDB those that there were.
	s.last.Counts.Answered()
	if s.state.Modes()&sql.MariaDB == 0 {
		s.last.Begins()
	}
	if prepared {
		warnings = 0
	}
	return s.answerIn(columns, [][]wire.Cell{cells}, warnings, binary)
}

// countsAsked are the counts that a text asks for, if it asks for nothing else.
func (s *Session) countsAsked(text []byte) []sql.Count {
	read, err := sql.Parse(text, s.state.Modes())
	if err != nil || len(read) != 1 {
		return nil
	}
	asked, ok := read[0].Counts()
	if !ok {
		return nil
	}
	return asked
}

// countOf is a count that was asked for, where the server has counted so many; ok is false
// if nobody knows it.
func (s *Session) countOf(asked sql.Count, servers string) (text []byte, ok bool) {
	if asked.OfWarnings() {
		return strconv.AppendInt(nil, int64(s.noticesWith(asked == sql.ErrorCount, servers)), 10), true
	}
	return s.last.Rows(asked, servers)
}

// noticesWith is how many warnings and errors, or errors, the statement before had, where
// the server has counted so many.
func (s *Session) noticesWith(errorsOnly bool, servers string) int {
	_, count := s.notices(errorsOnly)
	if !s.serversPast() {
		n, _ := strconv.Atoi(servers)
		count += n
	}
	return count
}
