package exec

import (
	"slices"

	"tunic/internal/exec/repeat"
	"tunic/internal/sql"
	"tunic/internal/sqlerr"
	"tunic/internal/wire"
)

// A change that a client sends as text is the same text to the server as well, where all of its values are in slots: an
// INSERT of one row, of a table whose columns it names are protected, or a DELETE by tokens. It is prepared when it comes for
// the second time, as what writes a row back is.

// repeatedBytesMost is how long a text may be that is executed: what is longer takes its turn, and memory.
const repeatedBytesMost = 16 << 10

// askRepeated sends a change by what the server has prepared of it; false if it is to be text, and nothing was sent.
func (s *Session) askRepeated(st *Statement, q wire.Query) (sent bool, err error) {
	if s.repeating = nil; !s.mayRepeatText(st, q) {
		return false, nil
	}
	r := s.repeated.SendsWhole(&st.Statement)
	s.closeSurplus()
	if r == nil {
		return false, nil
	}
	if !r.Prepared() {
		if err := s.prepareRepeated(st, r); err != nil || !r.Prepared() {
			return false, err
		}
	}
	if err := s.dialogue.Told(); err != nil {
		return false, err
	}
	server := s.link.Server
	server.SetSequence(0)
	out, err := r.AppendWhole(server.OpenPacket(), s.binder, server.Capabilities)
	if err := s.dialogue.SendPacket(out, s.env.PacketBytes, err); err != nil {
		return false, err
	}
	s.repeating = r
	s.dialogue.Expect(wire.ComStmtExecute)
	return true, nil
}

// mayRepeatText reports whether a text may be an execution: not one with query attributes, and none whose rows are answered.
func (s *Session) mayRepeatText(st *Statement, q wire.Query) bool {
	switch st.Run.Kind {
	case sql.Insert, sql.Replace:
		if !s.binder.OneRow() {
			return false
		}
	case sql.Update, sql.Delete:
	default:
		return false
	}
	return len(st.Run.Cells) == 0 && len(st.Run.Fetch) == 0 && len(q.Attributes) == 0 && len(q.Text) <= repeatedBytesMost &&
		!st.Run.Ignore && !st.Run.Informs() && !st.unnamed()
}

// prepareRepeated has the server prepare a change. What the server does not prepare is text.
func (s *Session) prepareRepeated(st *Statement, r *repeat.Statement) error {
	command, err := r.AppendPrepare(nil)
	if err != nil {
		return err
	}
	made, err := s.dialogue.PrepareRemote(command)
	if err != nil {
		return err
	}
	if err := s.takePrepared(st, r, made); err != nil || !r.Prepared() {
		return err
	}
	return s.dialogue.Unkilled()
}

// lost reports whether an error is that the server does not have what was executed.
func (s *Session) lost(payload []byte) bool {
	if s.repeating == nil {
		return false
	}
	m, err := wire.DecodeErr(payload)
	if err != nil || !slices.Contains(lostNumbers, m.Number) {
		return false
	}
	s.repeating.Lose()
	return true
}

// isLost reports whether a statement is to be done again, as text.
func isLost(err error) bool {
	e, ok := err.(*sqlerr.Error) //nolint:errorlint // never wrapped
	return ok && e == errLost
}
