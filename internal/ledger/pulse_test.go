package ledger

import (
	"database/sql"
	"testing"
	"time"

	"tunic/internal/waittest"
)

// pulsing opens a ledger with a pulse.
func (b *bench) pulsing(lease, patience time.Duration) *Ledger {
	b.t.Helper()
	o := b.options()
	held, err := sql.Open("mysql", b.dsn)
	if err != nil {
		b.t.Fatal(err)
	}
	b.t.Cleanup(func() { _ = held.Close() })
	o.Held, o.Lease, o.patience = held, lease, patience
	l, err := initAndOpen(b.t.Context(), o)
	if err != nil {
		b.t.Fatal(err)
	}
	b.t.Cleanup(l.Close)
	return l
}

// TestPulse: a member that is late to look at the ledger keeps its lease, however long it waits for
// connections and others, and until it has read nothing for too long. Another one that makes a name
// waits for it.
func TestPulse(t *testing.T) {
	onServers(t, func(b *bench) {
		const lease, patience = 2 * time.Second, 4 * time.Second
		late := b.pulsing(lease, patience)
		l := b.pulsing(lease, patience)
		var busy []*sql.Conn // all that anybody may have
		b.db.SetMaxOpenConns(2)
		for range 2 {
			conn, err := b.db.Conn(b.t.Context())
			if err != nil {
				b.t.Fatal(err)
			}
			busy = append(busy, conn)
		}
		late.mu.Lock()
		locked := time.Now()
		for time.Since(locked) < 3*lease {
			if !late.Leased() {
				b.t.Fatalf("the lease is over after %v", time.Since(locked))
			}
			time.Sleep(lease / 20)
		}
		for _, conn := range busy {
			_ = conn.Close()
		}
		b.db.SetMaxOpenConns(0)
		b.made(l, fenced(table("one", 1)))
		if late.Leased() || time.Since(locked) < 2*patience-time.Second {
			b.t.Errorf("a name was made %v after a member was last heard to have read the ledger; leased: %v", time.Since(locked), late.Leased())
		}
		late.mu.Unlock()
		waittest.Until(b.t, "it is a member again", late.Leased)
		if late.Catalog().Table("shop", "one") == nil {
			b.t.Error("a member that does not know a name")
		}
	})
}

// TestPulseOfNoMember: a member that others have taken for dead, or that is about to join anew, has no
// lease by a pulse.
func TestPulseOfNoMember(t *testing.T) {
	onServers(t, func(b *bench) {
		l := b.pulsing(time.Hour, 0) // it beats by itself seldom
		lease := func() time.Duration { return time.Duration(l.lease.Load()) }
		pulse := func() {
			b.t.Helper()
			if conn := l.pulseOnce(b.t.Context(), nil); conn != nil {
				letGo(conn)
			}
		}
		before := lease()
		if pulse(); lease() <= before {
			b.t.Error("the lease of a member is not prolonged")
		}
		l.mu.Lock()
		defer l.mu.Unlock()
		before = lease()
		joined := l.member.Swap(nil)
		if pulse(); lease() != before {
			b.t.Error("one that is joining has got a lease")
		}
		l.member.Store(joined)
		b.exec("DELETE FROM " + member)
		if pulse(); lease() != before {
			b.t.Error("one that was taken for dead has got a lease")
		}
	})
}
