package answer

import (
	"errors"
	"strconv"

	"tunic/internal/backend"
	"tunic/internal/binding"
	"tunic/internal/outcome"
	"tunic/internal/sql"
	"tunic/internal/value"
	"tunic/internal/wire"
)

// Server is asked what it knows of the statement before. A backend.Conn is one.
type Server interface {
	Rows(text []byte) (columns []wire.ColumnDefinition, rows [][]string, err error)
	RowsWarned(text []byte) (columns []wire.ColumnDefinition, rows [][]string, warnings uint16, err error)
}

// Carried is what has carried out the statement before, if tunic has. An exec.Session is one.
type Carried interface {
	Notices() *binding.Notices
	// TellAgain begins with the first of the warnings that the server has, and Translate is one of them in the
	// words of the logical statement.
	TellAgain()
	Translate(number uint16, message []byte) []byte
}

// Teller answers one question.
type Teller struct {
	Last    *outcome.Last
	Server  Server
	Carried Carried // nil if tunic has carried out nothing yet
	Modes   sql.Modes
}

// ErrUnknown says that there is no answer: nobody knows it, or the question has a form in which it is not answered.
var ErrUnknown = errors.New("the outcome is not known")

// BrokenError says that the server's connection has broken while it was asked.
type BrokenError struct{ Err error }

// Error implements error.
func (e *BrokenError) Error() string { return "ask about the outcome: " + e.Err.Error() }

// Unwrap implements the interface of package errors.
func (e *BrokenError) Unwrap() error { return e.Err }

// unanswered is after a question that the server has not answered with rows: what there is
// to say is not known, or the session is over.
func unanswered(err error) error {
	if errors.Is(err, backend.ErrAnswered) {
		return ErrUnknown
	}
	return &BrokenError{err}
}

// Answer is a result for the client. Its cells are text or binary.
type Answer struct {
	Columns  []wire.ColumnDefinition
	Rows     [][]wire.Cell
	Warnings uint16
	Binary   bool
}

// notices are the warnings and errors of tunic's own, and how many there are.
func (t *Teller) notices(errorsOnly bool) (rows [][]wire.Cell, count int) {
	if t.Last.IsNoted() {
		for _, n := range t.Carried.Notices().All() {
			if !errorsOnly || n.Level == value.Error {
				rows = append(rows, outcome.Notice(n.Level.String(), int(n.Code), n.Message))
			}
		}
		count = len(rows)
		if !errorsOnly {
			count = t.Carried.Notices().Count()
		}
	}
	if refused := t.Last.Refusal(); count == 0 && refused != nil {
		return [][]wire.Cell{outcome.Notice("Error", int(refused.Number), []byte(refused.Message))}, 1
	}
	return rows, count
}

// serversPast reports whether what the server has to say is of an older statement, or has
// been told.
func (t *Teller) serversPast() bool {
	return t.Last.IsRefused() || t.Carried != nil && t.Carried.Notices().Whole()
}

// noticesWith is how many warnings and errors, or errors, the statement before had, where
// the server has counted so many.
func (t *Teller) noticesWith(errorsOnly bool, servers string) int {
	_, count := t.notices(errorsOnly)
	if !t.serversPast() {
		n, _ := strconv.Atoi(servers)
		count += n
	}
	return count
}
