package session

import (
	"tunic/internal/backend"
	"tunic/internal/inflight"
	"tunic/internal/ledger"
	"tunic/internal/plan"
)

// cutOff is an inflight.CutOff: a statement whose session has ended before the server has answered it.
type cutOff struct {
	*inflight.Statement[plan.Plan]
	*backend.Rest
	connection *ledger.Connection
	over       bool
}

// Over implements inflight.CutOff.
func (c *cutOff) Over() bool {
	c.over = c.Rest.Over()
	return c.over
}

// Close implements inflight.CutOff.
func (c *cutOff) Close() {
	c.Rest.Close()
	if c.over && c.connection != nil {
		c.connection.End()
	}
}

// closeServer closes the connection to the server. A server goes on with a statement of which nobody reads the answer,
// and closes its side when it has done with it.
func (s *Session) closeServer() {
	server := s.owned.Swap(nil)
	if server == nil {
		return
	}
	if s.shared.Ledger == nil {
		_ = server.Close()
		return
	}
	rest := server.CloseAndKeep()
	flight := s.attempt.Flight().Left() // which gets nothing more to the server
	if flight == nil || rest.Over() {
		rest.Close()
		if c := s.connection.Load(); c != nil {
			c.End()
		}
		return
	}
	s.shared.Ledger.InFlight().Leave(s.attempt.Flight(), &cutOff{Statement: flight, Rest: rest, connection: s.connection.Load()})
}

// enterFlights makes the session one whose statements are waited for.
func (s *Session) enterFlights() {
	if s.shared.Ledger == nil {
		return
	}
	s.shared.Ledger.InFlight().Enter(s.attempt.Flight())
	c := s.shared.Ledger.Connection(s.server.Handshake.ConnectionID, s.server.LocalPort())
	s.connection.Store(c)
	s.attempt.Over(c)
}

// leaveFlights is after closeServer.
func (s *Session) leaveFlights() {
	if s.shared.Ledger != nil {
		s.shared.Ledger.InFlight().Leave(s.attempt.Flight(), nil)
	}
}
