package session

import (
	"tunic/internal/catalog"
	"tunic/internal/plan"
	"tunic/internal/sqlerr"
)

// granting executes a GRANT or REVOKE on columns of a protected table. No change of the
// table comes between the text that is made for its stored columns and the server.
func (s *Session) granting(p *plan.Plan, of *plan.Grant, text []byte) error {
	tables := []*catalog.Table{of.Table}
	if err := s.attempt.Enter(tables); err != nil {
		return s.tellFailed(err)
	}
	defer s.attempt.Leave()
	if !s.attempt.Knows(tables) {
		return s.fail(sqlerr.NoLedger()) // it has changed since; the next try finds it so
	}
	return s.forwardText(p, of.Text(text))
}
