package plain

import (
	"testing"

	"tunic/internal/plan"
	"tunic/internal/resolve"
	"tunic/internal/sql"
	"tunic/internal/sqlerr"
)

// TestDeniedWords: who may not see a table is told what the server would say of the
// statement, and not of the question that tunic has asked instead.
func TestDeniedWords(t *testing.T) {
	const rest = " command denied to user 'u'@'h' for table 't'"
	name, other := resolve.Name{Schema: "s", Table: "t"}, resolve.Name{Schema: "s", Table: "o"}
	for _, c := range []struct {
		kind   sql.Kind
		names  []resolve.Name
		number uint16
		want   string
	}{
		{sql.Insert, []resolve.Name{name}, 1142, "INSERT"},
		{sql.Insert, []resolve.Name{name, other}, 1142, "INSERT"},
		{sql.Insert, []resolve.Name{other, name}, 1142, "SELECT"},
		{sql.Replace, []resolve.Name{name}, 1142, "INSERT, DELETE"},
		{sql.Update, []resolve.Name{name}, 1142, "UPDATE"},
		{sql.Update, []resolve.Name{name, other}, 1142, "SELECT"},
		{sql.Delete, []resolve.Name{name}, 1142, "DELETE"},
		{sql.Select, []resolve.Name{name}, 1142, "SELECT"},
		{sql.Insert, []resolve.Name{name}, 1143, "SELECT"},
	} {
		p := &plan.Plan{Statements: []plan.Statement{{Kind: c.kind}}, Names: c.names}
		got := Denied(&sqlerr.Error{Number: c.number, State: "42000", Message: "SELECT" + rest}, p, name)
		if got.Message != c.want+rest || got.Number != c.number {
			t.Errorf("%v of %d names: %s", c.kind, len(c.names), got.Message)
		}
	}
}
