package session

import (
	"tunic/internal/backend"
	"tunic/internal/inflight"
	"tunic/internal/plan"
)

// cutOff is an inflight.CutOff: a statement whose session has ended before the server has answered it.
type cutOff struct {
	*inflight.Statement[plan.Plan]
	*backend.Rest
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
		if c := s.connection.Load(); c != nil && flight == nil {
			c.End()
		}
		return
	}
	s.shared.Ledger.InFlight().Leave(s.attempt.Flight(), &cutOff{flight, rest})
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
