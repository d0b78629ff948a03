package ddl

import (
	"cmp"
	"context"
	"errors"
	"sync"
	"time"

	"tunic/internal/catalog"
	"tunic/internal/crash"
	"tunic/internal/ddl/turn"
	"tunic/internal/ledger"
)

// What a kill of tunic or of the server has left of a change of a table is mended by whoever
// starts, and by whoever has begun the change and lives on. Neither may wait for long: a
// transaction may have the table, the connection of who is gone may have its lock for a moment
// still, and a server that was killed is away. So what cannot be done at once is done later,
// beside everything else.

// mending is something to be done to a table that nobody else changes meanwhile, and nothing to
// one to which it has been done.
type mending struct {
	name string // no two have the same
	// do does it; others may have to wait behind it for as long as wait is.
	do func(ctx context.Context, t *catalog.Table, wait time.Duration) error
}

// keeper is what mends later.
type keeper struct {
	mu      sync.Mutex
	life    context.Context // nil while there is none
	running sync.WaitGroup
	due     map[dueMending]bool // what somebody is at or waits for: whether it has been asked for again since
}

// dueMending is one of a table.
type dueMending struct {
	table catalog.ID
	name  string
}

// Keep has what must be mended later be mended, until end is called. Without it, that is left to
// the next change of the table, and to the next start.
func (d *Definer) Keep(ctx context.Context) (end func()) {
	life, stop := context.WithCancel(ctx)
	d.keeper.mu.Lock()
	defer d.keeper.mu.Unlock()
	d.keeper.life, d.keeper.due = life, map[dueMending]bool{} //nolint:fatcontext // it outlives the call, until end
	return func() {
		d.keeper.mu.Lock()
		stop()
		d.keeper.mu.Unlock()
		d.keeper.running.Wait()
	}
}

// postpone has a table mended as soon as that can be done: by one at a time, however often it is
// asked for meanwhile.
func (d *Definer) postpone(t *catalog.Table, m mending) {
	k, due := &d.keeper, dueMending{t.ID, m.name}
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.life == nil || k.life.Err() != nil {
		return
	}
	if _, under := k.due[due]; under {
		k.due[due] = true
		return
	}
	k.due[due] = false
	life := k.life
	k.running.Go(func() {
		for more := true; more; more = k.again(due) {
			d.mendLater(life, t, m)
		}
	})
}

// again reports whether a mending has been asked for since it was begun; if not, it is over.
func (k *keeper) again(due dueMending) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.due[due] && k.life.Err() == nil {
		k.due[due] = false
		return true
	}
	delete(k.due, due)
	return false
}

// mendLater mends a table, however long it takes.
func (d *Definer) mendLater(life context.Context, t *catalog.Table, m mending) {
	err := d.step(life, t.ID, m.do)
	for ; ledger.Unreachable(err) && life.Err() == nil; err = d.step(life, t.ID, m.do) {
		_ = sleep(life, turn.AgainFirst)
	}
	switch {
	case life.Err() != nil, errors.Is(err, ErrTableGone):
	case err != nil:
		d.o.Log.Error("what a change has left of a table cannot be mended; the next change of it, or the next start, does", "table", t.FullName(), "error", err)
	default:
		d.o.Log.Info("what a change may have left of a table is mended", "table", t.FullName())
	}
}

// sweepPatience is how long who starts tries to get at a table that transactions use.
const sweepPatience = 3 * time.Second

// mend mends a table for who starts. Where somebody else changes it, or transactions use it
// for long, it is done later.
func (d *Definer) mend(ctx context.Context, t *catalog.Table, m mending) (later bool, err error) {
	unlock, err := d.o.Ledger.TryLock(ctx, []catalog.ID{t.ID})
	if err != nil {
		return false, err
	}
	if unlock == nil {
		d.postpone(t, m)
		return true, nil
	}
	defer unlock()
	if err := d.o.Ledger.Refresh(ctx, []*catalog.Table{t}); err != nil { // who had it may have dropped it
		return false, err
	}
	within, cancel := context.WithTimeout(ctx, cmp.Or(d.patience, sweepPatience))
	defer cancel()
	err = turn.Patiently(within, func(ctx context.Context, wait time.Duration) error {
		now := d.o.Ledger.Catalog().ByID(t.ID)
		if now == nil {
			return nil
		}
		return m.do(ctx, now, wait)
	})
	if err == nil || within.Err() == nil || ctx.Err() != nil {
		return false, err
	}
	d.o.Log.Warn("a table is left as it is for now: a transaction uses it", "table", t.FullName())
	d.postpone(t, m)
	return true, nil
}

// takingBack is takeBack to be done by one at a time.
func (d *Definer) takingBack() mending { return mending{"take back", d.takeBack} }

// takeBack brings a table back to what it was before something was to be backfilled for a
// statement, whose client is gone or has been told that it failed. If the statement has been done
// after all, it takes away what that has left.
func (d *Definer) takeBack(ctx context.Context, t *catalog.Table, wait time.Duration) error {
	if !t.BackfillsForStatement() {
		if err := d.dropLeftoversOf(ctx, t, wait); err != nil {
			return err
		}
		if err := d.check(ctx, t, wait); !isChanged(err) && !isGone(err) { // its own statements tell of that
			return err
		}
		return nil
	}
	crash.Point("ddl.forsaking")
	return d.forsakeOnce(ctx, t, wait)
}
