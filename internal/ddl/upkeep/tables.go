package upkeep

import (
	"context"
	"database/sql"
	"errors"
	"log/slog"
	"sync"
	"time"

	"tunic/internal/catalog"
	"tunic/internal/crash"
	"tunic/internal/ddl/service"
	"tunic/internal/ddl/turn"
	"tunic/internal/ledger"
	"tunic/internal/value"
)

// ErrTableGone says that the table has been dropped, or has no protected column any more.
var ErrTableGone = errors.New("the table is not there any more")

// Tables are the stored tables of a server, as far as tunic changes them by itself.
type Tables struct {
	// DB is the service account's.
	DB     *sql.DB
	Ledger *ledger.Ledger
	Log    *slog.Logger
	Flavor value.Flavor
	// Turns are of brief definitions.
	Turns turn.Turns
	// Mu is held from the reading of the catalog to its change, but not while rows are backfilled.
	Mu sync.Mutex
	// Patience is how long Sweep tries to get at each table, and who takes back a change; 0 is what
	// each of them takes for right.
	Patience time.Duration

	// backfilling are the tables whose rows are being backfilled for a change, until the channel
	// is closed.
	backfilling map[catalog.ID]chan struct{}
	keeper      keeper
}

// New makes Tables.
func New(db *sql.DB, l *ledger.Ledger, log *slog.Logger, flavor value.Flavor) *Tables {
	return &Tables{DB: db, Ledger: l, Log: log, Flavor: flavor, Turns: turn.Turns{DB: db, Ledger: l}, backfilling: map[catalog.ID]chan struct{}{}}
}

// Busy is closed when a table is not being backfilled any more; nil if it is not.
func (s *Tables) Busy(table catalog.ID) <-chan struct{} {
	if done, busy := s.backfilling[table]; busy {
		return done
	}
	return nil
}

// Aside does something long for a table with Mu free meanwhile. Whoever wants to define
// something of the table waits for it.
func (s *Tables) Aside(t *catalog.Table, do func() error) error {
	done := make(chan struct{})
	s.backfilling[t.ID] = done
	s.Mu.Unlock()
	defer func() {
		s.Mu.Lock()
		delete(s.backfilling, t.ID)
		close(done)
	}()
	return do()
}

// Step does something with a table that nobody else changes meanwhile, and again later
// where that is so or transactions use the table.
func (s *Tables) Step(ctx context.Context, table catalog.ID, do func(ctx context.Context, t *catalog.Table, wait time.Duration) error) error {
	began, told := time.Now(), time.Time{}
	return turn.Patiently(ctx, func(ctx context.Context, wait time.Duration) error {
		err := s.stepOnce(ctx, table, do, wait)
		if waited := time.Since(began); turn.Passing(err) && waited > waitSilent && time.Since(told) > waitAgain {
			told = time.Now()
			if t := s.Ledger.Catalog().ByID(table); t != nil {
				s.Log.Info("a change of a table waits for transactions that use it, or for another change", "table", t.Schema+"."+t.Name, "seconds", waited.Seconds())
			}
		}
		return err
	})
}

// Times of a wait that is told in the log.
const (
	waitSilent = 10 * time.Second // before the first line
	waitAgain  = time.Minute      // between two
)

// stepOnce is a try of Step.
func (s *Tables) stepOnce(ctx context.Context, table catalog.ID, do func(ctx context.Context, t *catalog.Table, wait time.Duration) error, wait time.Duration) error {
	ctx, h := turn.Holding(ctx, &s.Mu)
	if h == nil {
		return turn.ErrElsewhere
	}
	defer h.End()
	if err := s.Ledger.Usable(); err != nil {
		return err
	}
	if s.backfilling[table] != nil {
		return turn.ErrElsewhere
	}
	unlock, err := s.Ledger.TryLock(ctx, []catalog.ID{table})
	switch {
	case err != nil:
		return service.Error(err)
	case unlock == nil:
		return turn.ErrElsewhere
	}
	defer unlock()
	t := s.Ledger.Catalog().ByID(table)
	if err := s.Ledger.Refresh(ctx, []*catalog.Table{t}); err != nil {
		return err
	}
	if t = s.Ledger.Catalog().ByID(table); t == nil {
		return ErrTableGone
	}
	return do(ctx, t, wait)
}

// ChangeBriefly brings a table to its next revision by one statement of the service
// account's, beside clients where the server can do it so. What has been done is nobody's error.
func (s *Tables) ChangeBriefly(ctx context.Context, t, next *catalog.Table, statement string, wait time.Duration) error {
	return s.Turns.Quiesced(ctx, t, wait, func(ctx context.Context) error {
		done, err := s.Ledger.ChangeWithin(ctx, wait, []ledger.Step{{Old: t, New: next}}, func(ctx context.Context) error {
			crash.Point("ddl.online.altering")
			err := s.Turns.Beside(ctx, statement, turn.InPlace, wait)
			crash.Point("ddl.online.altered")
			return err
		})
		if len(done) > 0 {
			crash.Point("ddl.online.settled")
			return nil
		}
		return err
	})
}
