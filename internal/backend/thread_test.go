package backend

import (
	"context"
	"database/sql"
	"errors"
	"slices"
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
		busy, watching := oneConn(t, admin), oneConn(t, admin)
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
			var err error
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

// TestEnd: connections of others are seen and ended by who may, and whether the server runs something of them is told.
func TestEnd(t *testing.T) {
	sandboxtest.Each(t, func(t *testing.T, server *sandbox.Server) {
		admin := root(t, server)
		execute(t, admin, "DROP USER IF EXISTS blind, seeing", "CREATE USER blind IDENTIFIED BY 'x'", "CREATE USER seeing IDENTIFIED BY 'x'", "GRANT PROCESS ON *.* TO seeing")
		other := oneConn(t, admin)
		var id uint64
		if err := other.QueryRowContext(t.Context(), "SELECT CONNECTION_ID()").Scan(&id); err != nil {
			t.Fatal(err)
		}
		able := oneConn(t, service(t, server.Addr, sandbox.ServiceUser, sandbox.ServicePassword).db)
		shown := func() (Client, bool) {
			all, err := Clients(t.Context(), able)
			if err != nil {
				t.Fatal(err)
			}
			i := slices.IndexFunc(all, func(c Client) bool { return c.Number == id })
			if i < 0 {
				return Client{}, false
			}
			return all[i], true
		}
		waittest.Until(t, "it rests", func() bool { c, there := shown(); return there && c.Idle })
		if _, err := Clients(t.Context(), oneConn(t, service(t, server.Addr, "blind", "x").db)); !errors.Is(err, ErrUnseen) {
			t.Errorf("who may not see it: %v", err)
		}
		seeing := oneConn(t, service(t, server.Addr, "seeing", "x").db)
		if err := End(t.Context(), seeing, id); !errors.Is(err, ErrUnended) {
			t.Errorf("who may not end it: %v", err)
		}
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			_, _ = other.ExecContext(t.Context(), "DO SLEEP(60)")
		}()
		waittest.Until(t, "it is busy", func() bool { c, there := shown(); return there && !c.Idle })
		if err := End(t.Context(), able, id); err != nil {
			t.Fatal(err)
		}
		<-ended
		waittest.Until(t, "it is no more", func() bool { _, there := shown(); return !there })
		if err := End(t.Context(), able, id); err != nil {
			t.Errorf("one that is not there: %v", err)
		}
	})
}

func oneConn(t *testing.T, db *sql.DB) *sql.Conn {
	t.Helper()
	conn, err := db.Conn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	return conn
}
