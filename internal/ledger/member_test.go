package ledger

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"tunic/internal/catalog"
	"tunic/internal/waittest"
)

// TestMembers: processes that change tables at once, each its own and all of them one, in
// turns. All have the same catalog in the end, and nothing is left.
func TestMembers(t *testing.T) {
	const members, changes = 3, 5
	onServers(t, func(b *bench) {
		all := make([]*Ledger, members)
		for i := range all {
			all[i] = b.open()
		}
		shared := fenced(table("shared", 100))
		b.made(all[0], shared)
		var working sync.WaitGroup
		for i, l := range all {
			working.Go(func() {
				own := fenced(table(fmt.Sprintf("own%d", i), byte(i+1)))
				if _, err := l.Change(b.t.Context(), []Step{{New: own}}, b.ran(create(own))); err != nil {
					b.t.Error(err)
				}
				for n := 0; n < changes; {
					if b.altered(l, "shared") {
						n++
					}
				}
			})
		}
		working.Wait()
		want := map[string]uint64{"shared": 1 + members*changes, "own0": 1, "own1": 1, "own2": 1}
		for _, l := range all {
			l.CatchUp(nil, nil, 0)
			if diff := cmp.Diff(want, names(l.Catalog())); diff != "" || len(l.left) > 0 {
				b.t.Errorf("%d entries left; %s", len(l.left), diff)
			}
		}
	})
}

// altered gives a table its next definition, if nobody has before.
func (b *bench) altered(l *Ledger, name string) bool {
	b.t.Helper()
	l.CatchUp(nil, nil, 0)
	old := l.Catalog().Table("shop", name)
	next := again(old)
	done, err := l.Change(b.t.Context(), []Step{{old, next}}, b.ran(alter(old, next)))
	if err != nil && !errors.Is(err, ErrOutdated) {
		b.t.Errorf("%s: %v", name, err)
		return true
	}
	return len(done) == 1
}

// TestNamesAreKnownFirst: when a table is made or gets a name, every other member knows
// it. A change that keeps names waits for nobody.
func TestNamesAreKnownFirst(t *testing.T) {
	onServers(t, func(b *bench) {
		l, other := b.open(), b.open()
		one := fenced(table("one", 1))
		change := func(s Step, statement, name string) {
			b.t.Helper()
			done, err := l.Change(b.t.Context(), []Step{s}, func(ctx context.Context) error {
				if other.Catalog().Table("shop", name) == nil {
					b.t.Errorf("%s is not known", name)
				}
				return b.ran(statement)(ctx)
			})
			if err != nil || len(done) != 1 {
				b.t.Fatal(done, err)
			}
		}
		change(Step{New: one}, create(one), "one")
		waittest.Until(b.t, "it has seen that it is there", func() bool { return other.Catalog().Version == l.Catalog().Version })
		change(Step{one, renamed(one, "uno")}, "RENAME TABLE shop.one TO shop.uno", "uno")

		now := renamed(one, "uno")
		other.mu.Lock() // it sees nothing more
		next := again(now)
		if done, err := l.Change(b.t.Context(), []Step{{now, next}}, b.ran(alter(now, next))); err != nil || len(done) != 1 {
			b.t.Error(done, err)
		}
		other.mu.Unlock()
	})
}

// TestStoppedMember: one that is stopped is waited for as long as its lease is, and knows
// that it does not know all names when it goes on.
func TestStoppedMember(t *testing.T) {
	onServers(t, func(b *bench) {
		l, stopped := b.open(), b.open()
		if !l.Leased() || !stopped.Leased() {
			b.t.Error("a new member does not know all names")
		}
		if alone, err := l.Alone(b.t.Context()); err != nil || alone {
			b.t.Errorf("alone beside another: %v", err)
		}
		stopped.mu.Lock()
		b.made(l, fenced(table("one", 1)))
		if stopped.Leased() {
			b.t.Error("a table was made while a member was to be waited for")
		}
		stopped.mu.Unlock()
		waittest.Until(b.t, "it is a member again", stopped.Leased)
		if stopped.Catalog().Table("shop", "one") == nil {
			b.t.Error("a member that does not know a name")
		}
		stopped.Close()
		waittest.Until(b.t, "it is alone, as soon as the server has noticed", func() bool {
			alone, err := l.Alone(b.t.Context())
			if err != nil {
				b.t.Fatal(err)
			}
			return alone
		})
	})
}

// TestOutdatedStep: what was prepared for a table that somebody else has changed meanwhile
// is not begun.
func TestOutdatedStep(t *testing.T) {
	onServers(t, func(b *bench) {
		l, other := b.open(), b.open()
		one := fenced(table("one", 1))
		b.made(l, one)
		if !b.altered(other, "one") {
			b.t.Fatal("not changed")
		}
		for name, s := range map[string]Step{"changed": {one, again(one)}, "dropped": {Old: one}} {
			_, err := l.Change(b.t.Context(), []Step{s}, func(context.Context) error { b.t.Errorf("%s: run", name); return nil })
			if !errors.Is(err, ErrOutdated) || l.Usable() != nil {
				b.t.Errorf("%s: %v, %v", name, err, l.Usable())
			}
		}
	})
}

// TestLateDefinition: a member loses its connection when it has announced a change, and
// goes on when another has settled it. Its definition is refused by the server, and the
// table is what the catalog says.
func TestLateDefinition(t *testing.T) {
	onServers(t, func(b *bench) {
		l, other := b.open(), b.open()
		one := fenced(table("one", 1))
		b.made(l, one)
		next := again(one)
		var late error
		_, err := l.Change(b.t.Context(), []Step{{one, next}}, func(ctx context.Context) error {
			l.mu.Lock() // as a process that is stopped
			err := b.cut(ctx, l)
			waittest.Until(b.t, "somebody else has settled it", func() bool {
				other.CatchUp(nil, []*catalog.Table{one}, 0)
				return other.Catalog().Table("shop", "one").Revision > one.Revision
			})
			l.mu.Unlock()
			late = b.ran(alter(one, next))(ctx)
			return errors.Join(err, late)
		})
		if err == nil || late == nil || !strings.Contains(late.Error(), "1054") {
			b.t.Errorf("a definition that comes late: %v, %v", late, err)
		}
		waittest.Until(b.t, "it has noticed", func() bool { return l.Usable() == nil && l.Catalog().Version == other.Catalog().Version })
		taken := l.Catalog().Table("shop", "one")
		if taken.Revision != next.Revision+1 {
			b.t.Errorf("revision %d", taken.Revision)
		}
		waittest.Until(b.t, "the mark is its", func() bool { // the other one may be about to connect anew: CatchUp had no time
			other.mu.Lock()
			defer other.mu.Unlock()
			c, err := other.comment(b.t.Context(), taken)
			return err == nil && c == Mark(taken)
		})
		if !b.altered(l, "one") || !b.altered(other, "one") {
			b.t.Error("it cannot be changed any more")
		}
	})
}

// TestTakenOver: the same for a member whose change was done when it was cut off, and for
// one that was cut off when its table was taken over by half.
func TestTakenOver(t *testing.T) {
	onServers(t, func(b *bench) {
		one := fenced(table("one", 1))
		next := again(one)
		taken := (Step{one, next}).taken()
		for name, c := range map[string]struct {
			run  string
			want uint64
		}{"done": {alter(one, next), next.Revision}, "taken": {alter(one, taken), taken.Revision}} {
			b.exec("DROP DATABASE IF EXISTS shop", "CREATE DATABASE shop", "DROP DATABASE IF EXISTS _tunic")
			l, other := b.open(), b.open()
			b.made(l, one)
			_, err := l.Change(b.t.Context(), []Step{{one, next}}, func(ctx context.Context) error {
				l.mu.Lock()
				defer l.mu.Unlock()
				return errors.Join(b.ran(c.run)(ctx), b.cut(ctx, l))
			})
			if !errors.Is(err, ErrLost) {
				b.t.Errorf("%s: %v", name, err)
			}
			for _, member := range []*Ledger{l, other} {
				waittest.Until(b.t, name+" is settled", func() bool {
					return member.Usable() == nil && member.Catalog().Table("shop", "one").Revision == c.want
				})
			}
			l.Close()
			other.Close()
		}
	})
}

// TestTableLocks: one has a lock, and it is free when it is given back.
func TestTableLocks(t *testing.T) {
	onServers(t, func(b *bench) {
		l, other := b.open(), b.open()
		ids := []catalog.ID{{2}, {1}, {2}}
		unlock, err := l.Lock(b.t.Context(), ids)
		if err != nil {
			b.t.Fatal(err)
		}
		if got, err := other.TryLock(b.t.Context(), ids[1:2]); err != nil || got != nil {
			b.t.Errorf("a lock that another has: %v", err)
		}
		free, err := other.TryLock(b.t.Context(), []catalog.ID{{3}})
		if err != nil || free == nil {
			b.t.Fatal("a lock that nobody has", err)
		}
		free()
		waited := make(chan error)
		go func() {
			unlock, err := other.Lock(b.t.Context(), ids)
			if err == nil {
				unlock()
			}
			waited <- err
		}()
		time.Sleep(10 * time.Millisecond)
		unlock()
		if err := <-waited; err != nil {
			b.t.Error(err)
		}
	})
}

// TestOwnChangeIsWaitedFor: what was refused because this process is just changing a table
// waits for that as for a change of others.
func TestOwnChangeIsWaitedFor(t *testing.T) {
	onServers(t, func(b *bench) {
		l := b.open()
		one := fenced(table("one", 1))
		b.made(l, one)
		next, before := again(one), l.Catalog().Version
		var caught chan bool
		_, err := l.Change(b.t.Context(), []Step{{one, next}}, func(ctx context.Context) error {
			before = l.Catalog().Version
			if wait, err := l.catchUp(ctx, []*catalog.Table{one}); !wait || err != nil {
				b.t.Errorf("nobody waits for the change under way: %v", err)
			}
			caught = make(chan bool, 1)
			go func() { caught <- l.CatchUp(b.t.Context().Done(), []*catalog.Table{one}, before) }()
			return b.ran(alter(one, next))(ctx)
		})
		if err != nil || !<-caught {
			b.t.Errorf("who has waited has not got another version: %v", err)
		}
		if wait, err := l.catchUp(b.t.Context(), []*catalog.Table{next}); wait || err != nil {
			b.t.Errorf("a change that is done is waited for: %v", err)
		}
	})
}
