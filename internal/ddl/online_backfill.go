package ddl

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"tunic/internal/catalog"
	"tunic/internal/ddl/revision"
	"tunic/internal/ddl/turn"
	"tunic/internal/layers"
)

// BackfillOptions are how layers are backfilled by a job.
type BackfillOptions struct {
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

// BackfillLayers gives all rows of a table the layers of a job, and looks at all of them. It
// goes on while other changes of the table go by. Errors are ErrTableGone, ErrLayerGone,
// those of package layers, of Gate and of Progress, and the server's.
func (d *Definer) BackfillLayers(ctx context.Context, job uint64, table catalog.ID, requests []revision.NamedLayer, o BackfillOptions) error {
	for tries := 0; ; tries++ {
		c := d.o.Ledger.Catalog()
		t := c.ByID(table)
		if t == nil {
			return ErrTableGone
		}
		if err := revision.HoldsLayers(t, job, requests); err != nil {
			return err
		}
		work := layers.Job{
			DB: d.o.DB, Ring: d.ring(), Table: t, Log: d.o.Log,
			Owner: job, Conn: o.Conn, Progress: o.Progress, Gate: o.Gate,
		}
		err := work.Backfill(ctx)
		if !errors.Is(err, layers.ErrMoved) {
			return err
		}
		if d.o.Ledger.CatchUp(ctx.Done(), []*catalog.Table{t}, c.Version) {
			tries = 0 // somebody has changed something
		}
		if tries > movedMax {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(turn.AgainSoon):
		}
	}
}

// movedMax is how often the server may say that a table is another one while the catalog
// does not.
const movedMax = 20
