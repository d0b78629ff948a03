package ledger

import (
	"context"
	"errors"
	"fmt"
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

// attempt makes a table, if that can be done soon.
func (b *bench) attempt(l *Ledger, t *catalog.Table) ([]Step, error) {
	b.t.Helper()
	const soon = 500 * time.Millisecond
	return l.ChangeWithin(b.t.Context(), soon, []Step{{New: t}}, b.ran(create(t)))
}

func isLockWait(err error) bool {
	said, ok := errors.AsType[*sqlerr.Error](err)
	return ok && said.IsLockWait()
}

// TestDeparted: a table does not get its name while the server may run a statement of a member that has gone. Where the
// account may not see that, one without a CHECK is refused.
func TestDeparted(t *testing.T) {
	onServers(t, func(b *bench) {
		l := b.open()
		o := b.options()
		o.Serves = true
		gone, err := Open(b.t.Context(), o)
		if err != nil {
			b.t.Fatal(err)
		}
		busy, err := b.db.Conn(b.t.Context())
		if err != nil {
			b.t.Fatal(err)
		}
		b.t.Cleanup(func() { _ = busy.Close() })
		ctx, end := context.WithCancel(b.t.Context())
		defer end()
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			_, _ = busy.ExecContext(ctx, "DO SLEEP(600)")
		}()
		waittest.Until(b.t, "the server sleeps", func() bool { return b.sleeping() != 0 })
		gone.InFlight().Leave(nil, &client{})
		gone.Close()

		bare, checked := fenced(table("one", 1)), fenced(table("two", 2))
		bare.Unchecked = true
		for _, t := range []*catalog.Table{bare, checked} {
			if done, err := b.attempt(l, t); len(done) > 0 || !isLockWait(err) {
				b.t.Fatalf("%s: %v, %v", t.Name, done, err)
			}
		}
		b.exec("DROP USER IF EXISTS blind", "CREATE USER blind IDENTIFIED BY 'blind'", "GRANT ALL ON `_tunic`.* TO blind", "GRANT ALL ON shop.* TO blind")
		blinded := b.options()
		blinded.DB = sandboxtest.Open(b.t, b.as("blind"))
		blind, err := Open(b.t.Context(), blinded)
		if err != nil {
			b.t.Fatal(err)
		}
		if done, err := b.attempt(blind, bare); len(done) > 0 || !errors.Is(err, sqlerr.Departed()) {
			b.t.Errorf("%v, %v", done, err)
		}
		b.made(blind, checked)
		blind.Close()
		b.exec(fmt.Sprintf("KILL QUERY %d", b.sleeping()))
		<-ended
		l.CatchUp(nil, nil, 0)
		b.made(l, bare)
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
