package turn

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"tunic/internal/ledger"
	"tunic/internal/sqlerr"
)

// TestPassing: what somebody else does is over later, and what the server has to say of the statement is not.
func TestPassing(t *testing.T) {
	server := func(number uint16) error { return &sqlerr.Error{Number: number, State: "HY000"} }
	for _, c := range []struct {
		err  error
		want bool
	}{
		{ErrElsewhere, true},
		{fmt.Errorf("t: %w", ErrRolledBack), true},
		{ledger.ErrBusy, true},
		{ledger.ErrOutdated, true},
		{server(LockWaitTimeout), true},
		{server(DeadlockFound), true},
		{server(QueryInterrupted), true},
		{server(1146), false},
		{sqlerr.NoLedger(), false},
		{context.Canceled, false},
	} {
		if got := Passing(c.err); got != c.want {
			t.Errorf("%v: %t", c.err, got)
		}
	}
}

// TestPatiently: a try that somebody stood in the way of is made again, and one that fails for good is not.
func TestPatiently(t *testing.T) {
	var waits []time.Duration
	err := Patiently(t.Context(), func(_ context.Context, wait time.Duration) error {
		if waits = append(waits, wait); len(waits) < 3 {
			return ErrElsewhere
		}
		return errors.ErrUnsupported
	})
	if !errors.Is(err, errors.ErrUnsupported) || len(waits) != 3 || waits[2] != Wait {
		t.Errorf("%v after tries that let others wait for %v", err, waits)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := Patiently(ctx, func(context.Context, time.Duration) error { return ledger.ErrBusy }); !errors.Is(err, context.Canceled) {
		t.Errorf("nobody wants it any more: %v", err)
	}
}

// TestHold: a step lets others have the mutex meanwhile, and has it again behind, or knows that it has not.
func TestHold(t *testing.T) {
	var mu sync.Mutex
	_, h := Holding(t.Context(), &mu)
	if h == nil {
		t.Fatal("it is not had though nobody has it")
	}
	if _, other := Holding(t.Context(), &mu); other != nil {
		t.Error("two have it")
	}
	free := false
	had := h.without(func() {
		if free = mu.TryLock(); free {
			mu.Unlock()
		}
	})
	if !free || !had {
		t.Errorf("others could have it: %t; it is had again: %t", free, had)
	}
	if h.without(mu.Lock) {
		t.Error("it is had though another one has it")
	}
	h.End()
	mu.Unlock()
}
