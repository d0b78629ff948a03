package session

import (
	"errors"
	"fmt"

	"tunic/internal/dialogue"
	"tunic/internal/metrics"
	"tunic/internal/sqlerr"
	"tunic/internal/wire"
)

// refuse answers what its plan does not let pass.
func (s *Session) refuse(refusal error) error {
	s.last.Forgets() // that was of a statement before
	if e, ok := errors.AsType[*sqlerr.Error](refusal); ok {
		return s.failWith(e)
	}
	return s.fail(sqlerr.StatementUnread())
}

// aside runs statements of which the client sees nothing.
func (s *Session) aside() *dialogue.Aside {
	return &dialogue.Aside{Server: s.server, Response: &s.response}
}

// exchangeCommand passes the client's command on as it is, and the server's
// answer back.
func (s *Session) exchangeCommand(command wire.Command, payload []byte) error {
	begin := s.begins(s.passed)
	if told, err := s.tellLost(command); told {
		return err
	}
	if command != wire.ComPing && command != wire.ComStatistics { // which servers do not count as statements
		s.last.LeaveOwn(s.exec)
	}
	if err := s.forward(payload); err != nil {
		return err
	}
	if s.memory.Any() && s.memory.Relays(len(payload)) {
		s.fingerprinter.Release()
	}
	s.expect(command, payload)
	if err := s.relay(); err != nil {
		return err
	}
	if s.response.Failed || s.response.Warnings > 0 {
		s.last.Passes()
	} else if s.passed != nil {
		s.last.PassesOver(s.passed, s.state.Modes())
	}
	s.took(s.passed, begin)
	return nil
}

// tellLost tells the client that the server has ended its transaction, if it has done so in an
// answer that the client did not get: what comes next would be done as if it were still there.
func (s *Session) tellLost(command wire.Command) (told bool, err error) {
	if !s.server.HasUntold() || !command.Answered() {
		return false, nil
	}
	if command == wire.ComResetConnection || command == wire.ComChangeUser { // there is no transaction behind them
		s.server.ForgetUntold()
		return false, nil
	}
	lost, err := s.server.Settle(s.response.Status, s.response.Current)
	if lost == nil && err == nil {
		return false, nil
	}
	if err != nil {
		s.response.Begin(command, s.server.Capabilities, s.client.Sequence())
		return true, s.answerBroken(err)
	}
	return true, s.tellEnded(command, dialogue.ErrorOf(lost))
}

// tellEnded answers a command with the error by which the server has ended the transaction.
func (s *Session) tellEnded(command wire.Command, e *sqlerr.Error) error {
	s.response.Begin(command, s.server.Capabilities, s.client.Sequence())
	s.response.Failed, s.response.Current = true, false
	return s.failWith(e)
}

// forward sends a command. That of a client goes as it stands in the read buffer, if
// it is of one frame.
func (s *Session) forward(payload []byte) error {
	s.shared.Metrics.Bytes.ClientIn.Add(len(payload))
	var err error
	if frame := s.client.LastFrame(); wire.IsFrameOf(frame, payload) {
		err = s.server.WriteRaw(frame)
	} else {
		s.server.SetSequence(0)
		s.server.WritePacket(payload)
		err = s.server.Flush()
	}
	if err != nil {
		return s.serverLost(payload, err)
	}
	return nil
}

// expect prepares for the server's answer to a command.
func (s *Session) expect(command wire.Command, payload []byte) {
	s.response.Begin(command, s.server.Capabilities, s.client.Sequence())
	if m, err := wire.DecodeExecute(payload); err == nil && m.AsksCursor() {
		s.response.MayOpenCursor()
	}
}

// relay passes the server's answer to the client as it comes, up to its end.
func (s *Session) relay() error {
	if watched := s.watchesRows(); watched || s.translates() {
		return s.relayFrames(watched)
	}
	for {
		buffered := s.server.Buffered()
		n, err := s.response.Scan(buffered)
		if s.response.WantsFile() && !s.mayWantFile() {
			return s.fileRefused()
		}
		if s.killings.Any() {
			s.killings.Tell(&s.response, s.state.Modes())
		}
		if n > 0 {
			if err := s.write(buffered[:n]); err != nil {
				return err
			}
			s.server.Advance(n)
			s.shared.Metrics.Bytes.ClientOut.Add(n)
		}
		switch {
		case err != nil:
			return s.answerBroken(err)
		case s.response.Done():
			return s.answered()
		case s.response.WantsFile():
			if err := s.localFile(); err != nil {
				return err
			}
		}
		if err := s.server.Fill(); err != nil {
			return s.answerBroken(err)
		}
	}
}

// write writes what is pending for the client, and these frames. Only meanwhile
// can it be the client who stalls the session.
func (s *Session) write(frames []byte) error {
	s.mark.set(PhaseWriting)
	err := s.client.WriteRaw(frames)
	s.mark.set(PhaseBusy)
	if err != nil {
		return fmt.Errorf("write to the client: %w", err)
	}
	return nil
}

// answered checks that the server has said nothing after the end of its answer:
// what tunic does not understand it does not pass on.
func (s *Session) answered() error {
	if len(s.server.Buffered()) == 0 {
		return nil
	}
	s.shared.Metrics.Backend.Error(metrics.BackendMalformed).Inc()
	return fmt.Errorf("%w: bytes after the end of an answer", errServer)
}
