package ledger

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"tunic/internal/sandbox"
	"tunic/internal/sandbox/sandboxtest"
	"tunic/internal/waittest"
)

// restarted is a bench whose server is the test's own, and is started again.
type restarted struct {
	*bench
	server *sandbox.Server
}

// onRestarted runs a test on an own server of each flavor.
func onRestarted(t *testing.T, test func(restarted)) {
	t.Helper()
	for _, flavor := range []sandbox.Flavor{sandbox.MariaDB, sandbox.MySQL} {
		t.Run(string(flavor), func(t *testing.T) {
			server := sandboxtest.Own(t, flavor)
			test(restarted{newBench(t, server), server})
		})
	}
}

// restart kills the server and starts it again, so late that it can be told that it was.
func (r restarted) restart() {
	r.t.Helper()
	waittest.Until(r.t, "the server has run for a while", func() bool {
		var name string
		var up int
		return r.db.QueryRowContext(r.t.Context(), "SHOW GLOBAL STATUS LIKE 'Uptime'").Scan(&name, &up) == nil && up > startedApart+1
	})
	if err := r.server.Kill(); err != nil {
		r.t.Fatal(err)
	}
	if err := r.server.Restart(context.WithoutCancel(r.t.Context())); err != nil {
		r.t.Fatal(err)
	}
}

// started is when the server was started, as a member tells it; 0 of none.
func (r restarted) started(of *Ledger) (at int64) {
	_ = r.db.QueryRowContext(r.t.Context(), "SELECT started FROM "+member+" WHERE id = ?", of.self[:]).Scan(&at)
	return at
}

// number opens connections until one has a number, and returns that.
func (r restarted) number(want uint32) *sql.Conn {
	r.t.Helper()
	for {
		conn, err := r.db.Conn(r.t.Context())
		var number uint32
		if err == nil {
			err = conn.QueryRowContext(r.t.Context(), "SELECT CONNECTION_ID()").Scan(&number)
		}
		if err != nil || number > want {
			r.t.Fatalf("no connection has the number %d: there is %d, %v", want, number, err)
		}
		r.t.Cleanup(func() { _ = conn.Close() })
		if number == want {
			return conn
		}
	}
}

// TestKilledAfterRestart: a server that was started again has nothing of the connections that it had before, also where a session has not
// noticed when its tunic joins again, and that one is killed then. Their numbers are those of others by now, which are not ended.
func TestKilledAfterRestart(t *testing.T) {
	onRestarted(t, func(r restarted) {
		l := r.open()
		for range 60 { // the numbers of connections are given from the beginning then
			conn, err := r.db.Conn(r.t.Context())
			if err != nil {
				r.t.Fatal(err)
			}
			defer conn.Close()
		}
		gone, left := r.leaves()
		var number uint32
		if err := left.QueryRowContext(r.t.Context(), "SELECT CONNECTION_ID()").Scan(&number); err != nil {
			r.t.Fatal(err)
		}
		unanswered, untold := gone.Connection(number+1, 1), gone.Connection(number+2, 1)
		if !unanswered.Known(nil) {
			r.t.Fatal("the connection is not known")
		}
		waittest.Until(r.t, "the server is asked", func() bool {
			gone.mu.Lock()
			defer gone.mu.Unlock()
			return gone.answered.After(untold.made)
		})
		before := r.started(gone)
		r.restart()
		waittest.Until(r.t, "it is a member again", func() bool { now := r.started(gone); return now != 0 && now != before })
		others := []*sql.Conn{r.number(number), r.number(number + 1), r.number(number + 2)}
		unanswered.Closed()
		untold.Known(nil) // as a session asks that has not noticed
		waittest.Until(r.t, "what was closed without an answer is over", unanswered.Over)
		gone.Close()
		one := fenced(table("one", 1))
		one.Unchecked = true
		r.made(l, one)
		for _, other := range others {
			if err := other.PingContext(r.t.Context()); err != nil {
				r.t.Errorf("a connection of somebody else was ended: %v", err)
			}
		}
	})
}

// TestKilledBeforeItJoinsAgain: a connection to a server that was started again counts also where its tunic is killed before it has
// joined at that.
func TestKilledBeforeItJoinsAgain(t *testing.T) {
	onRestarted(t, func(r restarted) {
		late, err := initAndOpen(r.t.Context(), r.serving())
		if err != nil {
			r.t.Fatal(err)
		}
		r.t.Cleanup(late.Close)
		late.mu.Lock() // it does not notice
		defer late.mu.Unlock()
		r.restart()
		left := r.knownConnection(late)
		busy := make(chan struct{})
		go func() {
			defer close(busy)
			_, _ = left.ExecContext(context.Background(), "DO SLEEP(600)")
		}()
		waittest.Until(r.t, "the server sleeps", func() bool { return r.sleeping() != 0 })
		l := r.open() // not before: the member is late
		waittest.Until(r.t, "the member has gone", func() bool { return r.started(late) == 0 })
		one := fenced(table("one", 1))
		one.Unchecked = true
		if done, err := r.attempt(l, one); len(done) > 0 || !isLockWait(err) {
			r.t.Errorf("the table has its name while a statement may come to it: %v, %v", done, err)
		}
		r.exec(fmt.Sprintf("KILL QUERY %d", r.sleeping()))
		<-busy
	})
}

// TestUnansweredBeforeItJoinsAgain: the statement of a connection to a server that was started again is not over because the tunic joins at
// that after the connection was closed.
func TestUnansweredBeforeItJoinsAgain(t *testing.T) {
	onServers(t, func(b *bench) {
		l := b.open()
		conn, err := b.db.Conn(b.t.Context())
		if err != nil {
			b.t.Fatal(err)
		}
		defer conn.Close()
		busy := make(chan struct{})
		go func() {
			defer close(busy)
			_, _ = conn.ExecContext(context.Background(), "DO SLEEP(600)")
		}()
		waittest.Until(b.t, "the server sleeps", func() bool { return b.sleeping() != 0 })
		number := b.sleeping()
		c := l.Connection(uint32(number), 1)
		if !c.Known(nil) {
			b.t.Fatal("the connection is not known")
		}
		c.Closed()
		l.mu.Lock()
		l.joined.started -= 60
		err = errors.Join(l.join(b.t.Context()), l.sight(b.t.Context()))
		l.mu.Unlock()
		if err != nil || c.Over() {
			b.t.Errorf("over is %v: %v", c.Over(), err)
		}
		b.exec(fmt.Sprintf("KILL QUERY %d", number))
		<-busy
		waittest.Until(b.t, "it is over", c.Over)
	})
}

// TestDatedWhenJoined: a connection that was written while its tunic had no link to the server is of the server at which that joins. At
// another server nobody knows of which one it is.
func TestDatedWhenJoined(t *testing.T) {
	onServers(t, func(b *bench) {
		l := b.open()
		l.mu.Lock()
		l.drop()
		link := "SELECT IS_USED_LOCK(" + linkLock + ") IS NULL FROM " + member
		waittest.Until(b.t, "the link is gone", func() (gone bool) {
			return b.db.QueryRowContext(b.t.Context(), link).Scan(&gone) == nil && gone
		})
		c := l.Connection(4711, 1)
		known := c.Known(nil)
		dates := func() (at []int64) {
			rows, err := b.db.QueryContext(b.t.Context(), "SELECT started FROM "+connection+" ORDER BY number")
			if err != nil {
				b.t.Fatal(err)
			}
			defer rows.Close()
			for rows.Next() {
				var one int64
				if err := rows.Scan(&one); err != nil {
					b.t.Fatal(err)
				}
				at = append(at, one)
			}
			return at
		}
		if got := dates(); !known || !slices.Equal(got, []int64{0}) {
			b.t.Errorf("known is %v, at a server that runs since %v", known, got)
		}
		l.mu.Unlock()
		waittest.Until(b.t, "it has joined", func() bool { return dates()[0] != 0 })
		if later := l.Connection(4712, 1); !later.Known(nil) {
			b.t.Fatal("the connection is not known")
		}
		l.mu.Lock()
		defer l.mu.Unlock()
		now := []int64{l.joined.started, l.joined.started}
		if got := dates(); !slices.Equal(got, now) {
			b.t.Errorf("the server was started at %d, not %d", got, now)
		}
		b.exec("UPDATE " + connection + " SET started = started - 60")
		l.joined.id = []byte("another server's")
		if err := l.join(b.t.Context()); err != nil {
			b.t.Fatal(err)
		}
		if got := dates(); !slices.Equal(got, now) {
			b.t.Errorf("the server was started at %d, not %d, as far as is known", got, now)
		}
	})
}

// TestNumberGivenTwice: of two connections that have a number one after the other each has its own row, also over a Unix socket.
func TestNumberGivenTwice(t *testing.T) {
	onServers(t, func(b *bench) {
		l := b.open()
		for number, ports := range map[uint32][2]int{4711: {1, 2}, 4712: {0, 0}} {
			before, now := l.Connection(number, ports[0]), l.Connection(number, ports[1])
			if !now.Known(nil) || !before.Known(nil) {
				b.t.Fatal("the connection is not known")
			}
			before.End()
			rows := func() (n, port int) {
				if err := b.db.QueryRowContext(b.t.Context(), "SELECT COUNT(*), COALESCE(MAX(port), -1) FROM "+connection+" WHERE number = ?", number).Scan(&n, &port); err != nil {
					b.t.Error(err)
				}
				return n, port
			}
			waittest.Until(b.t, "what has ended is taken out", func() bool { n, _ := rows(); return n < 2 })
			if n, port := rows(); n != 1 || port != ports[1] {
				b.t.Errorf("%d rows, from port %d", n, port)
			}
		}
	})
}

// TestConnectionsOfOlder: a table of connections that an older tunic has made gets what it lacks, and keeps its rows. Who only looks
// before that takes connections for unknown.
func TestConnectionsOfOlder(t *testing.T) {
	onServers(t, func(b *bench) {
		b.open().Close()
		b.exec("ALTER TABLE "+connection+" DROP PRIMARY KEY, DROP COLUMN serial, DROP COLUMN started, ADD PRIMARY KEY (member, number)",
			"INSERT INTO "+connection+" (member, number, port) VALUES (x'"+strings.Repeat("ab", 16)+"', 4711, 1)")
		for _, gone := range []bool{false, true} {
			if gone {
				b.exec("INSERT INTO " + departed + " (id, server, started) VALUES (x'" + strings.Repeat("ab", 16) + "', x'', 1)")
			}
			if found, err := LookForDeparted(b.t.Context(), b.db); err != nil || found.Unknown != gone || found.Left > 0 {
				b.t.Errorf("gone is %v: %+v, %v", gone, found, err)
			}
		}
		b.exec("DELETE FROM " + departed)
		l := b.open()
		if !l.Connection(4711, 1).Known(nil) || !l.Connection(4711, 2).Known(nil) {
			b.t.Fatal("the connection is not known")
		}
		var told, older int
		if err := b.db.QueryRowContext(b.t.Context(), "SELECT COUNT(started), COUNT(*) - COUNT(started) FROM "+connection+" WHERE number = 4711").Scan(&told, &older); err != nil || told != 2 || older != 1 {
			b.t.Errorf("%d and %d rows: %v", told, older, err)
		}
	})
}
