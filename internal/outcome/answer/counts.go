package answer

import (
	"strconv"

	"tunic/internal/outcome"
	"tunic/internal/sql"
	"tunic/internal/wire"
)

// Counts answers a question that asks for nothing but counts. The server is asked the
// same, for the columns, and for what it has counted itself. Of one that is prepared it has
// said what there is to warn of.
func (t *Teller) Counts(text []byte, prepared, binary bool) (Answer, error) {
	asked := t.countsAsked(text)
	if len(asked) == 0 {
		return Answer{}, ErrUnknown
	}
	columns, rows, warnings, err := t.Server.RowsWarned(text)
	if err != nil {
		return Answer{}, unanswered(err)
	}
	if len(rows) != 1 || len(columns) != len(asked) {
		return Answer{}, ErrUnknown
	}
	cells := make([]wire.Cell, len(asked))
	for i, it := range asked {
		if it.OfWarnings() && prepared && warnings > 0 { // which are those of the text
			return Answer{}, ErrUnknown
		}
		var ok bool
		if cells[i].Bytes, ok = t.countOf(it, rows[0][i]); !ok {
			return Answer{}, ErrUnknown
		}
	}
	if binary && !outcome.InBinary(cells, columns) {
		return Answer{}, ErrUnknown
	}
	// The server has got this query as the client has written it. MySQL has no warnings
	// behind it, MariaDB those that there were.
	t.Last.Counts.Answered()
	if t.Modes&sql.MariaDB == 0 {
		t.Last.Begins()
	}
	if prepared {
		warnings = 0
	}
	return Answer{columns, [][]wire.Cell{cells}, warnings, binary}, nil
}

// countsAsked are the counts that a text asks for, if it asks for nothing else.
func (t *Teller) countsAsked(text []byte) []sql.Count {
	read, err := sql.Parse(text, t.Modes)
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
func (t *Teller) countOf(asked sql.Count, servers string) (text []byte, ok bool) {
	if asked.OfWarnings() {
		return strconv.AppendInt(nil, int64(t.noticesWith(asked == sql.ErrorCount, servers)), 10), true
	}
	return t.Last.Rows(asked, servers)
}
