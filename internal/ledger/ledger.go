package ledger

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"sync"
	"sync/atomic"
	"time"

	"tunic/internal/catalog"
	"tunic/internal/keys"
)

// Errors of a ledger. All but ErrHeld, ErrLost, ErrBusy and ErrNone mean that somebody has to
// look.
var (
	// ErrHeld says that another tunic serves this database.
	ErrHeld = errors.New("another tunic serves the protected tables of this database")
	// ErrLost says that the connection that held the ledger is gone. It is looked
	// for again until it is back.
	ErrLost = errors.New("the ledger is out of reach")
	// ErrBusy says that statements on a table have not ended in time for a change of it.
	ErrBusy = errors.New("statements on the table are under way")
	// ErrNone says that the database has no ledger.
	ErrNone = errors.New("no table is protected in this database")
	// ErrForm says that a newer tunic has written the ledger.
	ErrForm = errors.New("the ledger has a form that this version does not know")
	// ErrDamaged says that rows of the ledger were changed, removed or put back.
	ErrDamaged = errors.New("the ledger is not as it was written")
	// ErrUnexplained says that a table is neither as a change found it nor as the
	// change was to leave it.
	ErrUnexplained = errors.New("a protected table has a definition that tunic has not given it")
)

// Options are what a ledger stands on.
type Options struct {
	// DB is the service account's. The ledger keeps one connection of it.
	DB *sql.DB
	// KEK opens the master keys, and wraps the first one of a new ledger.
	KEK *keys.KEK
	// Types reads the types of columns.
	Types catalog.Types
	// Wait is how long Open waits for another tunic to let go, as one that was
	// killed does when the server notices. 0 does not wait.
	Wait time.Duration
	Log  *slog.Logger

	beat     time.Duration // between two looks at the lock; 0 is the default
	patience time.Duration // for one look; 0 is the default
}

// Ledger is the catalog of a database, held. Its methods may be called by many
// goroutines.
type Ledger struct {
	o       Options
	tree    *keys.Tree
	sealer  *sealer
	current atomic.Pointer[catalog.Catalog]
	state   atomic.Pointer[state]

	gate Gate

	mu   sync.Mutex // over all that follows; a change of definitions holds it
	conn *sql.Conn  // holds the lock; nil if lost
	rows map[row]digest
	left []*entry // of the journal, to be settled
	// before is the catalog as it is written down while current has something in it that is
	// coming; else nil.
	before *catalog.Catalog

	stop func()
	done chan struct{}
}

// state is whether protected tables may be used, and if not, why. It is over when
// there is another.
type state struct {
	err  error
	over chan struct{}
}

// Open takes the ledger of a database, making it if there is none, and settles
// what was under way when it was last held. Errors wrap those of this package,
// keys.ErrOtherKey and keys.ErrMaster, or are the server's.
func Open(ctx context.Context, o Options) (*Ledger, error) {
	l := &Ledger{o: o, done: make(chan struct{})}
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := l.take(ctx); err != nil {
		return nil, err
	}
	life, stop := context.WithCancel(context.WithoutCancel(ctx))
	l.stop = stop
	go l.keep(life)
	return l, nil
}

// Catalog is the current version of the catalog.
func (l *Ledger) Catalog() *catalog.Catalog { return l.current.Load() }

// Tree is the key tree of the project.
func (l *Ledger) Tree() *keys.Tree { return l.tree }

// Gate is the gate of the tables.
func (l *Ledger) Gate() *Gate { return &l.gate }

// Usable is nil while protected tables may be used; else it says why not.
func (l *Ledger) Usable() error { return l.state.Load().err }

// Await is Usable, but while the ledger is only lost, as it is for a moment when the
// server has been restarted, it waits for it to be held again: until done, and for
// ten seconds at most.
func (l *Ledger) Await(done <-chan struct{}) error {
	s := l.state.Load()
	if !errors.Is(s.err, ErrLost) {
		return s.err
	}
	patience := time.NewTimer(cmp.Or(l.o.patience, patient))
	defer patience.Stop()
	for errors.Is(s.err, ErrLost) {
		select {
		case <-s.over:
			s = l.state.Load()
		case <-patience.C:
			return s.err
		case <-done:
			return s.err
		}
	}
	return s.err
}

// Close lets go of the ledger.
func (l *Ledger) Close() {
	l.stop()
	<-l.done
	l.mu.Lock()
	defer l.mu.Unlock()
	l.become(ErrLost)
	l.drop()
}

// take gets hold of the ledger and reads it. The caller holds mu.
func (l *Ledger) take(ctx context.Context) (err error) {
	if l.state.Load() == nil {
		l.become(ErrLost)
	}
	conn, err := l.o.DB.Conn(ctx)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrLost, err)
	}
	l.conn = conn
	defer func() {
		if err != nil {
			l.drop()
		}
	}()
	if err := l.lock(ctx); err != nil {
		return err
	}
	if err := define(ctx, conn); err != nil {
		return err
	}
	if err := l.read(ctx); err != nil {
		return err
	}
	if err := l.settleAll(ctx); err != nil {
		return err
	}
	l.become(nil)
	return nil
}

// drop gives back the lock and closes the connection. One that is broken already
// cannot fail any more: the server lets go of its lock when it notices.
func (l *Ledger) drop() {
	if l.conn == nil {
		return
	}
	conn := l.conn
	l.conn = nil
	ctx, cancel := context.WithTimeout(context.Background(), farewell)
	defer cancel()
	_, _ = conn.ExecContext(ctx, "DO RELEASE_LOCK(?)", lockName)
	_ = conn.Raw(func(any) error { return errDiscard }) // a pooled connection would keep what it could not give back
	_ = conn.Close()
}

// become is what changes the state.
func (l *Ledger) become(err error) {
	if before := l.state.Swap(&state{err: err, over: make(chan struct{})}); before != nil {
		close(before.over)
	}
}

// transact runs f in a transaction of the connection that holds the lock, and
// takes over the rows that f has changed if it commits.
func (l *Ledger) transact(ctx context.Context, f func(tx *sql.Tx, rows map[row]digest) error) error {
	if l.conn == nil {
		return ErrLost
	}
	tx, err := l.conn.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	rows := maps.Clone(l.rows)
	if err := f(tx, rows); err != nil {
		return errors.Join(err, ignoreDone(tx.Rollback()))
	}
	if err := tx.Commit(); err != nil {
		return err
	}
	l.rows = rows
	return nil
}

func ignoreDone(err error) error {
	if errors.Is(err, sql.ErrTxDone) {
		return nil
	}
	return err
}

// writeRoot writes the root over the rows as they will be.
func (l *Ledger) writeRoot(ctx context.Context, tx *sql.Tx, version uint64, rows map[row]digest) error {
	sealed := l.sealer.seal(placeRoot, [16]byte{}, 0, rootOf(version, rows).encode())
	_, err := tx.ExecContext(ctx, "UPDATE "+project+" SET root = ? WHERE one = 1", sealed)
	return err
}
