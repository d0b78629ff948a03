package ledger

import (
	"cmp"
	"context"
	"crypto/rand"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"sync"
	"sync/atomic"
	"time"

	"tunic/internal/catalog"
	"tunic/internal/inflight"
	"tunic/internal/keys"
)

// Errors of a ledger. All but ErrHeld, ErrLost, ErrBusy and ErrNone mean that somebody has to
// look.
var (
	// ErrHeld says that another tunic is changing definitions, and did not end in time.
	ErrHeld = errors.New("another tunic is changing the protected tables of this database")
	// ErrLost says that the connection over which the ledger is read is gone. It is looked
	// for again until it is back.
	ErrLost = errors.New("the ledger is out of reach")
	// ErrOutdated says that a table has another definition than the one that a change was to
	// begin with: another tunic was before it.
	ErrOutdated = errors.New("another tunic has changed the table")
	// ErrBusy says that statements have not ended in time for a change of a table.
	ErrBusy = errors.New("statements on the table are under way")
	// ErrNone says that the database has no ledger.
	ErrNone = errors.New("no table is protected in this database")
	// ErrStored says that the database has no ledger, and tables that one had.
	ErrStored = errors.New("stored tables without a ledger")
	// ErrOtherProject says that the ledger is not that of Options.Project or of the key file.
	ErrOtherProject = errors.New("the ledger is another project's")
	// ErrOlder says that the ledger is older than one that was seen before.
	ErrOlder = errors.New("the ledger is older than one that this tunic has seen")
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
	// Project is the one that the ledger has to be of, as that of the KEK is; zero is any.
	Project keys.Project
	// Held are connections that nobody else uses, two of which the ledger keeps: so it does not wait for those of
	// DB, and its lease lasts while it is late. nil has it keep one of DB.
	Held *sql.DB
	// Serves says that the process has clients, whose statements a server goes on with when the process has gone.
	Serves bool
	// Seen keeps the newest version that was seen; nil if nothing does.
	Seen *Seen
	// Types reads the types of columns.
	Types catalog.Types
	// Wait is how long Init waits for another tunic that makes the ledger. 0 does not wait.
	Wait time.Duration
	Log  *slog.Logger
	// Lease is how long others wait for this process to tell that it has read the ledger,
	// and how long this one waits for them. It is the same for all; 0 is the default.
	Lease time.Duration

	beat     time.Duration // between two looks at the ledger; 0 is the default
	patience time.Duration // for one look; 0 is the default
}

// Ledger is the catalog of a database, as it is read and changed by one process. Its
// methods may be called by many goroutines.
type Ledger struct {
	o       Options
	tree    *keys.Tree
	sealer  *sealer
	current atomic.Pointer[catalog.Catalog]
	state   atomic.Pointer[state]
	peers   atomic.Int64 // members besides this one

	gate     Gate
	inFlight inflight.Registry

	connections connections
	self        [16]byte                   // the member's ID
	lease       atomic.Int64               // until when the lease lasts, since born; 0 before the first
	member      atomic.Pointer[membership] // nil while the process is none
	polled      atomic.Int64               // when the ledger was read last, since born
	held        atomic.Bool                // statements in flight hold the current version back
	heldSince   time.Time                  // since then; zero if none do
	heldTold    time.Time                  // when the log has said last which
	barred      atomic.Bool                // the last beat has met a lock on all tables, or a server that takes no writes
	born        time.Time
	turn        chan struct{}  // has one element, which whoever changes definitions has taken
	quiesces    sync.WaitGroup // of others, that this process has joined
	pulsing     sync.Mutex     // for the time of a pulse
	pulsed      chan struct{}  // closed when the last pulse is over

	mu        sync.Mutex // over all that follows; nobody holds it while it waits for others
	conn      *sql.Conn  // nil if lost
	joined    atServer   // where it has joined last
	answered  time.Time  // when that server was asked for the last thing that it has answered over the link
	links     int        // how many connections there have been
	root      []byte     // as it was read or written last
	beats     time.Time  // when it was told last which version was seen
	told      uint64     // that version
	toldClear uint64     // the one that was told last that no statement in flight holds back
	tried     time.Time  // when it could not be told, where barred
	others    map[[16]byte]sighting
	departed  departures
	sighted   time.Time
	quiesce   string // that was seen last
	rows      map[row]digest
	left      []*entry  // of the journal, to be settled
	own       []Step    // of this process's change, from when it is announced until it is settled
	later     time.Time // before which it is not tried again to settle them
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

// Open reads the ledger of a database, and settles what a process has left that is
// no more. Errors wrap those of this package, keys.ErrOtherKey and keys.ErrMaster, or
// are the server's.
func Open(ctx context.Context, o Options) (*Ledger, error) {
	l := newLedger(o)
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := l.take(ctx); err != nil {
		return nil, err
	}
	life, stop := context.WithCancel(context.WithoutCancel(ctx))
	l.stop = stop
	go l.keep(life)
	if o.Held == nil {
		close(l.pulsed)
	} else {
		go l.pulse(life)
	}
	return l, nil
}

func newLedger(o Options) *Ledger {
	l := &Ledger{o: o, done: make(chan struct{}), pulsed: make(chan struct{}), born: time.Now(), turn: make(chan struct{}, 1)}
	_, _ = rand.Read(l.self[:]) // never fails: crypto/rand ends the program instead
	l.connections = connections{db: o.DB, member: l.me(), patience: cmp.Or(o.patience, patient), log: o.Log}
	l.turn <- struct{}{}
	return l
}

// Catalog is the current version of the catalog.
func (l *Ledger) Catalog() *catalog.Catalog { return l.current.Load() }

// Tree is the key tree of the project.
func (l *Ledger) Tree() *keys.Tree { return l.tree }

// Gate is the gate of the tables.
func (l *Ledger) Gate() *Gate { return &l.gate }

// InFlight are the statements of the process's clients that the server may have.
func (l *Ledger) InFlight() *inflight.Registry { return &l.inFlight }

// Connection is a client's, by the server's number and the port here that it comes from, 0 over a Unix socket.
func (l *Ledger) Connection(number uint32, port int) *Connection {
	return &Connection{all: &l.connections, serial: l.connections.serials.Add(1), number: number, port: port, made: time.Now()}
}

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
	<-l.pulsed
	l.quiesces.Wait()
	l.mu.Lock()
	defer l.mu.Unlock()
	l.become(ErrLost)
	left := l.inFlight.Close(farewell, l.lookUpLast) // all sessions have ended
	l.connections.close()
	if l.conn != nil {
		ctx, cancel := context.WithTimeout(context.Background(), farewell)
		defer cancel()
		text := leaves
		if !left {
			text = "DELETE FROM " + connection + " WHERE member = ?"
		}
		_, err := l.conn.ExecContext(ctx, text, l.self[:])
		if err == nil {
			_, _ = l.conn.ExecContext(ctx, "DELETE FROM "+member+" WHERE id = ?", l.self[:])
		}
	}
	l.drop()
}

// lookUpLast has connections looked up that have ended without an answer, at the end of the process. The caller holds mu.
func (l *Ledger) lookUpLast() {
	if l.conn == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), farewell)
	defer cancel()
	_ = l.connections.lookUp(ctx, l.conn, l.joined) // what is not known to be over is left to others
}

// take connects, reads the ledger and joins its members. The caller holds mu.
func (l *Ledger) take(ctx context.Context) (err error) {
	if l.state.Load() == nil {
		l.become(ErrLost)
	}
	conn, err := cmp.Or(l.o.Held, l.o.DB).Conn(ctx)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrLost, err)
	}
	l.conn, l.root = conn, nil
	l.links++
	defer func() {
		if err == nil {
			return
		}
		l.drop()
		if passes(err) && !errors.Is(err, ErrLost) {
			err = fmt.Errorf("%w: %w", ErrLost, err)
		}
	}()
	// Nobody but tunic speaks on this connection. If it is silent for so long the process
	// is stopped or gone, and the server is to let go of what it holds.
	if _, err := conn.ExecContext(ctx, "SET SESSION wait_timeout = ?", int(silence/time.Second)); err != nil {
		return fmt.Errorf("%w: %w", ErrLost, err)
	}
	if err := l.present(ctx); err != nil {
		return err
	}
	if err := define(ctx, conn); err != nil {
		return err
	}
	if err := l.read(ctx); err != nil {
		return err
	}
	if err := l.settleLeft(ctx); err != nil {
		return err
	}
	if err := l.join(ctx); err != nil {
		return err
	}
	l.become(nil)
	return nil
}

// drop closes the connection, and lets go of the lock with it. One that is broken already
// cannot fail any more: the server lets go when it notices.
func (l *Ledger) drop() {
	if l.conn == nil {
		return
	}
	conn := l.conn
	l.conn = nil
	l.member.Store(nil)
	l.lease.Store(0)
	ctx, cancel := context.WithTimeout(context.Background(), farewell)
	defer cancel()
	_, _ = conn.ExecContext(ctx, "DO RELEASE_LOCK(?)", lockName)
	letGo(conn) // a pooled connection would keep what it could not give back
}

// become is what changes the state.
func (l *Ledger) become(err error) {
	if before := l.state.Swap(&state{err: err, over: make(chan struct{})}); before != nil {
		close(before.over)
	}
}

// transact runs f in a transaction, writes the root of a version over the rows as f leaves
// them, and takes them over if it commits. The root has to be the one that was read: who
// has written another one meanwhile has taken over.
func (l *Ledger) transact(ctx context.Context, version uint64, f func(tx *sql.Tx, rows map[row]digest) error) error {
	if l.conn == nil {
		return ErrLost
	}
	tx, err := l.conn.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	rows := maps.Clone(l.rows)
	err = f(tx, rows)
	var root []byte
	if err == nil {
		root = l.sealer.seal(placeRoot, [16]byte{}, 0, rootOf(version, rows).encode())
		err = replaceRoot(ctx, tx, l.root, root)
	}
	if err != nil {
		return errors.Join(err, ignoreDone(tx.Rollback()))
	}
	if err := tx.Commit(); err != nil {
		return err
	}
	l.rows, l.root = rows, root
	l.saw(version)
	return nil
}

// errOvertaken says that another tunic has written to the ledger.
var errOvertaken = fmt.Errorf("%w: another tunic has written to it", ErrLost)

func replaceRoot(ctx context.Context, tx *sql.Tx, before, now []byte) error {
	done, err := tx.ExecContext(ctx, "UPDATE "+project+" SET root = ? WHERE one = 1 AND root = ?", now, before)
	if err != nil {
		return err
	}
	if n, err := done.RowsAffected(); err != nil || n != 1 {
		return errors.Join(errOvertaken, err)
	}
	return nil
}

func ignoreDone(err error) error {
	if errors.Is(err, sql.ErrTxDone) {
		return nil
	}
	return err
}
