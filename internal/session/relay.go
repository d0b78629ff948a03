package session

import (
	"errors"
	"fmt"
	"time"

	"tunic/internal/metrics"
	"tunic/internal/sqlerr"
	"tunic/internal/wire"
)

// errServer marks a connection to the server that broke; the client has been
// told if it could be.
var errServer = errors.New("the server's connection failed")

// refuse answers what its plan does not let pass.
func (s *Session) refuse(refusal error) error {
	if e, ok := errors.AsType[*sqlerr.Error](refusal); ok {
		return s.fail(e)
	}
	return s.fail(sqlerr.StatementUnread())
}

// exchangeCommand passes the client's command on as it is, and the server's
// answer back.
func (s *Session) exchangeCommand(command wire.Command, payload []byte) error {
	begin := time.Now()
	if command != wire.ComPing && command != wire.ComStatistics { // which servers do not count as statements
		s.refused, s.noted = nil, false
	}
	if err := s.forward(payload); err != nil {
		return err
	}
	s.expect(command, payload)
	if err := s.relay(); err != nil {
		return err
	}
	s.shared.Metrics.QueryDuration.Observe(time.Since(begin))
	return nil
}

// forward sends the command that the client has just sent. A packet of one
// frame goes as it stands in the read buffer.
func (s *Session) forward(payload []byte) error {
	s.shared.Metrics.Bytes.ClientIn.Add(len(payload))
	var err error
	if frame := s.client.LastFrame(); frame != nil {
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
	if s.translates() {
		return s.translate()
	}
	for {
		buffered := s.server.Buffered()
		n, err := s.response.Scan(buffered)
		if s.response.WantsFile() && !s.mayWantFile() {
			return s.fileRefused()
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

// answerBroken ends the session when the answer cannot be read to its end. The
// client is told where the protocol lets an error stand: not inside a row.
func (s *Session) answerBroken(err error) error {
	if s.isCut() {
		s.interject(sqlerr.ShuttingDown())
		return errDrained
	}
	if farewell, ok := s.serverFarewell(); ok {
		s.client.SetSequence(1)
		_ = s.client.Send(farewell)
		return fmt.Errorf("%w: closed by the server, error %d", errServer, farewell.Number)
	}
	answer, why := sqlerr.ServerLost(), metrics.BackendLost
	if errors.Is(err, wire.ErrMalformed) || errors.Is(err, wire.ErrSequence) || errors.Is(err, wire.ErrTooLarge) {
		answer, why = sqlerr.ServerMalformed("answer"), metrics.BackendMalformed
	}
	s.shared.Metrics.Backend.Error(why).Inc()
	s.interject(answer)
	return fmt.Errorf("%w: %w", errServer, err)
}

// interject ends an answer with an error of tunic's own, if it may stand where
// the answer has got to.
func (s *Session) interject(e *sqlerr.Error) {
	if !s.response.AtBoundary() {
		return
	}
	if !s.translates() && !s.renumbers {
		s.client.SetSequence(s.response.Sequence())
	}
	_ = s.fail(e)
}

// serverFarewell is the error that a server sends unasked when it closes a
// session, for having been idle or because it shuts down. It is found instead
// of an answer, numbered as if it were the first packet of a connection.
func (s *Session) serverFarewell() (wire.Err, bool) {
	b := s.server.Buffered()
	if s.response.Sequence() != 1 || len(b) <= wire.HeaderBytes || b[wire.HeaderBytes-1] != 0 {
		return wire.Err{}, false
	}
	s.server.SetSequence(0)
	payload, err := s.server.ReadPacket()
	if err != nil {
		return wire.Err{}, false
	}
	m, err := wire.DecodeErr(payload)
	return m, err == nil
}

// serverLost handles a command that could not be written. What the server has
// said before it went is the best answer: it says why.
func (s *Session) serverLost(payload []byte, cause error) error {
	command := wire.Command(payload[0])
	if s.isCut() {
		if command.Answered() {
			_ = s.fail(sqlerr.ShuttingDown())
		}
		return errDrained
	}
	s.shared.Metrics.Backend.Error(metrics.BackendLost).Inc()
	if !command.Answered() {
		return fmt.Errorf("%w: %w", errServer, cause)
	}
	s.response.Begin(wire.ComPing, s.server.Capabilities, s.client.Sequence())
	_ = s.server.SetDeadline(time.Now().Add(farewell))
	for {
		buffered := s.server.Buffered()
		n, err := s.response.Scan(buffered)
		if err == nil && n > 0 && s.response.Failed {
			_ = s.client.WriteRaw(buffered[:n])
			return fmt.Errorf("%w: %w", errServer, cause)
		}
		if err == nil {
			err = s.server.Fill()
		}
		if err != nil {
			_ = s.fail(sqlerr.ServerGone())
			return fmt.Errorf("%w: %w", errServer, cause)
		}
	}
}
