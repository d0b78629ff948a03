package sql

import "strconv"

// KilledQuery is the number of the connection whose statement a KILL QUERY ends (MySQL manual, "KILL
// Statement"). ok is false for a KILL of the connection, of a user's and of one that is computed.
func (s *Statement) KilledQuery() (connection uint64, ok bool) {
	if s.Kind != Kill {
		return 0, false
	}
	c := s.cursor()
	c.accept("KILL")
	c.accept("HARD", "SOFT")
	if !c.accept("QUERY") || c.t != tokenNumber {
		return 0, false
	}
	connection, err := strconv.ParseUint(string(c.text()), 10, 64)
	c.next()
	return connection, err == nil && c.finished()
}
