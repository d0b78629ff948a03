package sql

import (
	"strconv"
	"strings"

	"tunic/internal/sql/lex"
)

// ShownWarnings is what SHOW WARNINGS and SHOW ERRORS ask about the statement before them.
type ShownWarnings struct {
	Errors bool // and nothing else
	Count  bool // how many there are, whatever the rows of a LIMIT
	// Offset rows of the list are left out, and Rows are shown at most; all where Limited is
	// false.
	Limited      bool
	Offset, Rows uint64
}

// ShownWarnings reads a SHOW WARNINGS or SHOW ERRORS whose LIMIT, if it has one, is written
// out (MySQL manual, "SHOW WARNINGS Statement"). ok is false for any other.
func (s *Statement) ShownWarnings() (w ShownWarnings, ok bool) {
	c := s.cursor()
	if s.Kind != ShowWarnings || !c.Accept("SHOW") {
		return w, false
	}
	if c.Accept("COUNT") {
		c.SkipParens()
		w.Count = true
	}
	w.Errors = c.Is("ERRORS")
	if !c.Accept("WARNINGS", "ERRORS") {
		return w, false
	}
	if c.Finished() {
		return w, true
	}
	return w, !w.Count && c.Accept("LIMIT") && shownLimit(&c, &w) && c.Finished()
}

// shownLimit reads what is behind LIMIT.
func shownLimit(c *lex.Cursor, w *ShownWarnings) (ok bool) {
	w.Limited = true
	if w.Rows, ok = shownCount(c); !ok {
		return false
	}
	switch {
	case c.Token == lex.Comma:
		c.Next()
		w.Offset = w.Rows
		w.Rows, ok = shownCount(c)
	case c.Accept("OFFSET"):
		w.Offset, ok = shownCount(c)
	}
	return ok
}

// shownCount reads a number without a sign.
func shownCount(c *lex.Cursor) (uint64, bool) {
	n, err := strconv.ParseUint(string(c.Text()), 10, 64)
	if c.Token != lex.Number || err != nil {
		return 0, false
	}
	c.Next()
	return n, true
}

// Count is something that can be asked about the statement before.
type Count uint8

// The counts.
const (
	RowCount     Count = iota // ROW_COUNT()
	FoundRows                 // FOUND_ROWS()
	WarningCount              // @@warning_count
	ErrorCount                // @@error_count
)

// OfWarnings reports whether it is a count of warnings or errors.
func (c Count) OfWarnings() bool { return c == WarningCount || c == ErrorCount }

var (
	countFunctions = map[string]Count{"row_count": RowCount, "found_rows": FoundRows}
	countVariables = map[string]Count{"warning_count": WarningCount, "error_count": ErrorCount}
)

// Counts are the counts that a statement is a SELECT of and of nothing else; ok is false of
// any other.
func (s *Statement) Counts() (asked []Count, ok bool) {
	c := s.cursor()
	if s.Kind != Select || !c.Accept("SELECT") {
		return nil, false
	}
	for {
		n, ok := readCountAsked(&c)
		if !ok || !skipAlias(&c) {
			return nil, false
		}
		asked = append(asked, n)
		if c.Token != lex.Comma {
			break
		}
		c.Next()
	}
	c.Accepts("FROM", "DUAL")
	if !c.Finished() { // something else is asked for as well, which may be of any table
		return nil, false
	}
	return asked, true
}

// readCountAsked reads one count.
func readCountAsked(c *lex.Cursor) (n Count, ok bool) {
	if c.Token == lex.SysVar {
		name := strings.ToLower(strings.ReplaceAll(string(c.Text()), "`", ""))
		scope, name, scoped := strings.Cut(strings.TrimPrefix(name, "@@"), ".")
		if !scoped {
			scope, name = "session", scope
		}
		n, ok = countVariables[name]
		c.Next()
		return n, ok && (scope == "session" || scope == "local")
	}
	name, _ := c.Name()
	n, ok = countFunctions[strings.ToLower(name)]
	if !ok || c.Token != lex.Open {
		return 0, false
	}
	c.Next()
	if c.Token != lex.Close {
		return 0, false
	}
	c.Next()
	return n, true
}

// skipAlias reads what an item of a list is called, if that is said.
func skipAlias(c *lex.Cursor) bool {
	as := c.Accept("AS")
	if !as && (c.Is("FROM") || c.Token != lex.Word && c.Token != lex.Quoted && c.Token != lex.String) {
		return true
	}
	if c.Token == lex.String {
		c.Next()
		return true
	}
	_, ok := c.Name()
	return ok
}
