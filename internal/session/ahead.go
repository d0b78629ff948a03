package session

import (
	"errors"

	"tunic/internal/sqlerr"
	"tunic/internal/wire"
)

// What a session keeps of parameters that were sent ahead of executions
// (COM_STMT_SEND_LONG_DATA), of statements that tunic executes, counts for the budget of memory.
//
// There is no answer to a part. A statement for which there is no memory forgets what it has,
// and its execution is refused; so does one whose client sends nothing more for [budget.Memory.Sending].

// errDropped says that a part of a parameter was read and dropped.
var errDropped = errors.New("a part of a parameter was dropped")

// reserveAhead asks for the memory of a large part of a parameter, before it is read.
func (s *Session) reserveAhead(st *statement, bytes int) error {
	if st.dropped || !s.memory.ReserveAhead(s.life, s.packetBytes()) {
		s.dropAhead(st)
		return errDropped
	}
	s.expectBytes(bytes)
	return nil
}

// keepAhead keeps a part of a parameter, if there is memory for it.
func (s *Session) keepAhead(st *statement, m wire.Execute) {
	if st.dropped {
		return
	}
	st.ahead += len(m.Rest)
	if !s.memory.KeepAhead(s.life, len(m.Rest), s.packetBytes()) {
		s.dropAhead(st)
		return
	}
	st.keeps().LongData(m, s.packetBytes())
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
	s.memory.ForgetAhead(st.ahead)
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
		s.memory.Executes(st.ahead)
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
