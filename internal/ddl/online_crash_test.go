package ddl

import (
	"context"
	"fmt"
	"testing"
	"time"

	"tunic/internal/catalog"
	"tunic/internal/ddl/layering"
	"tunic/internal/policy"
	"tunic/internal/racetest"
)

// TestKilledOnline: tunic is killed at each of the statements by which a layer goes up and
// down. When it is back, catalog and server agree, no row has a token of another value, and
// the step that was cut off is done by being called again.
func TestKilledOnline(t *testing.T) {
	racetest.InOrder(t)
	onServers(t, func(b *bench) {
		for cut := 1; b.onlineKilledAt(cut, false); cut += onlineStride() {
		}
		for cut := 3; b.onlineKilledAt(cut, true); cut += 3 * onlineStride() {
		}
	})
}

// onlineStride leaves points out: kills between two statements that only look are alike.
func onlineStride() int { return 3 * stride() }

// onlineKilledAt kills tunic at a statement; false says that all was done before it.
func (b *bench) onlineKilledAt(at int, lost bool) (killed bool) {
	b.t.Helper()
	p, cut := b.beside(), at
	if b.ledger.Catalog().Table("shop", "o") != nil {
		p.both("DROP TABLE o")
	}
	p.both("CREATE TABLE o (id INT AUTO_INCREMENT PRIMARY KEY, n INT NOT NULL, s VARCHAR(10), KEY (s))")
	p.insert("o", "1", "5", "one")
	p.insert("o", "2", "-7", "")
	o := p.table("o")
	requests := requestFor(o, policy.Order, "n", "s")
	steps := []func(context.Context, *Definer) error{
		func(ctx context.Context, d *Definer) error { return d.Layers.Add(ctx, aJob, o.ID, requests) },
		func(ctx context.Context, d *Definer) error {
			return d.Layers.Backfill(ctx, aJob, o.ID, requests, layering.Options{})
		},
		func(ctx context.Context, d *Definer) error { return d.Layers.Ready(ctx, aJob, o.ID, requests) },
		func(ctx context.Context, d *Definer) error { return d.Layers.Retire(ctx, aJob, o.ID, requests) },
		func(ctx context.Context, d *Definer) error { return d.Layers.Drop(ctx, aJob, o.ID) },
	}
	for i, step := range steps {
		b.seen.mu.Lock()
		b.seen.cut, b.seen.answerLost = cut, lost
		b.seen.mu.Unlock()
		err := b.untilDead(step)
		b.seen.mu.Lock()
		dead := b.seen.dead
		cut, b.seen.cut = b.seen.cut, 0
		b.seen.mu.Unlock()
		what := fmt.Sprintf("step %d, killed at statement %d", i, at)
		if dead && !killed {
			killed = true
			b.comesBack() // what DropLayers had left may be left still: the lock of who is dead is the server's to give back
			if i+1 < len(steps) {
				b.agrees(what)
			}
			err = step(b.t.Context(), b.definer)
		}
		if err != nil {
			b.t.Fatalf("%s: %v", what, err)
		}
		b.agrees(what)
		if i > 0 {
			(&pair{bench: b, plain: p.plain}).compare("o")
		}
	}
	if after := p.table("o"); after.Backfills() || after.Columns[1].Layer(policy.Order) != nil || after.Columns[2].Layer(policy.Equality).State != catalog.Ready {
		b.t.Errorf("killed at statement %d: the table is %+v", at, after)
	}
	return killed
}

// untilDead does a step, and gives it up when tunic is dead: it would wait for the server.
func (b *bench) untilDead(step func(context.Context, *Definer) error) error {
	ctx, cancel := context.WithCancel(b.t.Context())
	defer cancel()
	done := make(chan error, 1)
	go func() { done <- step(ctx, b.definer) }()
	for {
		select {
		case err := <-done:
			return err
		case <-time.After(5 * time.Millisecond):
		}
		b.seen.mu.Lock()
		if b.seen.dead {
			cancel()
		}
		b.seen.mu.Unlock()
	}
}
