package ddl

import (
	"context"
	"database/sql"
	"sync"
	"time"

	"tunic/internal/catalog"
	"tunic/internal/ddl/service"
	"tunic/internal/ledger"
)

// One brief definition waits at a time, among all tunics of a database. Two that wait, each
// for transactions that wait behind the other, wait for each other: the server breaks such a
// circle by ending transactions of clients. And where clients have had to wait behind one,
// the next comes when they have had the server for themselves for some times as long, so that
// any number of jobs takes no more than its share of their time.
//
// The turn is a lock at the server, of the connection that watches the definition: a process
// that is gone has given it back. It is never waited for.
type turns struct {
	db     *sql.DB
	ledger *ledger.Ledger

	mu      sync.Mutex
	resting *sql.Conn // has the turn, for the clients' sake
	timer   *time.Timer
}

const (
	turnLock    = catalog.Schema + ".definition"
	turnSilence = 10          // seconds after which the server takes the connection for dead
	turnLong    = time.Second // after which a definition that waits for nobody gives the turn back

	restFactor = 4 // times as long as others may have waited
	restMost   = 5 * time.Second
)

// take takes the turn: the own one, if it rests, because who has begun to change a table goes
// on with it, or one that nobody has. Otherwise it is errElsewhere.
func (u *turns) take(ctx context.Context) (*sql.Conn, error) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.resting != nil && u.timer.Stop() {
		own := u.resting
		u.resting = nil
		return own, nil
	}
	conn, err := u.db.Conn(ctx)
	if err != nil {
		return nil, err
	}
	var got sql.NullInt64
	_, err = conn.ExecContext(ctx, "SET SESSION wait_timeout = ?", turnSilence)
	if err == nil {
		err = conn.QueryRowContext(ctx, "SELECT GET_LOCK(?, 0)", turnLock).Scan(&got)
	}
	if err == nil && got.Int64 != 1 {
		err = errElsewhere
	}
	if err != nil {
		service.CloseForGood(conn)
		return nil, err
	}
	return conn, nil
}

// rest gives the turn back, once clients have had their time.
func (u *turns) rest(turn *sql.Conn, waited time.Duration) {
	if waited == 0 {
		service.CloseForGood(turn)
		return
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	u.resting = turn
	u.timer = time.AfterFunc(min(restFactor*waited, restMost), func() {
		u.mu.Lock()
		defer u.mu.Unlock()
		if u.resting == turn {
			u.resting = nil
		}
		service.CloseForGood(turn)
	})
}

// giveBack gives the turn back of a definition that takes long by itself.
func giveBack(ctx context.Context, turn *sql.Conn) {
	_, _ = turn.ExecContext(context.WithoutCancel(ctx), "DO RELEASE_LOCK(?)", turnLock) // or with the connection
}

// inTurn is the turn as it is had during a lull.
type inTurn struct {
	conn   *sql.Conn
	waited time.Duration // that clients may have waited behind a definition
}

type inTurnKey struct{}

// hold is mu as a step has it, which lets go of it while it waits for a lull: what clients define
// of other tables does not wait with it. Its own table stays locked in the ledger.
type hold struct {
	mu  *sync.Mutex
	has bool
}

type holdKey struct{}

// retakeMost is how long a step waits for mu behind a lull, in which clients wait for it.
const retakeMost = 100 * time.Millisecond

// holding has a step hold mu; h is nil if somebody else has it.
func holding(ctx context.Context, mu *sync.Mutex) (_ context.Context, h *hold) {
	if !mu.TryLock() {
		return ctx, nil
	}
	h = &hold{mu: mu, has: true}
	return context.WithValue(ctx, holdKey{}, h), h
}

// without does something while others may have mu, and reports whether mu is had again.
func (h *hold) without(do func()) bool {
	h.mu.Unlock()
	do()
	const look = time.Millisecond
	until := time.Now().Add(retakeMost)
	for h.has = h.mu.TryLock(); !h.has && time.Now().Before(until); h.has = h.mu.TryLock() {
		time.Sleep(look)
	}
	return h.has
}

// end lets go of mu, if it is had.
func (h *hold) end() {
	if h.has {
		h.mu.Unlock()
	}
}

func turnOf(ctx context.Context) *inTurn {
	t, _ := ctx.Value(inTurnKey{}).(*inTurn)
	return t
}

// lulled does something to a table, by brief definitions, while no transaction that is open has
// used it ([ledger.Ledger.Lull]), and is ledger.ErrBusy if it does not come to that. After many
// tries it is done whatever transactions other tunics have: those of one that is older than lulls,
// or that hangs, are waited for by the server. For the own ones it would wait in vain.
func (u *turns) lulled(ctx context.Context, t *catalog.Table, wait time.Duration, do func(ctx context.Context) error) error {
	if turnOf(ctx) != nil {
		return do(ctx)
	}
	if err := u.theirs(ctx); err != nil {
		return err
	}
	conn, err := u.take(ctx)
	if err != nil {
		return err
	}
	turn := &inTurn{conn: conn}
	defer func() { u.rest(conn, turn.waited) }()
	var found ledger.Stillness
	var end func()
	lull := func() { found, turn.waited, end, err = u.ledger.Lull(ctx, t.ID, wait) }
	had := true
	if h, ok := ctx.Value(holdKey{}).(*hold); ok {
		had = h.without(lull)
	} else {
		lull()
	}
	if err != nil {
		return service.Error(err)
	}
	defer end()
	if !had {
		return errElsewhere
	}
	if found == ledger.Busy || found == ledger.Quiet && wait < briefLonger {
		return ledger.ErrBusy
	}
	return do(context.WithValue(ctx, inTurnKey{}, turn))
}

// theirs is errElsewhere while somebody has the turn, or rests: it is not begun then.
func (u *turns) theirs(ctx context.Context) error {
	var free sql.NullInt64
	if err := u.db.QueryRowContext(ctx, "SELECT IS_FREE_LOCK(?)", turnLock).Scan(&free); err != nil {
		return service.Error(err)
	}
	if free.Int64 != 1 {
		return errElsewhere
	}
	return nil
}
