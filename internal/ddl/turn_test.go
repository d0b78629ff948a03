package ddl

import (
	"errors"
	"strings"
	"testing"
	"time"

	"tunic/internal/ddl/turn"
	"tunic/internal/ledger"
	"tunic/internal/policy"
	"tunic/internal/waittest"
)

// TestTurn: a job that finds another one's definition waiting, or clients having their time
// behind one, begins none; when the turn is free its layer comes.
func TestTurn(t *testing.T) {
	onServers(t, func(b *bench) {
		p := b.beside()
		p.both("CREATE TABLE o (id INT AUTO_INCREMENT PRIMARY KEY, n INT)")
		o, ctx := p.table("o"), t.Context()
		another := turn.Turns{DB: b.definer.o.DB}
		turn, err := another.Take(ctx)
		if err != nil {
			t.Fatal(err)
		}
		b.seen.forget()
		done := make(chan error, 1)
		go func() { done <- b.definer.Layers.Add(ctx, aJob, o.ID, requestFor(o, policy.Order, "n")) }()
		for strings.Count(b.seen.text(), "IS_FREE_LOCK") < 2 {
			time.Sleep(time.Millisecond)
		}
		if strings.Contains(b.seen.text(), "ALTER TABLE") {
			t.Error("a definition is begun in another's turn")
		}
		another.Rest(turn, 0)
		if err := <-done; err != nil || !p.table("o").Backfills() {
			t.Error("the layer does not come: ", err)
		}
		b.agrees("added")
	})
}

// TestRest: a definition that clients had to wait behind keeps the turn, for the next of the
// same tunic that has begun with a table, and for nobody else.
func TestRest(t *testing.T) {
	onServers(t, func(b *bench) {
		p := b.beside()
		p.both("CREATE TABLE o (id INT AUTO_INCREMENT PRIMARY KEY, n INT)")
		open, ctx := b.connect("shop"), t.Context()
		for _, s := range []string{"START TRANSACTION", "SELECT COUNT(*) FROM o"} {
			if err := open.Exec(ctx, s); err != nil {
				t.Fatal(err)
			}
		}
		const nothing = "ALTER TABLE shop.o COMMENT=''"
		if err := b.definer.Upkeep.Turns.Brief(ctx, nothing, turn.RestMost); !turn.Passing(err) {
			t.Fatal("it does not wait: ", err)
		}
		another := turn.Turns{DB: b.definer.o.DB}
		if _, err := another.Take(ctx); !errors.Is(err, turn.ErrElsewhere) {
			t.Error("another has its turn: ", err)
		}
		if err := b.definer.Upkeep.Turns.Theirs(ctx); !errors.Is(err, turn.ErrElsewhere) {
			t.Error("something else is begun: ", err)
		}
		own, err := b.definer.Upkeep.Turns.Take(ctx)
		if err != nil {
			t.Fatal("the own turn is not taken: ", err)
		}
		b.definer.Upkeep.Turns.Rest(own, 0)
		for err = turn.ErrElsewhere; errors.Is(err, turn.ErrElsewhere); err = b.definer.Upkeep.Turns.Theirs(ctx) {
			time.Sleep(time.Millisecond)
		}
		if err != nil {
			t.Error("the turn is not given back: ", err)
		}
		if err := open.Exec(ctx, "COMMIT"); err != nil {
			t.Fatal(err)
		}
	})
}

// TestQuiesceFirst: as long as a transaction of a client is open that has used the table, a job has
// the server define nothing, which would end the transaction (1213) once it writes; and clients
// who have not used the table wait for it in turns only.
func TestQuiesceFirst(t *testing.T) {
	onServers(t, func(b *bench) {
		p := b.beside()
		p.both("CREATE TABLE o (id INT AUTO_INCREMENT PRIMARY KEY, n INT)")
		o, ctx := p.table("o"), t.Context()
		use := b.ledger.Gate().Use(o.ID)
		b.seen.forget()
		done := make(chan error, 1)
		go func() { done <- b.definer.Layers.Add(ctx, aJob, o.ID, requestFor(o, policy.Order, "n")) }()
		for strings.Count(b.seen.text(), "IS_USED_LOCK(CONCAT('_tunic.link.'") < 2 { // asked to quiesce, and once more
			inside, ok := b.ledger.Gate().Enter(o.ID, ledger.Passage{}, ctx.Done())
			if !ok {
				t.Fatal("another client is kept out for good")
			}
			inside.Leave()
			time.Sleep(time.Millisecond)
		}
		if strings.Contains(b.seen.text(), "ALTER TABLE") {
			t.Error("a definition is begun beside a transaction")
		}
		use.End()
		if err := <-done; err != nil || !p.table("o").Backfills() {
			t.Error("the layer does not come: ", err)
		}
		b.agrees("added")
	})
}

// TestOthersBesideQuiesce: while a job waits for a quiet moment of its table, clients define other tables.
func TestOthersBesideQuiesce(t *testing.T) {
	onServers(t, func(b *bench) {
		p := b.beside()
		p.both("CREATE TABLE o (id INT AUTO_INCREMENT PRIMARY KEY, n INT)")
		o, ctx := p.table("o"), t.Context()
		use := b.ledger.Gate().Use(o.ID)
		done := make(chan error, 1)
		go func() { done <- b.definer.Layers.Add(ctx, aJob, o.ID, requestFor(o, policy.Order, "n")) }()
		over := make(chan struct{})
		close(over)
		held := func() bool {
			inside, ok := b.ledger.Gate().Enter(o.ID, ledger.Passage{}, over)
			if ok {
				inside.Leave()
			}
			return !ok
		}
		waittest.Until(b.t, "a definition of another table can be begun in a quiet moment", func() bool {
			if !held() || !b.definer.Upkeep.Mu.TryLock() {
				return false
			}
			defer b.definer.Upkeep.Mu.Unlock()
			return held()
		})
		use.End()
		if err := <-done; err != nil || !p.table("o").Backfills() {
			t.Error("the layer does not come: ", err)
		}
		b.agrees("added")
	})
}
