package backend

import (
	"context"
	"database/sql"
	"errors"
	"strings"
	"testing"

	"tunic/internal/sandbox"
	"tunic/internal/sandbox/sandboxtest"
	"tunic/internal/waittest"
)

// TestThreadOf: what a connection does is seen beside statements with bytes in them that are
// no text.
func TestThreadOf(t *testing.T) {
	sandboxtest.Each(t, func(t *testing.T, server *sandbox.Server) {
		admin := root(t, server)
		busy, err := admin.Conn(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		defer busy.Close()
		watching, err := admin.Conn(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		defer watching.Close()
		var id uint64
		if err := busy.QueryRowContext(t.Context(), "SELECT CONNECTION_ID()").Scan(&id); err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			_, _ = busy.ExecContext(ctx, "DO SLEEP(20), _binary'\xe8\xa2\x00\xa2\x81'")
		}()
		var thread Thread
		waittest.Until(t, "it is seen to sleep", func() bool {
			if thread, err = ThreadOf(t.Context(), watching, id); err != nil {
				t.Fatal(err)
			}
			return thread.State == "User sleep"
		})
		if !strings.Contains(thread.Host, "127.0.0.1") && !strings.Contains(thread.Host, "localhost") {
			t.Errorf("it comes from %s", thread.Host)
		}
		if _, err := ThreadOf(t.Context(), watching, 1<<40); !errors.Is(err, sql.ErrNoRows) {
			t.Errorf("one that is not there: %v", err)
		}
		cancel()
		<-ended
	})
}
