package server

import (
	"context"
	"database/sql"
	"sync"
	"testing"
	"time"

	"tunic/internal/sandbox"
)

// TestViewAdoptedUnderLoad: while clients read two of three views in each transaction, the innermost becomes a
// view of tunic's, with those over it. Neither waits for the other without end.
func TestViewAdoptedUnderLoad(t *testing.T) {
	const rounds, readers, hang = 2, 3, time.Minute
	for _, flavor := range []sandbox.Flavor{sandbox.MariaDB, sandbox.MySQL} {
		t.Run(string(flavor), func(t *testing.T) {
			_, kek, cfg := protecting(t, flavor)
			proxy, _ := serveWith(t, cfg, kek)
			app := through(t, proxy.Addr().String())
			plain := []string{
				"CREATE OR REPLACE VIEW b AS SELECT 1 AS id, 'x' AS name", "CREATE VIEW a AS SELECT name FROM b",
				"CREATE VIEW z AS SELECT a.name FROM a JOIN b ON a.name = b.name",
			}
			mustExec(t, app, append([]string{"CREATE TABLE person (id INT PRIMARY KEY, name VARCHAR(20))", "INSERT INTO person VALUES (1, 'Alice')"}, plain...)...)
			ctx, stop := context.WithCancel(t.Context())
			var reading sync.WaitGroup
			for range readers {
				reading.Go(func() { readViews(ctx, app) })
			}
			for round := range rounds {
				if round > 0 {
					mustExec(t, app, append([]string{"DROP VIEW z", "DROP VIEW a"}, plain...)...)
				}
				within, cancel := context.WithTimeout(t.Context(), hang)
				if _, err := app.ExecContext(within, "CREATE OR REPLACE VIEW b AS SELECT id, name FROM person"); err != nil {
					t.Errorf("round %d: %v", round, err)
				}
				cancel()
				is(t, "the view of tunic's", textOf(t, app, "SELECT name FROM z"), "Alice")
			}
			stop()
			reading.Wait()
		})
	}
}

// readViews reads two views in each transaction until the context is over. A view may be gone, and a transaction
// may be told to try again.
func readViews(ctx context.Context, app *sql.DB) {
	views := []string{"a", "z", "b"}
	for i := 0; ctx.Err() == nil; i++ {
		tx, err := app.BeginTx(ctx, nil)
		if err != nil {
			continue
		}
		for range 2 {
			if rows, err := tx.QueryContext(ctx, "SELECT name FROM "+views[i%len(views)]); err == nil {
				for rows.Next() { //nolint:revive // only to its end
				}
				_ = rows.Close()
			}
		}
		_ = tx.Rollback()
	}
}
