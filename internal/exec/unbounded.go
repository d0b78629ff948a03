package exec

import (
	"bytes"
	"slices"

	"tunic/internal/value"
)

// A SELECT that tunic sends to read the rows of a client's UPDATE, DELETE or INSERT is no SELECT of the
// client's. What a session bounds SELECTs by bounds none of these: max_execution_time (MySQL manual, "Server
// System Variables"), nor max_join_size where the rows are of one table.

// bounded reports whether the session bounds its SELECTs.
func (s *Session) bounded() bool { return s.env.SmallSelects || s.env.TimedSelects }

// unboundedQuery is the command of such a SELECT, without the bounds of the session.
// joined says that servers take the client's statement for a join, which max_join_size bounds too.
func (s *Session) unboundedQuery(command []byte, joined bool) []byte {
	if !s.bounded() {
		return command
	}
	head := len(s.dialogue.AppendQuery(nil))
	return append(command[:head:head], s.unbounded(command[head:], joined)...)
}

// unbounded is unboundedQuery for a text.
func (s *Session) unbounded(text []byte, joined bool) []byte {
	small := s.env.SmallSelects && !joined
	hint := "/*+ set_var(max_execution_time = 0) */ "
	switch {
	case !small && !s.env.TimedSelects:
		return text
	case s.env.Value.Flavor == value.MariaDB:
		return append([]byte("set statement sql_big_selects = 1 for "), text...)
	case small:
		hint = "/*+ set_var(max_execution_time = 0) set_var(sql_big_selects = 1) */ "
	}
	before, after, ok := bytes.Cut(text, []byte("select "))
	if !ok {
		return text
	}
	return slices.Concat(before, []byte("select "+hint), after)
}
