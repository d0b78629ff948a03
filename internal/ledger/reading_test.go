package ledger

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"tunic/internal/catalog"
	"tunic/internal/waittest"
)

// TestReadingThatFails: who cannot read the ledger to its end, as where the server is killed
// meanwhile, has the journal of the catalog that it has. What is left of a change that others have
// settled stands until it knows what has come of it.
func TestReadingThatFails(t *testing.T) {
	onServers(t, func(b *bench) {
		l := b.open()
		o := b.options()
		o.beat = time.Hour // it looks when it is told to
		other, err := initAndOpen(b.t.Context(), o)
		if err != nil {
			b.t.Fatal(err)
		}
		b.t.Cleanup(other.Close)
		old := fenced(table("one", 1))
		b.made(l, old)
		next := again(old)
		other.CatchUp(nil, nil, 0)
		tables := []*catalog.Table{old}
		_, err = l.ChangeOpen(b.t.Context(), []Step{{old, next}}, func(ctx context.Context) error {
			if wait, err := other.catchUp(ctx, tables); !wait || err != nil {
				b.t.Errorf("a table that is being changed: wait %t, %v", wait, err)
			}
			return b.ran(alter(old, next))(ctx)
		})
		if err != nil {
			b.t.Fatal(err)
		}
		version := other.Catalog().Version
		b.exec("RENAME TABLE " + job + " TO " + job + "_aside")
		other.mu.Lock()
		err = other.settleLeft(b.t.Context())
		left := len(other.left)
		other.mu.Unlock()
		b.exec("RENAME TABLE " + job + "_aside TO " + job)
		if err == nil || left != 1 || other.Catalog().Version != version {
			b.t.Errorf("after a reading that has failed: %v, %d entries left, version %d of %d", err, left, other.Catalog().Version, version)
		}
		if !other.CatchUp(nil, tables, version) || other.Catalog().Table("shop", "one").Revision != next.Revision || len(other.left) > 0 {
			b.t.Errorf("after another: revision %d, %d entries left", other.Catalog().Table("shop", "one").Revision, len(other.left))
		}
	})
}

// TestReadingThatBreaks: a connection that breaks while the ledger is taken back leaves it lost, which
// passes, and nothing that somebody has to look after.
func TestReadingThatBreaks(t *testing.T) {
	onServers(t, func(b *bench) {
		l := b.open()
		holder, err := b.db.Conn(b.t.Context())
		if err != nil {
			b.t.Fatal(err)
		}
		defer func() { _ = holder.Close() }()
		hold := func(s string) {
			b.t.Helper()
			if _, err := holder.ExecContext(b.t.Context(), s); err != nil {
				b.t.Fatal(err)
			}
		}
		hold("LOCK TABLES " + project + " WRITE")
		one := ""
		for range 3 { // whoever it is that waits: the ledger's look, and who takes it back
			before := one
			waittest.Until(b.t, "a connection waits for the ledger", func() bool {
				if ids := b.waiting(); len(ids) > 0 {
					one = ids[0]
				}
				return one != before
			})
			if err := l.Usable(); err != nil && !errors.Is(err, ErrLost) {
				b.t.Errorf("the ledger is not lost, but: %v", err)
			}
			b.exec("KILL " + one)
		}
		hold("UNLOCK TABLES")
		if err := l.Await(nil); err != nil {
			b.t.Errorf("the ledger has not come back: %v", err)
		}
	})
}

// TestErrorsThatPass: a server that is there again, and answers who takes the ledger back with an error
// that passes, as a Galera node does that is not in its cluster yet, leaves the ledger lost: statements
// wait for it, and are not refused.
func TestErrorsThatPass(t *testing.T) {
	onServers(t, func(b *bench) {
		l := b.open()
		for _, number := range []int{1047, 1205, 1213} {
			l.mu.Lock()
			tries := l.links
			l.mu.Unlock()
			b.exec(fmt.Sprintf("CREATE TRIGGER _tunic.late BEFORE INSERT ON %s FOR EACH ROW SIGNAL SQLSTATE '08S01' SET MYSQL_ERRNO = %d", member, number))
			b.kill(l)
			waittest.Until(b.t, "the ledger is asked for in vain", func() bool {
				if err := l.Usable(); err != nil && !errors.Is(err, ErrLost) {
					b.t.Fatalf("after error %d the ledger is not lost, but: %v", number, err)
				}
				l.mu.Lock()
				defer l.mu.Unlock()
				return l.links > tries+3
			})
			b.exec("DROP TRIGGER _tunic.late")
			if err := l.Await(nil); err != nil {
				b.t.Errorf("after error %d the ledger has not come back: %v", number, err)
			}
		}
	})
}
