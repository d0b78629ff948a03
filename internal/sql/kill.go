package sql

import "strconv"

// KilledQuery is the number of the connection whose statement a KILL QUERY ends (MySQL manual, "KILL
// Statement"; TiDB documentation, "KILL"). It is 0 where that is a parameter. ok is false for a KILL of
// the connection, of a user's, of a query by its own number, and of one that is computed.
func (s *Statement) KilledQuery() (connection uint64, ok bool) {
	if s.Kind != Kill {
		return 0, false
	}
	c := s.cursor()
	c.accept("KILL")
	c.accept("HARD", "SOFT", "TIDB")
	switch {
	case !c.accept("QUERY"):
		return 0, false
	case c.t == tokenParam:
		c.next()
		return 0, c.finished()
	case c.t != tokenNumber:
		return 0, false
	}
	connection, err := strconv.ParseUint(string(c.text()), 10, 64)
	c.next()
	return connection, err == nil && connection > 0 && c.finished()
}
