package session

import (
	"errors"
	"strconv"

	"tunic/internal/backend"
	"tunic/internal/exec"
	"tunic/internal/plan"
	"tunic/internal/sql"
	"tunic/internal/wire"
)

// ROW_COUNT() and FOUND_ROWS() are the server's, of the statements that it has got. Of a
// query that tunic has finished itself the server has counted other rows than the client
// got, and tunic answers what it has counted itself.

// counts is who knows what a function counts.
type counts struct {
	by countedBy
	n  int64 // if it is tunic
}

type countedBy uint8

const (
	countedByServer countedBy = iota
	countedHere
	countedByNobody
)

// rowCounts are what ROW_COUNT() and FOUND_ROWS() are of.
type rowCounts struct{ changed, found counts }

// known reports whether the server knows both.
func (c *rowCounts) known() bool {
	return c.changed.by == countedByServer && c.found.by == countedByServer
}

// disturb notes that the server was asked something by tunic.
func (c *rowCounts) disturb() {
	c.changed.by = countedByNobody
	if c.found.by == countedByServer {
		c.found.by = countedByNobody
	}
}

// pass notes that the server gets the statements of a plan from the client. Those that
// are no queries leave FOUND_ROWS() as it was.
func (c *rowCounts) pass(p *plan.Plan) {
	c.changed.by = countedByServer
	if c.found.by == countedByServer {
		return
	}
	for i := range p.Statements {
		switch p.Statements[i].Kind {
		case sql.Select, sql.SetOperation, sql.Values, sql.Table:
			c.found.by = countedByServer
		case sql.Set, sql.Insert, sql.Replace, sql.Update, sql.Delete, sql.Begin, sql.Commit, sql.Rollback, sql.Use, sql.ShowWarnings:
		default:
			c.found.by = countedByNobody
		}
	}
}

// carry notes what a statement that was carried out has counted.
func (c *rowCounts) carry(x *exec.Session) {
	if !x.Uncounted() {
		c.changed.by, c.found.by = countedByServer, countedByServer
		return
	}
	if n, ok := x.Found(); ok {
		c.found = counts{countedHere, int64(n)}
		c.changed = counts{countedHere, -1} // of what returns rows
		return
	}
	c.disturb()
	if n, ok := x.Changed(); ok {
		c.changed = counts{countedHere, int64(n)}
	}
}

// hold notes what a statement has counted that has set user variables: before is what
// FOUND_ROWS() was of, which a SET leaves as it was.
func (c *rowCounts) hold(before counts, set bool, rows int) {
	if !set {
		c.changed, c.found = counts{countedHere, int64(rows)}, counts{countedHere, int64(rows)}
		return
	}
	c.changed, c.found = counts{countedHere, 0}, before
	if before.by == countedByServer { // it was asked for the values
		c.found.by = countedByNobody
	}
}

// tellCounts answers a question that asks for nothing but what tunic knows. The server
// is asked the same, for the columns.
func (s *Session) tellCounts(text []byte, binary bool) error {
	asked := plan.CountsAsked(text, s.state.modes)
	cells := make([]wire.Cell, 0, len(asked))
	for _, name := range asked {
		of := s.rowCounts.changed
		if name == "found_rows" {
			of = s.rowCounts.found
		}
		if of.by != countedHere {
			return s.outcomeUnknown()
		}
		cells = append(cells, wire.Cell{Bytes: appendCount(nil, of.n, binary)})
	}
	if len(cells) == 0 {
		return s.outcomeUnknown()
	}
	columns, _, warnings, err := s.server.RowsWarned(text)
	switch {
	case errors.Is(err, backend.ErrAnswered):
		return s.outcomeUnknown()
	case err != nil:
		s.response.Begin(wire.ComQuery, s.server.Capabilities, s.client.Sequence())
		return s.answerBroken(err)
	case len(columns) != len(cells):
		return s.outcomeUnknown()
	}
	for i := range columns {
		if columns[i].Type != wire.TypeLongLong {
			return s.outcomeUnknown()
		}
	}
	// The server has got this query as the client has written it.
	s.rowCounts, s.refused, s.noted = rowCounts{}, nil, false
	if binary { // it has warned when the statement was prepared
		warnings = 0
	}
	return s.answerIn(columns, [][]wire.Cell{cells}, warnings, binary)
}

// appendCount appends a BIGINT.
func appendCount(dst []byte, n int64, binaryForm bool) []byte {
	if !binaryForm {
		return strconv.AppendInt(dst, n, 10)
	}
	for shift := 0; shift < 64; shift += 8 {
		dst = append(dst, byte(uint64(n)>>shift))
	}
	return dst
}
