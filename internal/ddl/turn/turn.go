package turn

import (
	"context"
	"database/sql"
	"sync"
	"time"

	"tunic/internal/catalog"
	"tunic/internal/ddl/service"
	"tunic/internal/ledger"
)

// Turns are the turns of one tunic. The turn is a lock at the server, of the connection that watches the definition: a
// process that is gone has given it back. It is never waited for.
type Turns struct {
	// DB is the service account's.
	DB     *sql.DB
	Ledger *ledger.Ledger

	mu      sync.Mutex
	resting *sql.Conn // has the turn, for the clients' sake
	timer   *time.Timer
}

const (
	turnLock    = catalog.Schema + ".definition"
	turnSilence = 10          // seconds after which the server takes the connection for dead
	turnLong    = time.Second // after which a definition that waits for nobody gives the turn back

	restFactor = 4 // times as long as others may have waited

	// RestMost is how long clients have the server for themselves at most.
	RestMost = 5 * time.Second
)

// Take takes the turn: the own one, if it rests, because who has begun to change a table goes
// on with it, or one that nobody has. Otherwise it is ErrElsewhere.
func (u *Turns) Take(ctx context.Context) (*sql.Conn, error) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.resting != nil && u.timer.Stop() {
		own := u.resting
		u.resting = nil
		return own, nil
	}
	conn, err := u.DB.Conn(ctx)
	if err != nil {
		return nil, err
	}
	var got sql.NullInt64
	_, err = conn.ExecContext(ctx, "SET SESSION wait_timeout = ?", turnSilence)
	if err == nil {
		err = conn.QueryRowContext(ctx, "SELECT GET_LOCK(?, 0)", turnLock).Scan(&got)
	}
	if err == nil && got.Int64 != 1 {
		err = ErrElsewhere
	}
	if err != nil {
		service.CloseForGood(conn)
		return nil, err
	}
	return conn, nil
}

// Rest gives the turn back, once clients have had their time.
func (u *Turns) Rest(turn *sql.Conn, waited time.Duration) {
	if waited == 0 {
		service.CloseForGood(turn)
		return
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	u.resting = turn
	u.timer = time.AfterFunc(min(restFactor*waited, RestMost), func() {
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

// inTurn is the turn as it is had while a table is quiesced.
type inTurn struct {
	conn   *sql.Conn
	waited time.Duration // that clients may have waited behind a definition
}

type inTurnKey struct{}

// Hold is mu as a step has it, which lets go of it while it waits for a table to be quiesced: what clients define
// of other tables does not wait with it. Its own table stays locked in the ledger.
type Hold struct {
	mu  *sync.Mutex
	has bool
}

type holdKey struct{}

// retakeMost is how long a step waits for mu once its table is quiesced, in which clients wait for it.
const retakeMost = 100 * time.Millisecond

// Holding has a step hold mu; h is nil if somebody else has it.
func Holding(ctx context.Context, mu *sync.Mutex) (_ context.Context, h *Hold) {
	if !mu.TryLock() {
		return ctx, nil
	}
	h = &Hold{mu: mu, has: true}
	return context.WithValue(ctx, holdKey{}, h), h
}

// without does something while others may have mu, and reports whether mu is had again.
func (h *Hold) without(do func()) bool {
	h.mu.Unlock()
	do()
	const look = time.Millisecond
	until := time.Now().Add(retakeMost)
	for h.has = h.mu.TryLock(); !h.has && time.Now().Before(until); h.has = h.mu.TryLock() {
		time.Sleep(look)
	}
	return h.has
}

// End lets go of mu, if it is had.
func (h *Hold) End() {
	if h.has {
		h.mu.Unlock()
	}
}

func turnOf(ctx context.Context) *inTurn {
	t, _ := ctx.Value(inTurnKey{}).(*inTurn)
	return t
}

// Quiesced does something to a table, by brief definitions, while no transaction that is open has
// used it ([ledger.Ledger.Quiesce]), and is ledger.ErrBusy if it does not come to that. After many
// tries it is done whatever transactions other tunics have: those of one that is older than this,
// or that hangs, are waited for by the server. For the own ones it would wait in vain.
func (u *Turns) Quiesced(ctx context.Context, t *catalog.Table, wait time.Duration, do func(ctx context.Context) error) error {
	if turnOf(ctx) != nil {
		return do(ctx)
	}
	if err := u.Theirs(ctx); err != nil {
		return err
	}
	conn, err := u.Take(ctx)
	if err != nil {
		return err
	}
	turn := &inTurn{conn: conn}
	defer func() { u.Rest(conn, turn.waited) }()
	var found ledger.Stillness
	var end func()
	quiesce := func() { found, turn.waited, end, err = u.Ledger.Quiesce(ctx, t.ID, wait) }
	had := true
	if h, ok := ctx.Value(holdKey{}).(*Hold); ok {
		had = h.without(quiesce)
	} else {
		quiesce()
	}
	if err != nil {
		return service.Error(err)
	}
	defer end()
	if !had {
		return ErrElsewhere
	}
	if found == ledger.Busy || found == ledger.Quiet && wait < briefLonger {
		return ledger.ErrBusy
	}
	return do(context.WithValue(ctx, inTurnKey{}, turn))
}

// Theirs is ErrElsewhere while somebody has the turn, or rests: it is not begun then.
func (u *Turns) Theirs(ctx context.Context) error {
	var free sql.NullInt64
	if err := u.DB.QueryRowContext(ctx, "SELECT IS_FREE_LOCK(?)", turnLock).Scan(&free); err != nil {
		return service.Error(err)
	}
	if free.Int64 != 1 {
		return ErrElsewhere
	}
	return nil
}
