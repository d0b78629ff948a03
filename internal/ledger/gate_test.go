package ledger

import (
	"bytes"
	"context"
	"log/slog"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"tunic/internal/catalog"
)

// everything is used by who holds the locks of all tables.
func everything(catalog.ID) bool { return true }

// TestGateTogether: who uses one of the tables that a statement changes together passes the
// gates of all of them, and those that are closed for it besides.
func TestGateTogether(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var g Gate
		over := make(chan struct{})
		close(over)
		open, ok := g.Close([]catalog.ID{{1}, {2}, {3}}, []catalog.ID{{1}, {2}}, nil)
		if !ok {
			t.Fatal("not closed with nobody inside")
		}
		for _, c := range []struct {
			id, uses byte
			passes   bool
		}{{1, 1, true}, {2, 1, true}, {3, 1, true}, {1, 3, false}, {3, 3, true}, {2, 4, false}} {
			inside, ok := g.Enter(catalog.ID{c.id}, Passage{Uses: func(id catalog.ID) bool { return id == catalog.ID{c.uses} }}, over)
			if ok != c.passes {
				t.Errorf("who uses table %d enters the gate of %d: %v", c.uses, c.id, ok)
			}
			if ok {
				inside.Leave()
			}
		}
		open()
		inside, ok := g.Enter(catalog.ID{2}, Passage{}, over)
		if !ok {
			t.Fatal("not open again")
		}
		inside.Leave()
	})
}

// TestGateHolds: who may hold something that a change waits for passes a closed gate when it has been left, of tables that are
// changed together or alone; nobody does who holds nothing, nor a gate that is held.
func TestGateHolds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var g Gate
		over := make(chan struct{})
		close(over)
		holds := Passage{Holds: true}
		first, _ := g.Enter(catalog.ID{1}, Passage{}, nil)
		letGo := g.hold(catalog.ID{1})
		if _, ok := g.Enter(catalog.ID{1}, holds, over); ok {
			t.Fatal("entered while it is held")
		}
		letGo()
		var open func()
		go func() { open, _ = g.Close([]catalog.ID{{1}, {2}}, []catalog.ID{{1}}, nil) }()
		synctest.Wait()
		entered := false
		go func() {
			later, _ := g.Enter(catalog.ID{1}, holds, nil)
			entered = true
			later.Leave()
		}()
		synctest.Wait()
		if entered {
			t.Fatal("entered before it was left: it would never be if many did")
		}
		first.Leave()
		synctest.Wait()
		if !entered || open == nil {
			t.Fatalf("entered %t, closed %t", entered, open != nil)
		}
		if _, ok := g.Enter(catalog.ID{1}, Passage{}, over); ok {
			t.Fatal("who holds nothing has entered")
		}
		open()
		alone, _ := g.Close([]catalog.ID{{1}}, nil, nil)
		later, ok := g.Enter(catalog.ID{1}, holds, over)
		if !ok {
			t.Fatal("kept waiting by a change of one table, which may wait for it")
		}
		later.Leave()
		alone()
	})
}

// TestGate: a change waits for those inside, those who come later wait for the
// change, and one who may pass does.
func TestGate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var g Gate
		id := catalog.ID{1}
		first, _ := g.Enter(id, Passage{}, nil)
		var open func()
		go func() { open, _ = g.Close([]catalog.ID{id, id}, nil, nil) }()
		synctest.Wait()
		if open != nil {
			t.Fatal("closed with somebody inside")
		}
		second, ok := g.Enter(id, Passage{Uses: everything}, nil)
		if !ok {
			t.Fatal("one who may pass did not")
		}
		entered := false
		go func() {
			third, _ := g.Enter(id, Passage{}, nil)
			entered = true
			third.Leave()
		}()
		first.Leave()
		synctest.Wait()
		if open != nil || entered {
			t.Fatal("closed with one inside, or entered while closing")
		}
		second.Leave()
		synctest.Wait()
		if open == nil || entered {
			t.Fatal("not closed, or entered while closed")
		}
		other, ok := g.Enter(catalog.ID{2}, Passage{}, nil)
		if !ok {
			t.Fatal("another table's gate is closed")
		}
		other.Leave()
		open()
		synctest.Wait()
		if !entered {
			t.Fatal("not open again")
		}
	})
}

// TestGateGivesUp: who gives up waiting leaves the gate as it was.
func TestGateGivesUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var g Gate
		over := make(chan struct{})
		close(over)
		inside, _ := g.Enter(catalog.ID{2}, Passage{}, nil)
		if _, ok := g.Close([]catalog.ID{{1}, {2}}, nil, over); ok {
			t.Fatal("closed with somebody inside")
		}
		for _, id := range []catalog.ID{{1}, {2}} {
			again, ok := g.Enter(id, Passage{}, over)
			if !ok {
				t.Fatalf("gate %d stays closed after the change has given up", id[0])
			}
			again.Leave()
		}
		inside.Leave()
		open, ok := g.Close([]catalog.ID{{2}}, nil, over)
		if !ok {
			t.Fatal("not closed with nobody inside")
		}
		if _, ok := g.Enter(catalog.ID{2}, Passage{}, over); ok {
			t.Fatal("entered a closed gate")
		}
		open()
	})
}

// TestGateHeld: while a gate is held nobody enters who has not used the table, those who have go
// on, and it is still when they are gone.
func TestGateHeld(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var g Gate
		id, over := catalog.ID{1}, make(chan struct{})
		close(over)
		inside, _ := g.Enter(id, Passage{}, nil)
		use := g.Use(id)
		letGo := g.hold(id)
		if _, ok := g.Enter(id, Passage{}, over); ok {
			t.Fatal("entered while it is held")
		}
		again, ok := g.Enter(id, Passage{Uses: everything}, over)
		if !ok {
			t.Fatal("one who has used the table did not")
		}
		still, entered := false, false
		go func() { still = g.awaitStill(id, nil) }()
		go func() {
			late, _ := g.Enter(id, Passage{}, nil)
			entered = true
			late.Leave()
		}()
		for _, gone := range []func(){inside.Leave, again.Leave} {
			gone()
			synctest.Wait()
			if still || g.awaitStill(id, over) {
				t.Fatal("still with an open transaction")
			}
		}
		use.End()
		synctest.Wait()
		if !still || entered {
			t.Fatal("not still, or entered while it is held")
		}
		letGo()
		letGo()
		synctest.Wait()
		if !entered {
			t.Fatal("not let go")
		}
	})
}

// TestGateExcludes: under load, nobody is ever inside during a change.
func TestGateExcludes(t *testing.T) {
	var g Gate
	var inside atomic.Int64
	var changing atomic.Bool
	var all sync.WaitGroup
	ids := []catalog.ID{{1}, {2}}
	for range 8 {
		all.Go(func() {
			for n := range 500 {
				in, _ := g.Enter(ids[n%2], Passage{}, nil)
				inside.Add(1)
				if changing.Load() {
					t.Error("inside during a change")
				}
				inside.Add(-1)
				in.Leave()
			}
		})
	}
	for range 2 {
		all.Go(func() {
			for range 100 {
				open, _ := g.Close(ids, nil, nil)
				changing.Store(true)
				if inside.Load() != 0 {
					t.Error("a change with somebody inside")
				}
				changing.Store(false)
				open()
			}
		})
	}
	all.Wait()
}

func BenchmarkGate(b *testing.B) {
	var g Gate
	id := catalog.ID{1}
	b.ReportAllocs()
	b.RunParallel(func(p *testing.PB) {
		for p.Next() {
			in, _ := g.Enter(id, Passage{}, nil)
			in.Leave()
		}
	})
}

// TestLongChange: a change that takes longer than a look at the lock may does not
// lose it.
func TestLongChange(t *testing.T) {
	onServers(t, func(b *bench) {
		o := b.options()
		var lines bytes.Buffer
		o.beat, o.patience, o.Log = time.Millisecond, 500*time.Millisecond, slog.New(slog.NewTextHandler(&lines, nil))
		l, err := initAndOpen(b.t.Context(), o)
		if err != nil {
			b.t.Fatal(err)
		}
		const busy = 2 * time.Second
		_, _ = l.Change(b.t.Context(), nil, func(context.Context) error { time.Sleep(busy); return nil })
		l.Close()
		if lines.Len() > 0 {
			b.t.Errorf("it logs %s", &lines)
		}
	})
}
