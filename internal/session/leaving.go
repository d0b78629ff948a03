package session

import (
	"time"

	"tunic/internal/socket"
	"tunic/internal/wire"
)

// heard is after a command has come: the answer is kept back until it is known whether it is the
// last one.
func (s *Session) heard() {
	if ending(s.ending.Load()) == endingDrain {
		s.parting.Comes()
		socket.Cork(s.socket, true)
	}
}

// leaves decides for a session that drains and is between commands: whether it goes on, or how it
// ends. If both are not set its client is to be told.
func (s *Session) leaves() (goesOn bool, err error) {
	now, until := time.Now(), time.Unix(0, s.until.Load())
	switch {
	case !now.Before(until):
		s.isOverdue()
		return false, nil
	case s.keeps():
	case s.parting.Ends():
		return false, errDrained
	default:
		quiet, enough := s.parting.Silent(now)
		if enough {
			return false, nil
		}
		if quiet.Before(until) {
			until = quiet
		}
	}
	socket.Cork(s.socket, false)
	return true, s.readsUntil(until)
}

// readsUntil has the session wait for its client until a time. Where the session is told to end
// meanwhile, that ends the wait.
func (s *Session) readsUntil(at time.Time) error {
	err := s.socket.SetReadDeadline(at)
	switch ending(s.ending.Load()) {
	case endingNone, endingDrain:
		return err
	default:
		return s.socket.SetReadDeadline(past)
	}
}

// isOverdue notes that the session ends because its time to drain is over.
func (s *Session) isOverdue() {
	if ending(s.ending.Swap(uint32(endingCut))) != endingCut {
		s.shared.cutOff.Add(1)
	}
}

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
