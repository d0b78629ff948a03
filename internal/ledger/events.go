package ledger

import (
	"cmp"
	"context"
	"fmt"

	"tunic/internal/backend"
)

// awaitEvents waits until the server runs no event: one goes on when it has been dropped, and may come to any table. It is ErrBusy
// when waiting has ended. Where the account may not see them nobody waits.
func (l *Ledger) awaitEvents(ctx, waiting context.Context) error {
	for {
		var running int
		err := l.connected(ctx, func(ctx context.Context) (err error) {
			running, err = backend.Events(ctx, l.conn)
			return err
		})
		switch {
		case err != nil:
			return fmt.Errorf("%w: %w", ErrLost, err)
		case running == 0:
			return nil
		}
		if err := pause(waiting.Done()); err != nil {
			l.o.Log.Info("events that the server runs keep a name from becoming that of a protected table", "events", running)
			return cmp.Or(ctx.Err(), err)
		}
	}
}
