package session

import (
	"errors"

	"tunic/internal/exec"
	"tunic/internal/sqlerr"
	"tunic/internal/wire"
)

// ahead is what a session keeps of parameters that were sent ahead of executions
// (COM_STMT_SEND_LONG_DATA), of statements that tunic executes. Less than largeBytes count
// for nothing. From there on the session takes the memory of the largest packet, at once: of
// several sessions that took it as the parts come, each would wait for the others.
//
// There is no answer to a part. A statement for which there is no memory forgets what it has,
// and its execution is refused; so does one whose client sends nothing more for [budget.Memory.Sending].
type ahead struct {
	bytes int   // of all statements
	taken int64 // of Session.taken
}

// errDropped says that a part of a parameter was read and dropped.
var errDropped = errors.New("a part of a parameter was dropped")

// covers reports whether what was taken is enough for a packet of so many bytes as well.
func (a *ahead) covers(bytes int) bool { return int64(a.bytes+bytes)*exec.BytesForOne <= a.taken }

// reserveAhead asks for the memory of a large part of a parameter, before it is read.
func (s *Session) reserveAhead(st *statement, bytes int) error {
	if st.dropped || !s.takesAhead() {
		s.dropAhead(st)
		return errDropped
	}
	s.expectBytes(bytes)
	return nil
}

// takesAhead takes the memory of what is sent ahead, unless the session has it.
func (s *Session) takesAhead() bool {
	if s.shared.Memory == nil || s.ahead.taken > 0 {
		return true
	}
	before := s.taken
	if !s.take(s.most(int(s.current.Limits.PacketBytes))) {
		return false
	}
	s.ahead.taken = s.taken - before
	return true
}

// keepAhead keeps a part of a parameter, if there is memory for it.
func (s *Session) keepAhead(st *statement, m wire.Execute) {
	if st.dropped {
		return
	}
	s.ahead.bytes += len(m.Rest)
	st.ahead += len(m.Rest)
	if s.shared.Memory != nil && s.ahead.bytes >= largeBytes && (!s.takesAhead() || !s.ahead.covers(0)) {
		s.dropAhead(st)
		return
	}
	st.keeps().LongData(m, int(s.current.Limits.PacketBytes))
}

// dropAhead forgets what was sent ahead of an execution, which will be refused.
func (s *Session) dropAhead(st *statement) {
	s.forgetAhead(st)
	st.dropped = true
}

// dropAllAhead is dropAhead of all statements, when a client has sent nothing for too long.
func (s *Session) dropAllAhead() {
	for st := range s.prepared.All() {
		if st.ahead > 0 {
			s.dropAhead(st)
		}
	}
}

// forgetAhead forgets what was sent ahead of an execution.
func (s *Session) forgetAhead(st *statement) {
	s.ahead.bytes -= st.ahead
	st.ahead, st.dropped = 0, false
	if k := st.keeps(); k != nil {
		k.Reset()
	}
}

// withAhead does a command on a statement of which something was sent ahead.
func (s *Session) withAhead(st *statement, m wire.Execute, payload []byte) error {
	switch m.Command {
	case wire.ComStmtExecute, wire.ComStmtBulkExecute:
		if st.dropped {
			s.forgetAhead(st)
			return s.refuse(sqlerr.MemoryTaken(s.shared.Memory.Bytes()))
		}
		if need := int64(st.ahead) * exec.BytesForOne; st.ahead == s.ahead.bytes && s.ahead.taken > need {
			s.giveBack(s.ahead.taken - need)
			s.ahead.taken = need
		}
	case wire.ComStmtReset:
	default:
		return s.onStatement(st, m, payload)
	}
	err := s.onStatement(st, m, payload)
	if k := st.keeps(); m.Command == wire.ComStmtReset || k == nil || !k.Kept() {
		s.forgetAhead(st)
	}
	return err
}
