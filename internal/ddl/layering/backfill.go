package layering

import (
	"context"
	"database/sql"

	"tunic/internal/catalog"
	"tunic/internal/crypt"
	"tunic/internal/ddl/revision"
	"tunic/internal/layers"
)

// Options are how layers are backfilled by a job.
type Options struct {
	// Conn is the connection to work with, whose settings are changed; nil is one of its own.
	// Whoever owns the job by a lock at the server has the lock on this one, so that
	// nothing is written by who has lost it.
	Conn *sql.Conn
	// Progress keeps how far it is; nil begins anew each time.
	Progress layers.Progress
	// Gate is asked before each chunk: it waits while the job is paused, and its error ends
	// the work. nil lets all go on.
	Gate func(ctx context.Context) error
}

// Backfill gives all rows of a table the layers of a job, and looks at all of them. It
// goes on while other changes of the table go by. Errors are upkeep.ErrTableGone, ErrLayerGone,
// those of package layers, of Gate and of Progress, and the server's.
func (s *Layers) Backfill(ctx context.Context, job uint64, table catalog.ID, requests []revision.NamedLayer, o Options) error {
	return s.Tables.Through(ctx, table, func(ctx context.Context, t *catalog.Table) error {
		if err := revision.HoldsLayers(t, job, requests); err != nil {
			return err
		}
		work := layers.Job{
			DB: s.Tables.DB, Ring: crypt.NewRingCounting(s.Tables.Ledger.Tree(), s.Seals), Table: t, Log: s.Tables.Log,
			Owner: job, Conn: o.Conn, Progress: o.Progress, Gate: o.Gate,
		}
		return work.Backfill(ctx)
	})
}
