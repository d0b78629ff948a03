package answer

import (
	"errors"
	"strconv"

	"tunic/internal/backend"
	"tunic/internal/outcome"
	"tunic/internal/plan"
	"tunic/internal/sql"
	"tunic/internal/wire"
)

// Warnings answers a question about the statement that tunic has refused or
// executed, for what the server has to say of it besides. The answer is binary to the execution of a statement that
// is prepared.
func (t *Teller) Warnings(text []byte, inBinary bool) (Answer, error) {
	asked, ok := t.shownWarnings(text)
	if !ok {
		return Answer{}, ErrUnknown
	}
	columns, rows, err := t.Server.Rows(asked.All())
	if err != nil {
		return Answer{}, unanswered(err)
	}
	told := t.outcome(asked.Errors, rows, asked.Count)
	for _, cells := range told {
		if len(cells) != len(columns) || inBinary && !outcome.InBinary(cells, columns) {
			return Answer{}, ErrUnknown
		}
	}
	t.Last.Counts.Fail() // as after everything that returns rows
	return Answer{Columns: columns, Rows: asked.Limit(told), Binary: inBinary}, nil
}

// shownWarnings is what a text asks for that is a SHOW WARNINGS or SHOW ERRORS.
func (t *Teller) shownWarnings(text []byte) (asked outcome.Shown, ok bool) {
	read, err := sql.Parse(text, t.Modes)
	if err != nil || len(read) != 1 {
		return asked, false
	}
	asked.ShownWarnings, ok = read[0].ShownWarnings()
	return asked, ok
}

// Answers reports whether tunic can answer a question when it is asked.
func (t *Teller) Answers(p *plan.Plan, text []byte) bool {
	if p.Statements[0].Kind == sql.GetDiagnostics || len(t.countsAsked(text)) > 0 {
		return true
	}
	_, ok := t.shownWarnings(text)
	return ok
}

// outcome is the answer to a question: what tunic has to say of the statement
// before, and behind it what the server has, if it got the statement. A plain
// server has both in the order of the rows that they are of.
func (t *Teller) outcome(errorsOnly bool, rows [][]string, counted bool) [][]wire.Cell {
	if counted {
		if len(rows) != 1 || len(rows[0]) != 1 {
			return [][]wire.Cell{{}}
		}
		return [][]wire.Cell{{{Bytes: strconv.AppendInt(nil, int64(t.noticesWith(errorsOnly, rows[0][0])), 10)}}}
	}
	own, _ := t.notices(errorsOnly)
	if t.serversPast() {
		rows = nil
	}
	if t.Carried != nil {
		t.Carried.TellAgain()
	}
	for _, row := range rows {
		if len(row) != len("lcm") {
			return [][]wire.Cell{{}}
		}
		number, _ := strconv.Atoi(row[1])
		own = append(own, outcome.Notice(row[0], number, t.Carried.Translate(uint16(number), []byte(row[2]))))
	}
	return own
}

// Recall makes the past outcome the one that is asked about, if the server still has a
// list and no statement since has had anything to say. Of what tunic has refused the server has no list; on MariaDB no
// statement since has dropped it. It is ErrUnknown if it is not known any more.
func (t *Teller) Recall() error {
	over := t.Last.IsPastOver(t.noticeCount())
	switch refused := t.Last.IsPastRefused() && t.Modes&sql.MariaDB != 0; {
	case refused && (over || t.Last.IsDoubted()):
		return ErrUnknown
	case over:
		return nil
	case refused:
		t.Last.Recall()
		return nil
	}
	_, rows, err := t.Server.Rows([]byte("SHOW WARNINGS"))
	t.Last.Counts.Disturb()
	if errors.Is(err, backend.ErrAnswered) {
		return nil
	}
	if err == nil && len(rows) == 0 { // a list that it has later is of a later statement
		t.Last.Passes()
		return nil
	}
	if err != nil {
		return &BrokenError{err}
	}
	t.Last.Recall()
	return nil
}

func (t *Teller) noticeCount() int {
	if t.Carried == nil {
		return 0
	}
	return t.Carried.Notices().Count()
}
