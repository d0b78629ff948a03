package ddl

import (
	"context"
	"database/sql/driver"
	"errors"
	"testing"

	"tunic/internal/ddl/service"
	"tunic/internal/ddl/turn"
	"tunic/internal/sqlerr"
)

// TestDespiteStrict: what describes a query is run again where strict mode may have failed it, and not
// after what somebody else has, or what it would only meet again.
func TestDespiteStrict(t *testing.T) {
	server := func(number uint16, state string) error { return &sqlerr.Error{Number: number, State: state} }
	wrongValue, lockWait := server(1292, "22007"), server(turn.LockWaitTimeout, "HY000")
	for _, c := range []struct {
		name  string
		first error
		tries int
	}{
		{"nothing", nil, 1},
		{"no number", wrongValue, 2},
		{"cut off", server(1265, "01000"), 2},
		{"no document, on MariaDB", server(4038, "HY000"), 2},
		{"NULL", server(1048, "23000"), 2},
		{"a lock", lockWait, 1},
		{"a deadlock", server(turn.DeadlockFound, "40001"), 1},
		{"killed", server(turn.QueryInterrupted, "70100"), 1},
		{"no privilege on the schema", server(1044, "42000"), 1},
		{"no such table", server(service.NoTable, "42S02"), 1},
		{"no schema", server(1046, "3D000"), 1},
		{"of tunic's own", sqlerr.NoLedger(), 1},
		{"no connection", driver.ErrBadConn, 1},
		{"nobody wants it", context.Canceled, 1},
	} {
		tries, relaxed := 0, 0
		err := despiteStrict(func() error {
			if tries++; tries == 1 {
				return c.first
			}
			return lockWait
		}, func() error { relaxed++; return nil })
		want := c.first
		if c.tries == 2 {
			want = lockWait
		}
		if tries != c.tries || relaxed != c.tries-1 || !errors.Is(err, want) {
			t.Errorf("%s: %d tries, %v", c.name, tries, err)
		}
	}
	if err := despiteStrict(func() error { return wrongValue }, func() error { return lockWait }); !errors.Is(err, lockWait) {
		t.Errorf("strict mode stays: %v", err)
	}
}
