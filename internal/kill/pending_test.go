package kill

import (
	"testing"

	"tunic/internal/backend"
	"tunic/internal/plan"
	"tunic/internal/sql"
	"tunic/internal/wire"
)

func planned(text string) *plan.Plan {
	return plan.New(plan.Options{}).Plan(new(sql.Fingerprinter), []byte(text), 0, "")
}

// TestPending: the target of a KILL QUERY is told once the server has answered that one, not before, and not if it has
// refused.
func TestPending(t *testing.T) {
	at := backend.Process{Server: "a", Connection: 4}
	target := backend.Process{Server: "a", Connection: 5}
	for _, c := range []struct {
		text string
		at   backend.Process
		m    sql.Modes
		r    wire.Response
		told bool
	}{
		{"KILL QUERY 5", at, 0, wire.Response{Succeeded: 1}, true},
		{"KILL QUERY 5", at, 0, wire.Response{}, false},
		{"KILL QUERY 6", at, 0, wire.Response{Succeeded: 1}, false},
		{"KILL QUERY 5", backend.Process{}, 0, wire.Response{Succeeded: 1}, false},
		{"KILL CONNECTION 5", at, 0, wire.Response{Succeeded: 1}, false},
		{"DO 1; KILL QUERY 5", at, 0, wire.Response{Succeeded: 1}, false},
		{"DO 1; KILL QUERY 5", at, 0, wire.Response{Succeeded: 2}, true},
		{"CALL p(); KILL QUERY 5", at, 0, wire.Response{Succeeded: 2}, false}, // it cannot be read behind that
		{"KILL QUERY 5", at, sql.TiDB, wire.Response{Succeeded: 1, Warnings: 1}, false},
		{"KILL QUERY 5", at, sql.TiDB, wire.Response{Succeeded: 1}, true},
		{"SELECT 5", at, 0, wire.Response{Succeeded: 1}, false},
	} {
		var all Registry
		var of Target
		all.Enter(5, &of)
		of.Next()
		var p Pending
		p.NoteText(&all, c.at, planned(c.text), []byte(c.text), c.m)
		if of.IsTold(target) {
			t.Errorf("%s: told before the server has it", c.text)
		}
		if p.Tell(&c.r, c.m); of.IsTold(target) != c.told {
			t.Errorf("%s, %d results, failed %t: told %t", c.text, c.r.Succeeded, c.r.Failed, of.IsTold(target))
		}
		if p.Forget(); p.Any() {
			t.Errorf("%s: something is pending in the next command", c.text)
		}
	}
}

// TestPendingAtEnd: where the number of the result is not known, the target is told when all of the answer has come.
func TestPendingAtEnd(t *testing.T) {
	for failed, want := range map[bool]bool{false: true, true: false} {
		var all Registry
		var of Target
		all.Enter(5, &of)
		var p Pending
		p.Note(&all, backend.Process{Server: "a"}, 5, atEnd)
		p.Tell(&wire.Response{Succeeded: 3, Failed: failed}, 0)
		if told := of.IsTold(backend.Process{Server: "a", Connection: 5}); told != want {
			t.Errorf("failed %t: told %t", failed, told)
		}
	}
}

// TestKilled: of which connection a text is the KILL QUERY.
func TestKilled(t *testing.T) {
	for text, want := range map[string]struct {
		connection uint64
		ok         bool
	}{
		"KILL QUERY 5": {5, true}, "KILL QUERY ?": {0, true}, "KILL 5": {0, false}, "SELECT 5": {0, false}, "KILL QUERY 5; KILL QUERY 6": {0, false},
	} {
		if connection, ok := Killed(planned(text), []byte(text), 0); connection != want.connection || ok != want.ok {
			t.Errorf("%s: %d, %t", text, connection, ok)
		}
	}
}
