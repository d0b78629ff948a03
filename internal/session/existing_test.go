package session

import (
	"fmt"
	"log/slog"
	"testing"

	"tunic/internal/attempt"
	"tunic/internal/catalog"
	"tunic/internal/plan"
	"tunic/internal/sql"
)

// TestOutlived: what PREPARE has made is not executed by a later version of the
// catalog, whichever of the statements of a text that is, and however many there are.
func TestOutlived(t *testing.T) {
	held := &fixedLedger{known: catalog.New(false).Next(7, nil, nil)}
	s := &Session{shared: &Shared{Ledger: held}}
	s.attempt = attempt.New(held, attempting{s}, &s.transaction, slog.New(slog.DiscardHandler))
	var fp sql.Fingerprinter
	planner := plan.New(plan.Options{})
	planned := func(text string) *plan.Plan {
		s.attempt.Begin()
		return planner.Plan(&fp, []byte(text), 0, "")
	}
	outlived := func(text string, want bool) {
		t.Helper()
		if got := s.outlived(planned(text)); got != want {
			t.Errorf("%s: %t", text, got)
		}
	}
	outlived("EXECUTE nosuch", false)
	s.prepares(planned("PREPARE old FROM 'SELECT 1'"))
	outlived("EXECUTE old", false)
	held.known = held.known.Next(8, nil, nil)
	outlived("EXECUTE OLD", true)
	s.prepares(planned("PREPARE fresh FROM 'SELECT 1'"))
	outlived("EXECUTE fresh", false)
	outlived("EXECUTE fresh; EXECUTE old", true)
	meanwhile := planned("PREPARE meanwhile FROM 'SELECT 1'")
	held.known = held.known.Next(9, nil, nil)
	s.prepares(meanwhile)
	outlived("EXECUTE meanwhile", true)
	for i := range preparedMax {
		s.prepares(planned(fmt.Sprintf("PREPARE s%d FROM 'SELECT 1'", i)))
	}
	outlived("EXECUTE old", true)
	outlived(fmt.Sprintf("EXECUTE s%d", preparedMax-1), false)
	s.prepares(planned("PREPARE old FROM 'SELECT 1'"))
	outlived("EXECUTE old", false)
}
