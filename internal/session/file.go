package session

import (
	"fmt"
	"time"

	"tunic/internal/failure"
	"tunic/internal/metrics"
	"tunic/internal/parting"
	"tunic/internal/sql"
	"tunic/internal/sqlerr"
	"tunic/internal/wire"
)

// localFile passes the content of a file from the client to the server, packet
// by packet up to the empty one (LOAD DATA LOCAL INFILE).
func (s *Session) localFile() error {
	s.server.SetSequence(s.response.Sequence())
	if !s.translates() {
		s.client.SetSequence(s.response.Sequence())
	}
	for {
		expected := s.client.Sequence()
		s.mark.set(PhaseFile)
		content, err := s.client.ReadPacket()
		s.mark.set(PhaseBusy)
		if err != nil {
			return s.fileBroke(err)
		}
		s.shared.Metrics.Bytes.ClientIn.Add(len(content))
		if err := s.forwardContent(content, expected); err != nil {
			return s.answerBroken(err)
		}
		if len(content) == 0 {
			s.response.FileSent(s.server.Sequence())
			return nil
		}
	}
}

// filePart reads a part of the client's file, empty at its end.
func (s *Session) filePart() ([]byte, error) {
	s.mark.set(PhaseFile)
	content, err := s.client.ReadPacket()
	s.mark.set(PhaseBusy)
	if err != nil {
		return nil, s.fileBroke(err)
	}
	s.shared.Metrics.Bytes.ClientIn.Add(len(content))
	return content, nil
}

// fileBroke ends a session whose client does not send its file to the end.
func (s *Session) fileBroke(err error) error {
	answer := failure.OfClient(err)
	if failure.IsTimeout(err) {
		_ = s.socket.SetDeadline(time.Now().Add(parting.Farewell))
		if s.ServerGone() {
			s.shared.Metrics.Backend.Error(metrics.BackendLost).Inc()
			return s.serverLeft(fmt.Errorf("%w within a file", errLeft))
		}
		answer = sqlerr.IdleTimeout(s.current.Limits.IdleTimeout)
	}
	if answer != nil {
		_ = s.fail(answer)
	}
	return fmt.Errorf("read the client's file: %w", err)
}

// mayWantFile reports whether the server may ask for a file of the client's:
// only if the client has agreed on it and is running a statement that reads one.
// A server could otherwise answer any statement with the name of any file, and
// most clients would send it (MySQL manual, "Security Considerations for LOAD
// DATA LOCAL").
func (s *Session) mayWantFile() bool {
	if s.passed == nil || !s.caps.Has(wire.ClientLocalFiles) {
		return false
	}
	for i := range s.passed.Statements {
		switch s.passed.Statements[i].Kind {
		case sql.LoadData, sql.LoadXML, sql.SetStatement:
			return true
		default:
		}
	}
	return false
}

// fileRefused ends a session whose server asks for a file out of turn.
func (s *Session) fileRefused() error {
	s.shared.Metrics.Backend.Error(metrics.BackendMalformed).Inc()
	s.log.Warn("the server asks for a file of the client's in answer to a statement that reads none")
	if !s.translates() {
		s.client.SetSequence(s.response.Sequence() - 1) // in place of the request
	}
	_ = s.fail(sqlerr.ServerMalformed("request for a local file"))
	return fmt.Errorf("%w: request for a local file out of turn", errServer)
}

// forwardContent sends one packet of a file: as it stands, if both sides count
// alike and it is one frame.
func (s *Session) forwardContent(content []byte, sequence uint8) error {
	if frame := s.client.LastFrame(); frame != nil && sequence == s.server.Sequence() {
		s.server.SetSequence(sequence + 1)
		return s.server.WriteRaw(frame)
	}
	s.server.WritePacket(content)
	return s.server.Flush()
}

// translates reports whether the client has agreed on DEPRECATE_EOF and the
// server does not have it. The other way round does not happen: the server is
// asked for what the client has agreed on.
func (s *Session) translates() bool {
	return (s.caps^s.server.Capabilities)&wire.ClientDeprecateEOF != 0
}

// moreToTranslate writes what is translated and waits for more, or for the
// client's file.
func (s *Session) moreToTranslate() error {
	if err := s.write(nil); err != nil {
		return err
	}
	if s.response.WantsFile() {
		if err := s.localFile(); err != nil {
			return err
		}
	}
	if err := s.server.Fill(); err != nil {
		return s.answerBroken(err)
	}
	return nil
}

// translateFrame passes a frame on to a client that expects no EOF: those after definitions are left
// out, those at the end become an OK, and what follows is numbered anew.
func (s *Session) translateFrame(frame []byte, ended wire.Ended) {
	switch ended {
	case wire.EndedDefinitions:
	case wire.EndedResult:
		end := wire.OK{EndOfRows: true, Status: s.response.Status, Warnings: s.response.Warnings}
		s.client.WritePacket(end.AppendOK(nil, s.caps))
	case wire.EndedNothing:
		s.client.WriteFrame(frame)
	}
}
