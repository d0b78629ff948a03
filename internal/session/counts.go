package session

import (
	"slices"
	"strconv"

	"tunic/internal/exec"
	"tunic/internal/plan"
	"tunic/internal/recipe"
	"tunic/internal/sql"
	"tunic/internal/sqlerr"
	"tunic/internal/value"
	"tunic/internal/wire"
)

// ROW_COUNT() and FOUND_ROWS() are the server's, of the statements that it has got. Of a
// query that tunic has finished itself the server has counted other rows than the client
// got, and tunic answers what it has counted itself.

// counts is who knows what a function counts.
type counts struct {
	by    countedBy
	n     int64 // if it is tunic
	heard bool  // it is the server, and tunic knows as well
}

type countedBy uint8

const (
	countedByServer countedBy = iota
	countedHere
	countedByNobody
)

// elsewhere is what is known when the server was asked something by tunic.
func (c counts) elsewhere() counts {
	switch {
	case c.by != countedByServer:
		return c
	case c.heard:
		return counts{by: countedHere, n: c.n}
	default:
		return counts{by: countedByNobody}
	}
}

// rowCounts are what ROW_COUNT() and FOUND_ROWS() are of.
type rowCounts struct{ changed, found counts }

// known reports whether the server knows both.
func (c *rowCounts) known() bool {
	return c.changed.by == countedByServer && c.found.by == countedByServer
}

// disturb notes that the server was asked something by tunic.
func (c *rowCounts) disturb() {
	c.changed.by = countedByNobody
	c.found = c.found.elsewhere()
}

// fail notes that a statement has failed, or returned rows, of which the server does not
// know. It leaves FOUND_ROWS() as it was.
func (c *rowCounts) fail() { c.changed = counts{by: countedHere, n: -1} }

// pass notes that the server gets the statements of a plan from the client. Those that
// are no queries leave FOUND_ROWS() as it was.
func (c *rowCounts) pass(p *plan.Plan) {
	c.changed = counts{}
	if c.found == (counts{}) {
		return
	}
	for i := range p.Statements {
		switch p.Statements[i].Kind {
		case sql.Select, sql.SetOperation, sql.Table:
			c.found = counts{}
		case sql.Set, sql.Insert, sql.Replace, sql.Update, sql.Delete, sql.Begin, sql.Commit, sql.Rollback, sql.Use, sql.ShowWarnings:
		default:
			if c.found.heard = false; c.found.by == countedHere {
				c.found.by = countedByNobody
			}
		}
	}
}

// asksForRows reports whether a plan is that of a query, or of queries.
func asksForRows(p *plan.Plan) bool {
	return p != nil && slices.ContainsFunc(p.Statements, func(s plan.Statement) bool { return isQuery(s.Kind) })
}

// passed notes whether the server has carried out what it got; before is what FOUND_ROWS() was of. A
// query that fails leaves it as it was.
func (c *rowCounts) passed(before counts, failed bool) {
	if failed && before.by != countedByServer {
		c.found = counts{by: countedByNobody}
	}
}

// carry notes what a statement that was carried out has counted.
func (c *rowCounts) carry(x *exec.Session) {
	found, returned := x.Found()
	changed, wrote := x.Changed()
	switch {
	case !x.Uncounted() && x.LeavesFound():
		if c.changed = (counts{}); c.found.heard { // the server may have been asked for its settings
			c.found = c.found.elsewhere()
		}
		return
	case !x.Uncounted():
		c.changed, c.found = counts{}, counts{n: int64(found), heard: returned}
		return
	}
	c.disturb()
	switch {
	case returned:
		c.found = counts{by: countedHere, n: int64(found)}
	case !x.LeavesFound():
		c.found = counts{by: countedByNobody}
	}
	switch {
	case wrote:
		c.changed = counts{by: countedHere, n: int64(changed)}
	case returned:
		c.changed = counts{by: countedHere, n: -1} // of what returns rows
	}
}

// prepare notes that the server has prepared a statement, which leaves everything as it was
// before; stood says that tunic has asked it for the flags of the session as well.
func (c *rowCounts) prepare(before rowCounts, stood bool) {
	if *c = before; c.found.heard {
		c.found = c.found.elsewhere()
	}
	if stood {
		c.changed = c.changed.elsewhere()
	}
}

// hold notes what a statement has counted that has set user variables: before is what
// FOUND_ROWS() was of, which a SET leaves as it was, and asked says that it is asked for how many rows
// there were without a LIMIT.
func (c *rowCounts) hold(before counts, set, asked bool, rows int) {
	if !set {
		c.changed = counts{by: countedHere, n: int64(rows)}
		if c.found = c.changed; asked {
			c.found = counts{by: countedByNobody}
		}
		return
	}
	c.changed, c.found = counts{by: countedHere}, before.elsewhere() // the server was asked for the values
}

// hear takes over what the server has told of the last statement of a plan, if that says what
// ROW_COUNT() is: the OK of a routine does not.
func (c *rowCounts) hear(p *plan.Plan, r *wire.Response) {
	if c.changed.by != countedByServer || p == nil || len(p.Statements) == 0 {
		return
	}
	last := p.Statements[len(p.Statements)-1].Kind
	switch {
	case r.Failed:
		c.changed.n, c.changed.heard = -1, true
	case r.Returned:
		c.changed.n, c.changed.heard = -1, isQuery(last)
	case last != sql.Call && last != sql.Execute && last != sql.ExecuteImmediate:
		c.changed.n, c.changed.heard = int64(r.Affected), true
	}
}

func isQuery(k sql.Kind) bool { return k == sql.Select || k == sql.SetOperation || k == sql.Table }

// told is the value, if tunic knows it.
func (c counts) told() (n int64, ok bool) {
	return c.n, c.by == countedHere || c.by == countedByServer && c.heard
}

// tellCount is ROW_COUNT() or FOUND_ROWS(), for a statement that is carried out here.
func (s *Session) tellCount(of string) (exec.Variable, error) {
	c := s.rowCounts.changed
	if of == recipe.FoundRows {
		c = s.rowCounts.found
	}
	n, ok := c.told()
	if !ok {
		return exec.Variable{}, sqlerr.OutcomeUnknown()
	}
	return exec.Variable{Source: value.IntSource(n)}, nil
}

// asksCounts reports whether a text, whose plan is p, asks for a count of which tunic knows, or
// nobody. What is carried out here is told of the counts of rows.
func (s *Session) asksCounts(p *plan.Plan, text []byte) bool {
	rows, warnings := s.uncertain()
	if !rows && !warnings {
		return false
	}
	asked := s.asked(text)
	return rows && asked.Rows && !isToldCounts(p) || warnings && asked.Warnings
}

// isToldCounts reports whether a plan is that of a statement which is told of counts.
func isToldCounts(p *plan.Plan) bool {
	return p != nil && p.Action == plan.Carry && p.Run != nil && p.Run.TellsCounts()
}

// uncertain reports whether the server does not know all counts of rows, or of warnings.
func (s *Session) uncertain() (rows, warnings bool) {
	return !s.rowCounts.known() || s.refused != nil, s.refused != nil || s.noted
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
	keeps := false
	for i, it := range asked {
		if it.OfWarnings() && prepared && warnings > 0 { // which are those of the text
			return s.outcomeUnknown()
		}
		var ok bool
		if cells[i].Bytes, ok = s.countOf(it, rows[0][i]); !ok {
			return s.outcomeUnknown()
		}
		keeps = keeps || it.OfWarnings()
	}
	if binary && !numbersBinary(cells, columns) {
		return s.outcomeUnknown()
	}
	// The server has got this query as the client has written it. MySQL has no warnings
	// behind it, MariaDB those that it was asked about.
	s.rowCounts = rowCounts{found: counts{n: 1, heard: true}}
	if !keeps || s.state.modes&sql.MariaDB == 0 {
		s.refused, s.noted = nil, false
	}
	if prepared {
		warnings = 0
	}
	return s.answerIn(columns, [][]wire.Cell{cells}, warnings, binary)
}

// countsAsked are the counts that a text asks for, if it asks for nothing else.
func (s *Session) countsAsked(text []byte) []sql.Count {
	read, err := sql.Parse(text, s.state.modes)
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
	of := s.rowCounts.changed
	switch asked {
	case sql.RowCount:
		if s.refused != nil {
			of = counts{by: countedHere, n: -1}
		}
	case sql.FoundRows:
		of = s.rowCounts.found
	case sql.WarningCount, sql.ErrorCount:
		return strconv.AppendInt(nil, int64(s.noticesWith(asked == sql.ErrorCount, servers)), 10), true
	}
	switch of.by {
	case countedByServer:
		return []byte(servers), true
	case countedHere:
		return strconv.AppendInt(nil, of.n, 10), true
	default:
		return nil, false
	}
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
