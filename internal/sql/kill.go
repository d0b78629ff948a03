package sql

import (
	"strconv"

	"tunic/internal/sql/lex"
)

// KilledQuery is the number of the connection whose statement a KILL QUERY ends (MySQL manual, "KILL
// Statement"; TiDB documentation, "KILL"). It is 0 where that is a parameter. ok is false for a KILL of
// the connection, of a user's, of a query by its own number, and of one that is computed.
func (s *Statement) KilledQuery() (connection uint64, ok bool) {
	if s.Kind != Kill {
		return 0, false
	}
	c := s.cursor()
	c.Accept("KILL")
	c.Accept("HARD", "SOFT", "TIDB")
	switch {
	case !c.Accept("QUERY"):
		return 0, false
	case c.Token == lex.Param:
		c.Next()
		return 0, c.Finished()
	case c.Token != lex.Number:
		return 0, false
	}
	connection, err := strconv.ParseUint(string(c.Text()), 10, 64)
	c.Next()
	return connection, err == nil && connection > 0 && c.Finished()
}
