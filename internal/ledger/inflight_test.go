package ledger

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/go-sql-driver/mysql"

	"tunic/internal/catalog"
	"tunic/internal/sandbox/sandboxtest"
	"tunic/internal/sqlerr"
	"tunic/internal/waittest"
)

// client has a statement in flight that was planned by a version.
type client struct {
	planned uint64
	over    atomic.Int64
}

// Behind implements Client.
func (c *client) Behind(version uint64, now *catalog.Catalog) (planned uint64, behind bool) {
	return c.planned, c.planned < version && now.Table("shop", "one") != nil
}

// Connection implements Client.
func (c *client) Connection() uint32 { return 4711 }

// Over implements CutOff.
func (c *client) Over() bool { return c.over.Load() != 0 }

// Close implements CutOff.
func (c *client) Close() { c.over.Add(1) }

// TestInFlight: a table does not get its name while a statement is in flight that would be another one with it, be it of this
// member, of another one, or of a client that was cut off; and it does when it has ended.
func TestInFlight(t *testing.T) {
	onServers(t, func(b *bench) {
		l, other := b.open(), b.open()
		one := fenced(table("one", 1))
		for name, of := range map[string]*Ledger{"its own": l, "another's": other} {
			c := &client{planned: of.Version()}
			of.InFlight().Enter(c)
			if done, err := b.attempt(l, one); len(done) > 0 || !isLockWait(err) {
				b.t.Fatalf("%s: %v, %v", name, done, err)
			}
			of.InFlight().Leave(c, c) // the server goes on with it
			if done, err := b.attempt(l, one); len(done) > 0 || !isLockWait(err) {
				b.t.Fatalf("%s, cut off: %v, %v", name, done, err)
			}
			c.over.Store(1)
			b.made(l, one)
			if c.over.Load() != 2 {
				b.t.Errorf("%s: closed %d times", name, c.over.Load()-1)
			}
			if _, err := l.Change(b.t.Context(), []Step{{Old: one}}, b.ran("DROP TABLE shop.one")); err != nil {
				b.t.Fatal(err)
			}
		}
	})
}

// TestHoldingTold: the log of a member says on which connections statements keep a name back, once in a while.
func TestHoldingTold(t *testing.T) {
	onServers(t, func(b *bench) {
		var lines bytes.Buffer
		o := b.options()
		o.Log = slog.New(slog.NewTextHandler(&lines, nil))
		l := b.open()
		holds, err := Open(b.t.Context(), o)
		if err != nil {
			b.t.Fatal(err)
		}
		c := &client{planned: holds.Version()}
		holds.InFlight().Enter(c)
		one := fenced(table("one", 1))
		for range 2 {
			const most = heldLong + 2*time.Second
			done, err := l.ChangeWithin(b.t.Context(), most, []Step{{New: one}}, b.ran(create(one)))
			if len(done) > 0 || !isLockWait(err) {
				b.t.Fatalf("%v, %v", done, err)
			}
		}
		holds.InFlight().Leave(c, nil)
		holds.Close()
		if n := strings.Count(lines.String(), "keep a name from becoming"); n != 1 || !strings.Contains(lines.String(), "connections=[4711]") {
			b.t.Errorf("said %d times: %s", n, lines.String())
		}
	})
}

// attempt makes a table, if that can be done soon.
func (b *bench) attempt(l *Ledger, t *catalog.Table) ([]Step, error) {
	b.t.Helper()
	const soon = 500 * time.Millisecond
	return l.ChangeWithin(b.t.Context(), soon, []Step{{New: t}}, b.ran(create(t)))
}

// departed has making a table be refused because of a member that has gone. A look at its connections comes first, and one
// after restsMost: on a busy machine that is not soon.
func (b *bench) departed(what string, l *Ledger, t *catalog.Table) {
	b.t.Helper()
	const most = time.Minute
	if done, err := l.ChangeWithin(b.t.Context(), most, []Step{{New: t}}, b.ran(create(t))); len(done) > 0 || !errors.Is(err, sqlerr.Departed()) {
		b.t.Errorf("%s: %v, %v", what, done, err)
	}
}

func isLockWait(err error) bool {
	said, ok := errors.AsType[*sqlerr.Error](err)
	return ok && said.IsLockWait()
}

// TestDeparted: a table does not get its name while the server has a connection of a member that has gone, by which a statement
// may come. One that rests is ended. Where the account may not see or end it, a table without a CHECK is refused.
func TestDeparted(t *testing.T) {
	onServers(t, func(b *bench) {
		l := b.open()
		gone, left := b.leaves()
		busy := make(chan struct{})
		go func() {
			defer close(busy)
			_, _ = left.ExecContext(context.Background(), "DO SLEEP(600)")
		}()
		waittest.Until(b.t, "the server sleeps", func() bool { return b.sleeping() != 0 })
		gone.Close()
		bare, checked := fenced(table("one", 1)), fenced(table("two", 2))
		bare.Unchecked = true
		for _, t := range []*catalog.Table{bare, checked} {
			if done, err := b.attempt(l, t); len(done) > 0 || !isLockWait(err) {
				b.t.Fatalf("%s: %v, %v", t.Name, done, err)
			}
		}
		b.exec(fmt.Sprintf("KILL QUERY %d", b.sleeping()))
		<-busy
		b.isRefused("blind", "", bare, checked)
		b.isRefused("seer", "GRANT PROCESS ON *.* TO seer", bare, table("three", 3))
		if err := left.PingContext(b.t.Context()); err != nil {
			b.t.Errorf("what nobody may end has ended: %v", err)
		}
		l.CatchUp(nil, nil, 0)
		b.made(l, bare)
		if err := left.PingContext(b.t.Context()); err == nil {
			b.t.Error("a connection of a member that has gone is there still")
		}
		var rows int
		if err := b.db.QueryRowContext(b.t.Context(), "SELECT COUNT(*) FROM "+connection+" WHERE member = ?", gone.self[:]).Scan(&rows); err != nil || rows != 0 {
			b.t.Errorf("%d connections are on record: %v", rows, err)
		}
	})
}

// TestDepartedElsewhere: the number of a connection means something at its own server, since that was started, and where it
// comes from the port that was told.
func TestDepartedElsewhere(t *testing.T) {
	onServers(t, func(b *bench) {
		l := b.open()
		for i, c := range []struct {
			name, change string
			refused      bool
		}{
			{"another server", "UPDATE " + departed + " SET server = REPEAT('x', 16)", true},
			{"an older tunic", "UPDATE " + departed + " SET server = NULL, started = NULL", true},
			{"another port", "UPDATE " + connection + " SET port = 1", true},
			{"started later", "UPDATE " + connection + " SET started = started - 60", false},
			{"an older tunic, started later", "UPDATE " + departed + " d JOIN " + connection + " c ON c.member = d.id SET c.started = NULL, d.started = d.started - 60", false},
		} {
			gone, left := b.leaves()
			gone.Close()
			waittest.Until(b.t, "it has gone", func() (is bool) {
				return b.db.QueryRowContext(b.t.Context(), "SELECT COUNT(*) FROM "+departed+" WHERE id = ?", gone.self[:]).Scan(&is) == nil && is
			})
			b.exec(c.change)
			one := fenced(table(fmt.Sprintf("t%d", i), byte(i+1)))
			one.Unchecked = true
			if c.refused {
				b.departed(c.name, l, one)
				b.exec("DELETE FROM " + departed)
			}
			b.made(l, one)
			if err := left.PingContext(b.t.Context()); err != nil {
				b.t.Errorf("%s: the connection was ended: %v", c.name, err)
			}
		}
	})
}

// leaves makes a member that ends with a statement under way on a connection that all know; left is the connection.
func (b *bench) leaves() (gone *Ledger, left *sql.Conn) {
	b.t.Helper()
	gone, err := Open(b.t.Context(), b.serving())
	if err != nil {
		b.t.Fatal(err)
	}
	left = b.knownConnection(gone)
	ended := gone.Connection(1<<20, 1)
	ended.Known(nil)
	ended.End()
	gone.InFlight().Leave(nil, &client{})
	return gone, left
}

// serving are the options of a member that has clients.
func (b *bench) serving() Options {
	o := b.options()
	o.Serves = true
	return o
}

// knownConnection is a connection that a member has told.
func (b *bench) knownConnection(of *Ledger) *sql.Conn {
	b.t.Helper()
	conn, err := b.db.Conn(b.t.Context())
	if err != nil {
		b.t.Fatal(err)
	}
	b.t.Cleanup(func() { _ = conn.Close() })
	var number uint32
	var port int
	const own = "SELECT ID, SUBSTRING_INDEX(HOST, ':', -1) FROM information_schema.PROCESSLIST WHERE ID = CONNECTION_ID()"
	waittest.Until(b.t, "MySQL lists connections, as it does not while a statement of one is not text (3854)", func() bool {
		return conn.QueryRowContext(b.t.Context(), own).Scan(&number, &port) == nil
	})
	c := of.Connection(number, port)
	if c.IsKnown() || !c.Known(nil) || !c.IsKnown() {
		b.t.Fatal("the connection is not known")
	}
	return conn
}

// isRefused has an account without a privilege make two tables, of which the one without a CHECK is refused.
func (b *bench) isRefused(user, grant string, bare, checked *catalog.Table) {
	b.t.Helper()
	b.exec("DROP USER IF EXISTS "+user, "CREATE USER "+user+" IDENTIFIED BY '"+user+"'", "GRANT ALL ON `_tunic`.* TO "+user, "GRANT ALL ON shop.* TO "+user)
	if grant != "" {
		b.exec(grant)
	}
	o := b.options()
	o.DB = sandboxtest.Open(b.t, b.as(user))
	l, err := Open(b.t.Context(), o)
	if err != nil {
		b.t.Fatal(err)
	}
	defer l.Close()
	b.departed(user, l, bare)
	b.made(l, checked)
}

// TestJoinedAgain: a member that was taken for gone, and joins again with a statement in flight while a change waits for its
// connections, is waited for as before.
func TestJoinedAgain(t *testing.T) {
	onServers(t, func(b *bench) {
		l := b.open()
		late, left := b.leaves()
		b.t.Cleanup(late.Close)
		c := &client{planned: late.Version()}
		late.InFlight().Enter(c)
		busy := make(chan struct{})
		go func() {
			defer close(busy)
			_, _ = left.ExecContext(context.Background(), "DO SLEEP(600)")
		}()
		waittest.Until(b.t, "the server sleeps", func() bool { return b.sleeping() != 0 })
		late.mu.Lock() // it tells nothing
		one := fenced(table("one", 1))
		made := make(chan error, 1)
		go func() {
			_, err := l.Change(b.t.Context(), []Step{{New: one}}, b.ran(create(one)))
			made <- err
		}()
		count := func(of string) (n int) {
			if err := b.db.QueryRowContext(b.t.Context(), "SELECT COUNT(*) FROM "+of+" WHERE id = ?", late.self[:]).Scan(&n); err != nil {
				b.t.Error(err)
			}
			return n
		}
		waittest.Until(b.t, "it has gone", func() bool { return count(departed) == 1 })
		late.mu.Unlock()
		waittest.Until(b.t, "it is a member again", func() bool { return count(member) == 1 && count(departed) == 0 })
		if err := <-made; !isLockWait(err) {
			b.t.Fatalf("the table has its name while a statement may come to it: %v", err)
		}
		late.InFlight().Leave(c, nil)
		b.exec(fmt.Sprintf("KILL QUERY %d", b.sleeping()))
		<-busy
	})
}

// TestServerStartedAgain: who joins at a server that was started again forgets connections that have ended: their numbers are
// given to others. Those that live stay on record.
func TestServerStartedAgain(t *testing.T) {
	onServers(t, func(b *bench) {
		l := b.open()
		if !l.Connection(4711, 1).Known(nil) {
			b.t.Fatal("the connection is not known")
		}
		b.exec("INSERT INTO " + connection + " (member, number, port) VALUES (x'" + l.me() + "', 4712, 1)")
		for _, c := range []struct {
			ago  int64
			want string
		}{{0, "4711 4712"}, {60, "4711"}} {
			l.mu.Lock()
			l.joined.started -= c.ago
			err := l.join(b.t.Context())
			l.mu.Unlock()
			var known string
			err = errors.Join(err, b.db.QueryRowContext(b.t.Context(), "SELECT GROUP_CONCAT(number ORDER BY number SEPARATOR ' ') FROM "+connection).Scan(&known))
			if err != nil || known != c.want {
				b.t.Errorf("started %d seconds earlier: %q, %v; want %q", c.ago, known, err, c.want)
			}
		}
	})
}

// TestConnectionsOfNoMember: who is no member at the moment makes no connection known, and many are made known at once.
func TestConnectionsOfNoMember(t *testing.T) {
	onServers(t, func(b *bench) {
		l := b.open()
		var all sync.WaitGroup
		ends := l.Connection(1000, 1)
		for i := range uint32(100) {
			all.Go(func() {
				c := ends
				if i > 0 {
					c = l.Connection(1000+i, 1)
				}
				if !c.Known(nil) {
					b.t.Errorf("connection %d is not known", i)
				}
			})
		}
		all.Wait()
		rows := func() (n int) {
			if err := b.db.QueryRowContext(b.t.Context(), "SELECT COUNT(*) FROM "+connection).Scan(&n); err != nil {
				b.t.Error(err)
			}
			return n
		}
		if n := rows(); n != 100 {
			b.t.Errorf("%d rows", n)
		}
		ends.End()
		l.Connection(1001, 2).End() // it was never known
		waittest.Until(b.t, "what has ended is not on record any more", func() bool { return rows() == 99 })
		l.mu.Lock() // nor does it join again
		defer l.mu.Unlock()
		b.exec("DELETE FROM " + member)
		ctx, cancel := context.WithTimeout(b.t.Context(), 300*time.Millisecond)
		defer cancel()
		if c := l.Connection(7, 1); c.Known(ctx.Done()) || c.IsKnown() {
			b.t.Error("the connection of no member is known")
		}
	})
}

// sleeping is the number of the connection on which the server sleeps, 0 if there is none.
func (b *bench) sleeping() (number int64) {
	_ = b.db.QueryRowContext(b.t.Context(), "SELECT ID FROM information_schema.PROCESSLIST WHERE INFO LIKE 'DO SLEEP%'").Scan(&number)
	return number
}

// as is how an account connects whose password is its name.
func (b *bench) as(user string) string {
	b.t.Helper()
	config, err := mysql.ParseDSN(b.dsn)
	if err != nil {
		b.t.Fatal(err)
	}
	config.User, config.Passwd, config.DBName = user, user, ""
	return config.FormatDSN()
}

// TestLateMember: a member that was taken for gone, and has only been late, leaves nothing when it is back.
func TestLateMember(t *testing.T) {
	onServers(t, func(b *bench) {
		o := b.options()
		o.Serves = true
		late, err := Open(b.t.Context(), o)
		if err != nil && errors.Is(err, ErrNone) {
			late, err = initAndOpen(b.t.Context(), o)
		}
		if err != nil {
			b.t.Fatal(err)
		}
		b.t.Cleanup(late.Close)
		l := b.open()
		late.mu.Lock() // it tells nothing
		gone := func() (n int) {
			if err := b.db.QueryRowContext(b.t.Context(), "SELECT COUNT(*) FROM "+member+" WHERE id = ?", late.self[:]).Scan(&n); err != nil {
				b.t.Fatal(err)
			}
			return n
		}
		waittest.Until(b.t, "it counts as gone", func() bool { return gone() == 0 })
		late.mu.Unlock()
		waittest.Until(b.t, "it is a member again", func() bool { return gone() == 1 })
		var left int
		if err := b.db.QueryRowContext(b.t.Context(), "SELECT COUNT(*) FROM "+departed+" WHERE id = ?", late.self[:]).Scan(&left); err != nil || left != 0 {
			b.t.Errorf("%d rows are left: %v", left, err)
		}
		b.made(l, fenced(table("one", 1)))
	})
}
