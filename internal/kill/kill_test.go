package kill

import (
	"testing"

	"tunic/internal/backend"
)

// TestIsTold: of a KILL QUERY its target is told while it is at the command that it was at before, and nobody else is.
func TestIsTold(t *testing.T) {
	var all Registry
	var one, other, upper Target
	all.Enter(5, &one)
	all.Enter(6, &other)
	all.Enter(5, &upper) // of another server, or with another upper half
	one.Next()
	process := backend.Process{Server: "a", Connection: 1<<32 | 5}
	aims := all.Aims(1<<32 | 5)
	if len(aims) != 2 {
		t.Fatalf("%d sessions may be meant, not 2", len(aims))
	}
	for range 2 {
		for _, a := range aims {
			a.Tell(process)
		}
	}
	switch {
	case !one.IsTold(process):
		t.Error("it was not told")
	case other.IsTold(process):
		t.Error("another session was told")
	case one.IsTold(backend.Process{Server: "b", Connection: 1<<32 | 5}), one.IsTold(backend.Process{Server: "a", Connection: 5}):
		t.Error("a session of another server takes it for its own")
	case len(one.told) != 1:
		t.Errorf("it is told %d times", len(one.told))
	}
	one.Next()
	if one.IsTold(process) {
		t.Error("the next command is to end, too")
	}
	if aims[0].Tell(process); one.IsTold(process) {
		t.Error("a command that has begun behind the KILL QUERY is told of it")
	}
}

// TestLeave: whoever has left is told of nothing, and the registry keeps nothing of it.
func TestLeave(t *testing.T) {
	var all Registry
	var one, other Target
	all.Enter(5, &one)
	all.Enter(5, &other)
	all.Leave(5, &one)
	if aims := all.Aims(5); len(aims) != 1 || aims[0].session != &other {
		t.Errorf("%d sessions may be meant, not the other one", len(aims))
	}
	all.Leave(5, &other)
	all.Leave(5, &other)
	if len(all.sessions) != 0 {
		t.Errorf("%d numbers are kept", len(all.sessions))
	}
}
