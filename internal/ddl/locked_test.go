package ddl

import (
	"context"
	"errors"
	"testing"
	"time"

	"tunic/internal/ddl/turn"
	"tunic/internal/ddl/upkeep"
	"tunic/internal/value"
)

// TestPatience: a session that must not wait for long gives up with an error that servers know; another one waits.
func TestPatience(t *testing.T) {
	tables := upkeep.New(nil, nil, nil, value.MySQL)
	p, patient := &patience{tables, true}, &patience{tables, false}
	if err := p.lock(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := p.lock(t.Context()); numberOf(err) != turn.LockWaitTimeout {
		t.Errorf("another one has it: %v", err)
	}
	ended, end := context.WithCancel(t.Context())
	end()
	if err := p.lock(ended); !errors.Is(err, context.Canceled) {
		t.Errorf("the client is gone: %v", err)
	}
	if patient.late() != nil || p.late() == nil {
		t.Error("who may wait gives up, or who may not does not")
	}
	late, over := make(chan time.Time, 1), make(chan struct{})
	late <- time.Time{}
	if err := p.wait(t.Context(), make(chan struct{}), late); numberOf(err) != turn.LockWaitTimeout {
		t.Errorf("it is late: %v", err)
	}
	close(over)
	if err := patient.wait(t.Context(), over, nil); err != nil {
		t.Errorf("the table is free: %v", err)
	}
	if err := patient.wait(t.Context(), nil, nil); err != nil {
		t.Errorf("another process may have ended with it: %v", err)
	}
	waiting, cancel := p.waiting(t.Context())
	defer cancel()
	if _, bounded := waiting.Deadline(); !bounded {
		t.Error("it waits without an end")
	}
}
