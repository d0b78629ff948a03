package session

import (
	"tunic/internal/wire"
)

// keeps reports whether something would be lost with the session.
func (s *Session) keeps() bool {
	if s.response.Status&wire.StatusInTransaction != 0 || s.parting.Keeps() || s.state.Locks() || s.transaction.Temporaries.Any() {
		return true
	}
	for st := range s.prepared.All() {
		if st.cursor {
			return true
		}
	}
	return false
}

// tracksCursor notes whether a statement has an open cursor after a command on it.
func (s *Session) tracksCursor(st *statement, m wire.Execute, err error) {
	if err != nil {
		return
	}
	switch m.Command {
	case wire.ComStmtExecute, wire.ComStmtBulkExecute:
		st.cursor = m.AsksCursor() && s.response.Status&wire.StatusCursorExists != 0
	case wire.ComStmtFetch:
		st.cursor = st.cursor && s.response.Status&wire.StatusLastRowSent == 0
	default:
		st.cursor = false
	}
}
