package exec

import (
	"context"
	"testing"

	"tunic/internal/budget"
)

// impatient is a context in which nobody waits.
func impatient() context.Context {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	return ctx
}

// queued waits until n wait for m.
func queued(m *budget.Memory, n int) {
	for there := -1; there != n; {
		m.Mu.Lock()
		there = len(m.Queue)
		m.Mu.Unlock()
	}
}

// TestMemoryIsTakenInTurn: who waits is not overtaken, also by who needs less.
func TestMemoryIsTakenInTurn(t *testing.T) {
	m := budget.NewMemory(10)
	if !m.TryTake(6) {
		t.Fatal("nothing is taken")
	}
	large := make(chan bool)
	go func() { large <- m.Take(t.Context(), 8) }()
	queued(m, 1)
	if m.TryTake(1) || m.Take(impatient(), 1) {
		t.Error("somebody was overtaken")
	}
	m.Give(6)
	if !<-large {
		t.Error("who waited has nothing")
	}
	if n := m.Taken(); n != 8 {
		t.Errorf("%d are taken, want 8", n)
	}
}

// TestMemoryIsNotPassed: nobody gets more than there is, who gives up lets the next one
// go on, and more than all is not waited for.
func TestMemoryIsNotPassed(t *testing.T) {
	m := budget.NewMemory(10)
	if m.Take(t.Context(), 11) {
		t.Error("more than all was taken")
	}
	m.TryTake(6)
	ctx, cancel := context.WithCancel(t.Context())
	large, small := make(chan bool), make(chan bool)
	go func() { large <- m.Take(ctx, 8) }()
	queued(m, 1)
	go func() { small <- m.Take(t.Context(), 4) }()
	queued(m, 2)
	cancel()
	if <-large {
		t.Error("more was taken than there is")
	}
	if !<-small {
		t.Error("who came later waits for one that has given up")
	}
	m.Give(10)
	if n := m.Taken(); n != 0 {
		t.Errorf("%d are left", n)
	}
}

// TestMemoryOfLocalWork: what is kept of rows is of the same memory, and is given back.
func TestMemoryOfLocalWork(t *testing.T) {
	e := New(Options{Memory: budget.NewMemory(3 * budget.ReserveBytes)})
	a := budget.Account{Budget: &e.options.Local, Total: &e.reserved, Memory: e.options.Memory, Hint: func() string { return "" }}
	if err := a.Keep(2*budget.ReserveBytes + 1); err != nil {
		t.Fatal(err)
	}
	if err := a.Keep(budget.ReserveBytes); err == nil {
		t.Error("more is kept than there is")
	}
	a.Close()
	if n, total := e.options.Memory.Taken(), e.reserved.Load(); n != 0 || total != 0 {
		t.Errorf("%d and %d are left", n, total)
	}
}

// TestMemoryWithoutTurn: a large stored statement that has waited for its turn in vain is made only
// if there is memory for all of it.
func TestMemoryWithoutTurn(t *testing.T) {
	const mebibyte = 1 << 20
	e := New(Options{Memory: budget.NewMemory(100 * mebibyte)})
	for _, c := range []struct {
		turn bool
		want int64
	}{{true, 0}, {false, 92 * mebibyte}} {
		if taken, err := e.takeStored(50*mebibyte, mebibyte, c.turn); taken != c.want || err != nil {
			t.Errorf("turn %v: %d taken, %v, want %d", c.turn, taken, err, c.want)
		}
	}
	if _, err := e.takeStored(50*mebibyte, mebibyte, false); err == nil {
		t.Error("a second one goes on without a turn, and without memory")
	}
	if taken, err := e.takeStored(mebibyte-1, 0, false); taken != 0 || err != nil {
		t.Errorf("of a small one %d are taken, %v", taken, err)
	}
}
