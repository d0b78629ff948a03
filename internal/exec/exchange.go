package exec

import (
	"errors"

	"tunic/internal/sqlerr"
	"tunic/internal/wire"
)

// BrokenError is a failure of the connection to the server, or of what it says.
type BrokenError struct{ Err error }

// Error implements error.
func (e *BrokenError) Error() string { return "the server's answer: " + e.Err.Error() }

// Unwrap returns what went wrong.
func (e *BrokenError) Unwrap() error { return e.Err }

// ErrorOf is an error of the server's own, in its words.
func ErrorOf(m *wire.Err) *sqlerr.Error {
	return &sqlerr.Error{Number: m.Number, State: m.State, Message: string(m.Message)}
}

// passAll has each packet of the server's answer passed on, and writes what is left
// for the client.
func (s *Session) passAll(pass func(before stage, payload []byte) error) error {
	r := s.link.Response
	for !r.Done() {
		before := stageOf(r)
		payload, err := s.next()
		if err != nil {
			return err
		}
		if err := pass(before, payload); err != nil {
			return err
		}
	}
	if len(s.link.Server.Buffered()) > 0 {
		return &BrokenError{errMore}
	}
	return s.link.Write()
}

// told is before something is sent for the client: the server's error, if it has ended the
// client's transaction in an answer that the client did not get.
func (s *Session) told() error {
	server, r := s.link.Server, s.link.Response
	if !server.HasUntold() {
		return nil
	}
	lost, err := server.Settle(r.Status, r.Current)
	switch {
	case err != nil:
		return &BrokenError{err}
	case lost != nil:
		r.Current = false
		return ErrorOf(lost)
	}
	return nil
}

// request sends a command to the server and prepares for its answer.
func (s *Session) request(payload []byte) error {
	if err := s.told(); err != nil {
		return err
	}
	s.link.Server.SetSequence(0)
	if err := s.link.Server.Send(wire.Bytes(payload)); err != nil {
		return &BrokenError{err}
	}
	s.expect(wire.Command(payload[0]))
	return nil
}

// expect prepares for the answer to a command that was sent. It is numbered from the
// frames of what was sent, which may be more than the client's.
func (s *Session) expect(command wire.Command) {
	s.link.Response.Begin(command, s.link.Server.Capabilities, s.link.Server.Sequence())
}

var errMore = errors.New("bytes after the end of an answer")

// stage is where in an answer a packet is.
type stage uint8

func stageOf(r *wire.Response) stage {
	switch {
	case r.InColumns():
		return stageColumns
	case r.InRows():
		return stageRows
	}
	return stageOther
}

// next reads the next packet of the answer. What the client has to get meanwhile is
// written before the server is waited for.
func (s *Session) next() ([]byte, error) {
	s.joined = s.joined[:0]
	r, server := s.link.Response, s.link.Server
	for {
		buffered := server.Buffered()
		n, err := r.Step(buffered)
		switch {
		case err != nil:
			return nil, &BrokenError{err}
		case n > 0:
			server.Advance(n)
			payload := buffered[wire.HeaderBytes:n]
			if r.AtBoundary() && len(s.joined) == 0 {
				return payload, nil
			}
			if s.joined = append(s.joined, payload...); r.AtBoundary() {
				return s.joined, nil
			}
			continue
		case r.WantsFile():
			return nil, &BrokenError{wire.ErrMalformed}
		}
		if err := s.fillMore(); err != nil {
			return nil, err
		}
	}
}

// fillMore reads more of the answer. While a packet is there in part, the rest of it
// is on its way: the client gets what there is together with it. A result of a few
// buffers, as servers send it, is then one write.
func (s *Session) fillMore() error {
	pending, server := s.link.Client.Pending(), s.link.Server
	if pending >= wire.BufferBytes || pending > 0 && len(server.Buffered()) == 0 {
		if err := s.link.Write(); err != nil {
			return err
		}
	}
	fill := server.Fill
	if s.wide {
		fill = server.FillWide
	}
	if err := fill(); err != nil {
		return &BrokenError{err}
	}
	return nil
}

// send sends the packet that has been begun with Server.OpenPacket, unless it could
// not be made or the server would not take it.
func (s *Session) send(out []byte, err error) error {
	server := s.link.Server
	if err == nil && server.PacketBytes(out) >= s.env.PacketBytes {
		err = errPacket
	}
	if err != nil {
		server.DropPacket(out)
		return err
	}
	server.ClosePacket(out)
	if err := server.Flush(); err != nil {
		return &BrokenError{err}
	}
	return nil
}

// errPacket is what the server says to a statement that it does not take: the stored one is
// longer than the client's.
var errPacket error = &sqlerr.Error{Number: 1153, State: "08S01", Message: "Got a packet bigger than 'max_allowed_packet' bytes"}
