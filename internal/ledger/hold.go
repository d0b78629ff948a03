package ledger

import (
	"bytes"
	"cmp"
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/go-sql-driver/mysql"

	"tunic/internal/catalog"
)

// lockName names the lock at the server that who changes something has.
const lockName = catalog.Schema

// errDiscard makes database/sql close a connection instead of pooling it.
var errDiscard = driver.ErrBadConn

// Times of holding on.
const (
	beat      = 250 * time.Millisecond // between two looks at the ledger
	hurry     = 5                      // times as often it is looked for when it is lost,
	hurryHeld = 25                     // and whether statements in flight still hold a version back
	patient   = 10 * time.Second       // for one look, and for getting hold again
	silence   = 10 * time.Second       // after which the server takes a connection for dead
	retry     = 20 * time.Millisecond  // between two tries to get the lock

	farewell = time.Second // for giving back what is held
)

// uncut is for what is asked on the ledger's own connection, which the driver closes where a context
// ends meanwhile: the ledger would be lost to all for one client that leaves, or one job that
// is to pause. Of a context that has ended nothing is begun.
func uncut(ctx context.Context) (context.Context, context.CancelFunc) {
	if ctx.Err() != nil {
		return ctx, func() {}
	}
	return context.WithTimeout(context.WithoutCancel(ctx), patient)
}

// tryLock takes the lock for the connection if nobody has it. The caller holds mu.
func (l *Ledger) tryLock(ctx context.Context) (bool, error) {
	if l.conn == nil {
		return false, ErrLost
	}
	var got sql.NullInt64
	if err := l.conn.QueryRowContext(ctx, "SELECT GET_LOCK(?, 0)", lockName).Scan(&got); err != nil {
		return false, fmt.Errorf("%w: %w", ErrLost, err)
	}
	return got.Int64 == 1, nil
}

// unlock gives it back. A connection on which that fails gives it back as it ends.
func (l *Ledger) unlock(ctx context.Context) {
	if l.conn == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), farewell)
	defer cancel()
	_, _ = l.conn.ExecContext(ctx, "DO RELEASE_LOCK(?)", lockName)
}

// begin takes the turn among the changes of this process and the lock among those of all,
// and reads what others have written. Until end is called, nobody else writes. It fails
// when late is closed, with ErrBusy.
func (l *Ledger) begin(ctx context.Context, late <-chan struct{}) (end func(), err error) {
	select {
	case <-l.turn:
	case <-late:
		return nil, cmp.Or(ctx.Err(), ErrBusy)
	}
	for {
		got, err := l.tryBegin(ctx)
		if got {
			return func() {
				l.mu.Lock()
				l.unlock(ctx)
				l.mu.Unlock()
				l.turn <- struct{}{}
			}, nil
		}
		if err == nil {
			err = pause(late)
		}
		if err != nil {
			l.turn <- struct{}{}
			return nil, cmp.Or(ctx.Err(), err)
		}
	}
}

// pause waits for a while before something is tried again; it is ErrBusy if it becomes too
// late.
func pause(late <-chan struct{}) error {
	select {
	case <-time.After(retry):
		return nil
	case <-late:
		return ErrBusy
	}
}

// tryBegin is begin if nobody has the lock.
func (l *Ledger) tryBegin(ctx context.Context) (got bool, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	ctx, cancel := uncut(ctx)
	defer cancel()
	if got, err = l.tryLock(ctx); !got || err != nil {
		return false, err
	}
	if err = l.poll(ctx); err == nil {
		l.later = time.Time{}
		err = l.settleAll(ctx)
	}
	if err != nil {
		l.unlock(ctx)
	}
	if errors.Is(err, ErrBusy) { // somebody's transaction has a table that is to be settled
		return false, nil
	}
	return err == nil, err
}

// settleLeft settles what is left in the journal if nobody is about to, which is so if
// nobody has the lock.
func (l *Ledger) settleLeft(ctx context.Context) error {
	if len(l.left) == 0 || time.Now().Before(l.later) {
		return nil
	}
	select {
	case <-l.turn:
		defer func() { l.turn <- struct{}{} }()
	default:
		return nil
	}
	got, err := l.tryLock(ctx)
	if !got || err != nil {
		return err
	}
	defer l.unlock(ctx)
	if err := l.poll(ctx); err != nil {
		return err
	}
	err = l.settleAll(ctx)
	if errors.Is(err, ErrBusy) { // there is time
		l.later = time.Now().Add(laterTry)
		return nil
	}
	return err
}

// laterTry is how long it is not tried again to take a table from a late change, which
// makes statements on it wait for a moment.
const laterTry = 5 * time.Second

// keep looks after the ledger until it is closed.
func (l *Ledger) keep(ctx context.Context) {
	defer close(l.done)
	calm := l.beatTime()
	tick := time.NewTicker(calm)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		l.look(ctx)
		rest := calm
		switch {
		case errors.Is(l.Usable(), ErrLost):
			rest = calm / hurry
		case l.held.Load():
			l.awaitClear(ctx, calm)
			rest = calm / hurryHeld
		}
		tick.Reset(rest)
	}
}

// awaitClear waits for a time until statements in flight have ended that hold the current version back: others wait to
// be told.
func (l *Ledger) awaitClear(ctx context.Context, most time.Duration) {
	before := l.heldBack()
	for until := time.Now().Add(most); l.heldBack() == before && time.Now().Before(until); {
		if sleep(ctx, most/hurryHeld) != nil {
			return
		}
	}
}

// look reads what others have written, settles what they have left, and tells the members
// that this one is there; or connects again.
func (l *Ledger) look(life context.Context) {
	l.mu.Lock()
	defer l.mu.Unlock()
	ctx, cancel := context.WithTimeout(life, cmp.Or(l.o.patience, patient))
	defer cancel()
	if l.conn != nil && l.Usable() == nil {
		err := l.follow(ctx)
		if err == nil {
			err = l.seeQuiesce(ctx, life)
		}
		if err == nil || errors.Is(ctx.Err(), context.Canceled) {
			return
		}
		if !known(err) {
			err = fmt.Errorf("%w: %w", ErrLost, err)
		}
		l.become(err)
		l.o.Log.Error("the ledger is lost; protected tables are not served until it is back", "error", err)
	}
	l.drop()
	if err := l.take(ctx); err != nil {
		_, answered := errors.AsType[*mysql.MySQLError](err)
		if before := l.Usable(); (answered || !errors.Is(err, ErrLost)) && (before == nil || before.Error() != err.Error()) {
			l.o.Log.Error("the ledger cannot be taken back", "error", err)
		}
		l.become(err)
		return
	}
	l.o.Log.Info("the ledger is back")
}

// known reports whether an error is one of the ledger's own.
func known(err error) bool {
	for _, own := range [...]error{ErrLost, ErrForm, ErrDamaged, ErrUnexplained} {
		if errors.Is(err, own) {
			return true
		}
	}
	return false
}

// follow is look while all is well.
func (l *Ledger) follow(ctx context.Context) error {
	if err := l.poll(ctx); err != nil {
		return err
	}
	if err := l.settleLeft(ctx); err != nil {
		return err
	}
	return l.beat(ctx)
}

// poll reads the ledger if somebody has written to it.
func (l *Ledger) poll(ctx context.Context) error {
	if l.conn == nil {
		return ErrLost
	}
	var root []byte
	begin := time.Now()
	if err := l.conn.QueryRowContext(ctx, "SELECT root FROM "+project+" WHERE one = 1").Scan(&root); err != nil {
		if errors.Is(err, sql.ErrNoRows) {
			return fmt.Errorf("%w: it is gone", ErrDamaged)
		}
		return err
	}
	if !bytes.Equal(root, l.root) {
		if err := l.read(ctx); err != nil {
			return err
		}
	}
	l.polled.Store(int64(time.Since(l.born)))
	if l.member.Load() != nil { // the link is to the server at which it has joined
		l.answered = begin
	}
	return nil
}

// CatchUp reads what others have written, and reports whether there is another version of
// the catalog by now than the one that was asked with. If there is none while one of these
// tables is being changed, it waits until that has been settled or until done, as one waits
// at a gate; and for ten seconds where the ledger is lost. Who changes it may be this process
// itself: what a client prepares enters no gate.
func (l *Ledger) CatchUp(done <-chan struct{}, tables []*catalog.Table, version uint64) bool {
	settled := persist(done, cmp.Or(l.o.patience, patient), func() (bool, error) {
		wait, err := l.catchUpSoon(tables)
		return !wait || l.Catalog().Version != version, err
	})
	return settled && l.Catalog().Version != version
}

// persist looks until what is looked for is there: until done, and for a time where the ledger
// is lost. One look counts for half of that time at most: a process that was stopped during it
// has not waited, and finds its connections closed.
func persist(done <-chan struct{}, patience time.Duration, look func() (there bool, err error)) bool {
	for lost := time.Duration(0); ; {
		began := time.Now()
		there, err := look()
		switch {
		case err == nil && there:
			return true
		case err == nil:
			lost = 0
		case !errors.Is(err, ErrLost), lost > patience:
			return false
		}
		select {
		case <-time.After(retry):
		case <-done:
			return false
		}
		if err != nil {
			lost += min(time.Since(began), patience/2)
		}
	}
}

// catchUpSoon is catchUp within the time that a look may take.
func (l *Ledger) catchUpSoon(tables []*catalog.Table) (wait bool, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), cmp.Or(l.o.patience, patient))
	defer cancel()
	return l.catchUp(ctx, tables)
}

// Refresh is CatchUp for who is about to change tables: it waits as long as others change
// them, and fails where the ledger cannot be read.
func (l *Ledger) Refresh(ctx context.Context, tables []*catalog.Table) error {
	for {
		wait, err := l.catchUp(ctx, tables)
		if err != nil || !wait {
			return err
		}
		if err := pause(ctx.Done()); err != nil {
			return cmp.Or(ctx.Err(), err)
		}
	}
}

// catchUp is one look. It reports whether it is to be waited for another.
func (l *Ledger) catchUp(ctx context.Context, tables []*catalog.Table) (wait bool, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	ctx, cancel := uncut(ctx)
	defer cancel()
	if err := l.Usable(); err != nil {
		return false, err
	}
	if err := l.poll(ctx); err != nil {
		return false, fmt.Errorf("%w: %w", ErrLost, err) // keep sees what is to be done
	}
	_ = l.settleLeft(ctx) // the same
	for _, s := range slices.Concat(l.unsettled(), l.own) {
		for _, t := range tables {
			if t != nil && s.touches(t) {
				return true, nil
			}
		}
	}
	return false, nil
}

// touches reports whether a step changes a table, or what has its name.
func (s Step) touches(t *catalog.Table) bool {
	for _, of := range [...]*catalog.Table{s.Old, s.New} {
		if of != nil && (of.ID == t.ID || of.Schema == t.Schema && of.Name == t.Name) {
			return true
		}
	}
	return false
}
