package transaction

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"tunic/internal/catalog"
	"tunic/internal/ledger"
	"tunic/internal/plan"
	"tunic/internal/sql"
)

// TestTouched: which tables the server holds its locks on after statements of a
// transaction. A step is a table that is used, or the text of other statements; ! before
// it says that it has failed.
func TestTouched(t *testing.T) {
	many := []string{"a", "SAVEPOINT first", "b"}
	for i := range savepointsMax {
		many = append(many, fmt.Sprintf("SAVEPOINT s%d", i))
	}
	for _, c := range []struct {
		steps []string
		held  string
	}{
		{[]string{"a", "b", "a"}, "ab"},
		{[]string{"a", "SET @x = 1", "SET TRANSACTION READ ONLY"}, "a"},
		{[]string{"a", "COMMIT"}, ""},
		{[]string{"a", "ROLLBACK", "b"}, "b"},
		{[]string{"a", "CALL p()", "b"}, "b"},
		{[]string{"a", "SAVEPOINT s", "b"}, "ab"},
		{[]string{"a", "SAVEPOINT s", "b", "ROLLBACK TO s"}, "a"},
		{[]string{"a", "SAVEPOINT s", "b", "a", "ROLLBACK WORK TO SAVEPOINT S"}, "a"},
		{[]string{"a", "SAVEPOINT `s`", "b", "ROLLBACK TO s", "c", "ROLLBACK TO s"}, "a"},
		{[]string{"a", "SAVEPOINT s", "b", "SAVEPOINT t", "c", "ROLLBACK TO t"}, "ab"},
		{[]string{"a", "SAVEPOINT s", "b", "SAVEPOINT t", "c", "ROLLBACK TO s", "b", "c", "!ROLLBACK TO t"}, "abc"},
		{[]string{"a", "SAVEPOINT s", "b", "SAVEPOINT s", "c", "ROLLBACK TO s"}, "ab"},
		{[]string{"a", "SAVEPOINT s", "b", "!SAVEPOINT s", "c", "ROLLBACK TO s"}, "a"},
		{[]string{"a", "SAVEPOINT s", "b", "SAVEPOINT t", "RELEASE SAVEPOINT s", "ROLLBACK TO t"}, ""},
		{[]string{"a", "SAVEPOINT s", "b", "SAVEPOINT t", "RELEASE SAVEPOINT t", "c", "ROLLBACK TO s"}, "a"},
		{[]string{"a", "SAVEPOINT s", "b", "!ROLLBACK TO nosuch"}, "ab"},
		{[]string{"a", "ROLLBACK TO nosuch"}, ""},
		{[]string{"a", "SAVEPOINT é", "b", "ROLLBACK TO é"}, ""},
		{[]string{"a", "SAVEPOINT s", "b", "SAVEPOINT é", "ROLLBACK TO s"}, ""},
		{[]string{"a", "SAVEPOINT s", "b", "COMMIT", "a", "ROLLBACK TO s"}, ""},
		{[]string{"a", "SAVEPOINT s; SAVEPOINT t", "b"}, "b"},
		{[]string{"a", "SAVEPOINT savepoint", "b", "ROLLBACK TO savepoint"}, "a"},
		{append(slices.Clone(many), "ROLLBACK TO s1023"), "ab"},
		{append(slices.Clone(many), "ROLLBACK TO first"), ""},
	} {
		if got := touchedBy(c.steps); got != c.held {
			t.Errorf("%.200q: %q, want %q", c.steps, got, c.held)
		}
	}
}

func touchedBy(steps []string) string {
	var held Touched
	var fp sql.Fingerprinter
	planner := plan.New(plan.Options{})
	for _, s := range steps {
		text, failed := strings.CutPrefix(s, "!")
		if len(text) == 1 {
			held.Add(catalog.ID{text[0]}, nil)
			continue
		}
		held.Follow(planner.Plan(&fp, []byte(text), 0, ""), failed)
	}
	names := ""
	for _, id := range slices.SortedFunc(maps.Keys(held.tables), func(a, b catalog.ID) int { return int(a[0]) - int(b[0]) }) {
		names += string(id[0])
	}
	return names
}

// TestTouchedIsTold: the gate of a table knows of the transactions that have used it, for as long
// as each of them holds the table.
func TestTouchedIsTold(t *testing.T) {
	var gate ledger.Gate
	var one, other Touched
	a, b := catalog.ID{'a'}, catalog.ID{'b'}
	is := func(what string, ofA, ofB int) {
		t.Helper()
		if gate.Busy(a) != ofA || gate.Busy(b) != ofB {
			t.Errorf("%s: %d and %d transactions, not %d and %d", what, gate.Busy(a), gate.Busy(b), ofA, ofB)
		}
	}
	one.Add(a, &gate)
	one.Add(a, &gate)
	other.Add(a, &gate)
	is("both have used the first", 2, 0)
	one.savepoint(sql.Savepoint, "s")
	one.Add(b, &gate)
	is("one has used the second", 2, 1)
	one.savepoint(sql.RollbackToSavepoint, "s")
	is("and has rolled that back", 2, 0)
	other.Clear()
	is("the other has ended", 1, 0)
	one.Clear()
	one.Clear()
	is("both have", 0, 0)
}
