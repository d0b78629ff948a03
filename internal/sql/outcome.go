package sql

import (
	"strconv"
	"strings"
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
	if s.Kind != ShowWarnings || !c.accept("SHOW") {
		return w, false
	}
	if c.accept("COUNT") {
		c.skipParens()
		w.Count = true
	}
	w.Errors = c.is("ERRORS")
	if !c.accept("WARNINGS", "ERRORS") {
		return w, false
	}
	if c.finished() {
		return w, true
	}
	return w, !w.Count && c.accept("LIMIT") && shownLimit(&c, &w) && c.finished()
}

// shownLimit reads what is behind LIMIT.
func shownLimit(c *cursor, w *ShownWarnings) (ok bool) {
	w.Limited = true
	if w.Rows, ok = shownCount(c); !ok {
		return false
	}
	switch {
	case c.t == tokenComma:
		c.next()
		w.Offset = w.Rows
		w.Rows, ok = shownCount(c)
	case c.accept("OFFSET"):
		w.Offset, ok = shownCount(c)
	}
	return ok
}

// shownCount reads a number without a sign.
func shownCount(c *cursor) (uint64, bool) {
	n, err := strconv.ParseUint(string(c.text()), 10, 64)
	if c.t != tokenNumber || err != nil {
		return 0, false
	}
	c.next()
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
	if s.Kind != Select || !c.accept("SELECT") {
		return nil, false
	}
	for {
		n, ok := readCountAsked(&c)
		if !ok || !skipAlias(&c) {
			return nil, false
		}
		asked = append(asked, n)
		if c.t != tokenComma {
			break
		}
		c.next()
	}
	c.accepts("FROM", "DUAL")
	if !c.finished() { // something else is asked for as well, which may be of any table
		return nil, false
	}
	return asked, true
}

// readCountAsked reads one count.
func readCountAsked(c *cursor) (n Count, ok bool) {
	if c.t == tokenSysVar {
		name := strings.ToLower(strings.ReplaceAll(string(c.text()), "`", ""))
		scope, name, scoped := strings.Cut(strings.TrimPrefix(name, "@@"), ".")
		if !scoped {
			scope, name = "session", scope
		}
		n, ok = countVariables[name]
		c.next()
		return n, ok && (scope == "session" || scope == "local")
	}
	name, _ := c.name()
	n, ok = countFunctions[strings.ToLower(name)]
	if !ok || c.t != tokenOpen {
		return 0, false
	}
	c.next()
	if c.t != tokenClose {
		return 0, false
	}
	c.next()
	return n, true
}

// skipAlias reads what an item of a list is called, if that is said.
func skipAlias(c *cursor) bool {
	as := c.accept("AS")
	if !as && (c.is("FROM") || c.t != tokenWord && c.t != tokenQuoted && c.t != tokenString) {
		return true
	}
	if c.t == tokenString {
		c.next()
		return true
	}
	_, ok := c.name()
	return ok
}
