package upkeep

import (
	"cmp"
	"context"
	"errors"
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

// Keep has what must be mended later be mended, until end is called. Without it, that is left to
// the next change of the table, and to the next start.
func (s *Tables) Keep(ctx context.Context) (end func()) {
	life, stop := context.WithCancel(ctx)
	s.keeper.mu.Lock()
	defer s.keeper.mu.Unlock()
	s.keeper.life, s.keeper.due = life, map[dueMending]bool{} //nolint:fatcontext // it outlives the call, until end
	return func() {
		s.keeper.mu.Lock()
		stop()
		s.keeper.mu.Unlock()
		s.keeper.running.Wait()
	}
}

// Postpone has a table mended as soon as that can be done: by one at a time, however often it is
// asked for meanwhile.
func (s *Tables) Postpone(t *catalog.Table, m mending) {
	k, due := &s.keeper, dueMending{t.ID, m.name}
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
			s.mendLater(life, t, m)
		}
	})
}

// mendLater mends a table, however long it takes.
func (s *Tables) mendLater(life context.Context, t *catalog.Table, m mending) {
	err := s.Step(life, t.ID, m.do)
	for ; ledger.Unreachable(err) && life.Err() == nil; err = s.Step(life, t.ID, m.do) {
		_ = turn.Sleep(life, turn.AgainFirst)
	}
	switch {
	case life.Err() != nil, errors.Is(err, ErrTableGone):
	case err != nil:
		s.Log.Error("what a change has left of a table cannot be mended; the next change of it, or the next start, does", "table", t.FullName(), "error", err)
	default:
		s.Log.Info("what a change may have left of a table is mended", "table", t.FullName())
	}
}

// sweepPatience is how long who starts tries to get at a table that transactions use.
const sweepPatience = 3 * time.Second

// mend mends a table for who starts. Where somebody else changes it, or transactions use it
// for long, it is done later.
func (s *Tables) mend(ctx context.Context, t *catalog.Table, m mending) (later bool, err error) {
	unlock, err := s.Ledger.TryLock(ctx, []catalog.ID{t.ID})
	if err != nil {
		return false, err
	}
	if unlock == nil {
		s.Postpone(t, m)
		return true, nil
	}
	defer unlock()
	if err := s.Ledger.Refresh(ctx, []*catalog.Table{t}); err != nil { // who had it may have dropped it
		return false, err
	}
	within, cancel := context.WithTimeout(ctx, cmp.Or(s.Patience, sweepPatience))
	defer cancel()
	err = turn.Patiently(within, func(ctx context.Context, wait time.Duration) error {
		now := s.Ledger.Catalog().ByID(t.ID)
		if now == nil {
			return nil
		}
		return m.do(ctx, now, wait)
	})
	if err == nil || within.Err() == nil || ctx.Err() != nil {
		return false, err
	}
	s.Log.Warn("a table is left as it is for now: a transaction uses it", "table", t.FullName())
	s.Postpone(t, m)
	return true, nil
}

// TakingBack is takeBack to be done by one at a time.
func (s *Tables) TakingBack() mending { return mending{"take back", s.TakeBack} }

// TakeBack brings a table back to what it was before something was to be backfilled for a
// statement, whose client is gone or has been told that it failed. If the statement has been done
// after all, it takes away what that has left.
func (s *Tables) TakeBack(ctx context.Context, t *catalog.Table, wait time.Duration) error {
	if !t.BackfillsForStatement() {
		if err := s.DropLeftoversOf(ctx, t, wait); err != nil {
			return err
		}
		if err := s.check(ctx, t, wait); !isChanged(err) && !isGone(err) { // its own statements tell of that
			return err
		}
		return nil
	}
	crash.Point("ddl.forsaking")
	return s.forsakeOnce(ctx, t, wait)
}
