package upkeep

import (
	"context"
	"errors"
	"testing"

	"tunic/internal/catalog"
	"tunic/internal/ddl/service"
	"tunic/internal/ledger"
	"tunic/internal/policy"
	"tunic/internal/sqlerr"
	"tunic/internal/value"
)

// TestAside: while rows of a table are backfilled others can change other tables, and know that this one is busy;
// behind that they are told.
func TestAside(t *testing.T) {
	tables := New(nil, nil, nil, value.MySQL)
	table, failed := &catalog.Table{ID: catalog.ID{1}}, errors.New("failed")
	if tables.Busy(table.ID) != nil {
		t.Error("it is busy before")
	}
	tables.Mu.Lock()
	var done <-chan struct{}
	err := tables.Aside(table, func() error {
		if !tables.Mu.TryLock() {
			t.Fatal("nobody can change another table")
		}
		defer tables.Mu.Unlock()
		if done = tables.Busy(table.ID); done == nil || tables.Busy(catalog.ID{2}) != nil {
			t.Error("not this table is busy, or another one")
		}
		select {
		case <-done:
			t.Error("it is told before it is done")
		default:
		}
		return failed
	})
	if !errors.Is(err, failed) || tables.Busy(table.ID) != nil || tables.Mu.TryLock() {
		t.Errorf("%v; it is still busy, or who began it has not Mu again", err)
	}
	<-done
}

// TestAgain: what is asked for while somebody is at it is done once more, and then not.
func TestAgain(t *testing.T) {
	life, end := context.WithCancel(t.Context())
	due := dueMending{catalog.ID{1}, "check"}
	k := &keeper{life: life, due: map[dueMending]bool{due: true}}
	if !k.again(due) || k.again(due) || len(k.due) != 0 {
		t.Errorf("asked for once while it was under way; %v is left", k.due)
	}
	k.due[due] = true
	if end(); k.again(due) || len(k.due) != 0 {
		t.Error("it is done again when nobody keeps the tables any more")
	}
}

// TestSaidOfTables: what a server says of a table that is gone, or was changed around tunic, is told from all else.
func TestSaidOfTables(t *testing.T) {
	for _, c := range []struct {
		err           error
		gone, changed bool
	}{
		{nil, false, false},
		{errors.New("broken"), false, false},
		{&sqlerr.Error{Number: service.NoTable}, true, false},
		{&sqlerr.Error{Number: service.NoSchema}, true, false},
		{&sqlerr.Error{Number: service.NoColumn}, false, true},
		{&sqlerr.Error{Number: service.CheckViolated}, false, true},
		{&sqlerr.Error{Number: service.ConstraintFails}, false, true},
		{&sqlerr.Error{Number: service.NoTable, Code: 1}, false, false}, // tunic's own
	} {
		if isGone(c.err) != c.gone || isChanged(c.err) != c.changed {
			t.Errorf("%v: gone %t, changed %t", c.err, isGone(c.err), isChanged(c.err))
		}
	}
	stale, fence := &sqlerr.Error{Number: service.NoColumn}, &catalog.Table{Fenced: true, ID: catalog.ID{15: 1}, Revision: 1}
	if err := Outdated(&catalog.Table{}, stale); !errors.Is(err, stale) {
		t.Errorf("a table without a fence: %v", err)
	}
	if err := Outdated(fence, stale); !errors.Is(err, ledger.ErrOutdated) {
		t.Errorf("a table with a fence: %v", err)
	}
}

// TestNamesProtected: a CHECK is tunic's if it is over a protected column.
func TestNamesProtected(t *testing.T) {
	table := &catalog.Table{Columns: []catalog.Column{{Name: "id"}, {Name: "name", Protection: policy.Protection{Protected: true}}}}
	for clause, want := range map[string]bool{"(octet_length(`name`) > 0)": true, "(`id` > 0)": false, "(`names` > 0)": false, "name": false} {
		if namesProtected(table, clause) != want {
			t.Errorf("%s: not %t", clause, want)
		}
	}
}
