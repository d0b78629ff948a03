package session

import (
	"fmt"
	"testing"

	"tunic/internal/catalog"
	"tunic/internal/plan"
	"tunic/internal/sql"
	"tunic/internal/sqlerr"
)

// TestOutlived: what PREPARE has made is not executed by a later version of the
// catalog, whichever of the statements of a text that is, and however many there are.
func TestOutlived(t *testing.T) {
	held := &fixedLedger{known: catalog.New(false).Next(7, nil, nil)}
	s := &Session{shared: &Shared{Ledger: held}}
	var fp sql.Fingerprinter
	planner := plan.New(plan.Options{})
	planned := func(text string) *plan.Plan {
		s.beginPlanning()
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

// TestDeniedWords: who may not see a table is told what the server would say of the
// statement, and not of the question that tunic has asked instead.
func TestDeniedWords(t *testing.T) {
	const rest = " command denied to user 'u'@'h' for table 't'"
	name, other := plan.Named{Schema: "s", Table: "t"}, plan.Named{Schema: "s", Table: "o"}
	for _, c := range []struct {
		kind   sql.Kind
		names  []plan.Named
		number uint16
		want   string
	}{
		{sql.Insert, []plan.Named{name}, 1142, "INSERT"},
		{sql.Insert, []plan.Named{name, other}, 1142, "INSERT"},
		{sql.Insert, []plan.Named{other, name}, 1142, "SELECT"},
		{sql.Replace, []plan.Named{name}, 1142, "INSERT, DELETE"},
		{sql.Update, []plan.Named{name}, 1142, "UPDATE"},
		{sql.Update, []plan.Named{name, other}, 1142, "SELECT"},
		{sql.Delete, []plan.Named{name}, 1142, "DELETE"},
		{sql.Select, []plan.Named{name}, 1142, "SELECT"},
		{sql.Insert, []plan.Named{name}, 1143, "SELECT"},
	} {
		p := &plan.Plan{Statements: []plan.Statement{{Kind: c.kind}}, Names: c.names}
		got := deniedWords(&sqlerr.Error{Number: c.number, State: "42000", Message: "SELECT" + rest}, p, name)
		if got.Message != c.want+rest || got.Number != c.number {
			t.Errorf("%v of %d names: %s", c.kind, len(c.names), got.Message)
		}
	}
}
