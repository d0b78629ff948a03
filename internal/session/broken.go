package session

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"tunic/internal/backend"
	"tunic/internal/failure"
	"tunic/internal/metrics"
	"tunic/internal/parting"
	"tunic/internal/sqlerr"
	"tunic/internal/wire"
)

// A client whose server has gone finds what it would find without tunic: the last
// word of the server, if it said one, and the end of the connection. Drivers and
// pools know that (errors 2006 and 2013, which client libraries raise themselves); an
// error of tunic's own in its place they would take for one that the session
// survives.

// errServer marks a connection to the server that broke.
var errServer = errors.New("the server's connection failed")

// brokenBefore is answerBroken where the connection has broken in an exchange of tunic's own, before
// anything of the answer to the client's statement was there.
func (s *Session) brokenBefore(err error) error {
	s.response.Begin(wire.ComQuery, s.server.Capabilities, s.client.Sequence())
	return s.answerBroken(err)
}

// answerBroken ends the session when the answer cannot be read to its end. Of an
// answer that makes no sense the client is told where the protocol lets an error
// stand: not inside a row.
func (s *Session) answerBroken(err error) error {
	if s.ending.IsCut() {
		s.interject(sqlerr.ShuttingDown())
		s.stopStatement()
		return parting.ErrDrained
	}
	if s.response.Sequence() == 1 && s.response.AtBoundary() {
		if word, ok := s.lastWord(); ok {
			return s.passOn(word)
		}
	}
	cause := fmt.Errorf("%w: %w", errServer, err)
	if !failure.IsMalformed(err) {
		s.shared.Metrics.Backend.Error(metrics.BackendLost).Inc()
		return cause
	}
	s.shared.Metrics.Backend.Error(metrics.BackendMalformed).Inc()
	s.interject(sqlerr.ServerMalformed("answer"))
	return cause
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

// serverLost handles a command that could not be written. The server may have said
// why before it went: a packet that is too long for it, say.
func (s *Session) serverLost(payload []byte, cause error) error {
	answered := wire.Command(payload[0]).Answered()
	if s.ending.IsCut() {
		if answered {
			_ = s.fail(sqlerr.ShuttingDown())
		}
		return parting.ErrDrained
	}
	s.shared.Metrics.Backend.Error(metrics.BackendLost).Inc()
	if !answered {
		return fmt.Errorf("%w: %w", errServer, cause)
	}
	return s.serverLeft(fmt.Errorf("%w: %w", errServer, cause))
}

// serverLeft tells the client what the server has said before it closed the
// connection. Whoever calls it closes the client's; cause is why if the server has
// said nothing.
func (s *Session) serverLeft(cause error) error {
	if word, ok := s.lastWord(); ok {
		return s.passOn(word)
	}
	return cause
}

// passOn tells the client the server's last word, as the next packet.
func (s *Session) passOn(word wire.Err) error {
	s.client.WriteMessage(word)
	if err := s.write(nil); err != nil {
		return err
	}
	return fmt.Errorf("%w: error %d", errLeft, word.Number)
}

// lastWord is the error that a server sends before it closes a session: for having
// been idle, for being killed, because it shuts down. Unasked, it is numbered as the
// first packet of a connection; in place of an answer, as the client expects that.
func (s *Session) lastWord() (wire.Err, bool) {
	_ = s.server.SetDeadline(time.Now().Add(parting.Farewell))
	for len(s.server.Buffered()) < wire.HeaderBytes {
		if err := s.server.Fill(); err != nil {
			return wire.Err{}, false
		}
	}
	number := s.server.Buffered()[wire.HeaderBytes-1]
	if number != 0 && number != s.client.Sequence() {
		return wire.Err{}, false
	}
	s.server.SetSequence(number)
	payload, err := s.server.ReadPacket()
	if err != nil {
		return wire.Err{}, false
	}
	word, err := wire.DecodeErr(payload)
	return word, err == nil
}

// stopStatement ends at the server what runs there for a session that was cut off
// within a statement. The server would go on with it, and notice only when it has an
// answer to write.
func (s *Session) stopStatement() {
	ctx, cancel := context.WithTimeout(context.Background(), parting.Farewell) // those of a drain have ended
	defer cancel()
	if err := s.shared.stop(ctx, s.server); err != nil {
		s.shared.Refusals.Warn("a statement that was cut off may go on at the server",
			failure.Client, s.entry.Peer.String(), slog.String("reason", failure.Reason(err)))
	}
}

// stop has the service account end what runs on a connection.
func (s *Shared) stop(ctx context.Context, c *backend.Conn) error {
	if s.Service == nil {
		return errors.New("no service account to end it with")
	}
	return s.Service.StopStatement(ctx, c)
}
