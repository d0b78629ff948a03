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
	rest       *backend.Rest // nil once the connection is closed
	connection *ledger.Connection
	over       bool
}

// Over implements inflight.CutOff. That the connection is closed does not say by whom.
func (c *cutOff) Over() bool {
	if c.rest != nil && c.rest.Over() {
		c.letGo()
		c.connection.Closed()
	}
	c.over = c.rest == nil && c.connection.Over()
	return c.over
}

func (c *cutOff) letGo() {
	if c.rest != nil {
		c.rest.Close()
		c.rest = nil
	}
}

// Close implements inflight.CutOff.
func (c *cutOff) Close() {
	c.letGo()
	if c.over {
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
	c := s.connection.Load()
	if c == nil { // nothing is protected, or nobody has logged in
		_ = server.Close()
		return
	}
	rest := server.CloseAndKeep()
	flight := s.attempt.Flight().Left() // which gets nothing more to the server
	if flight == nil {
		rest.Close()
		c.End()
		return
	}
	s.shared.Ledger.InFlight().Leave(s.attempt.Flight(), &cutOff{Statement: flight, rest: rest, connection: c})
}

// enterFlights makes the session one whose statements are waited for.
func (s *Session) enterFlights() {
	if s.shared.Ledger == nil {
		return
	}
	s.attempt.Flight().GoesOver(s.server.Handshake.ConnectionID)
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
