package ddl

import (
	"context"
	"errors"
	"testing"

	"tunic/internal/ddl/pace"
	"tunic/internal/ddl/service"
	"tunic/internal/ledger"
	"tunic/internal/racetest"
)

// TestPace: a server that takes longer than it may has rows left alone; who goes on with rows
// begins behind those that are done, and not for other work.
func TestPace(t *testing.T) {
	onServers(t, func(b *bench) {
		t, p := b.t, b.beside()
		p.plainBoth("CREATE TABLE x (id INT PRIMARY KEY COMMENT 'tunic: plain', k INT)",
			"INSERT INTO x WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < 900) SELECT n, n FROM n")
		e := b.encryption("x", "k")
		encrypting := b.definer.stagesOf(e)
		b.cutOff(func(ctx context.Context, pace pace.Pace) error {
			e.Pace = &pace
			return b.definer.BackfillShadows(ctx, e)
		}, encrypting[0], encrypting[1])
		b.mustStep(encrypting[3:]...)
		decrypting := b.decrypting()
		b.cutOff(func(ctx context.Context, pace pace.Pace) error {
			return b.definer.Decryption.Backfill(ctx, p.table("x").ID, pace)
		}, decrypting[0], decrypting[1])
		b.mustStep(decrypting[3:]...)
		p.asPlain()
		rows, err := b.client.Query(t.Context(), "SELECT COUNT(*) FROM _tunic.progress")
		if err != nil || service.Text(rows[0][0]) != "0" {
			t.Errorf("%v places are kept of what is done: %v", rows, err)
		}
	})
}

func (b *bench) mustStep(steps ...func(context.Context) error) {
	b.t.Helper()
	for i, step := range steps {
		if err := step(b.t.Context()); err != nil {
			b.t.Fatalf("step %d: %v", i, err)
		}
	}
}

// cutOff does steps, and then goes through rows, cut off once and again.
func (b *bench) cutOff(backfill func(context.Context, pace.Pace) error, steps ...func(context.Context) error) {
	b.t.Helper()
	b.mustStep(steps...)
	until := func(kept pace.Pace, cut func(pace.Passed) bool) (at pace.Passed) {
		b.t.Helper()
		ctx, cancel := context.WithCancel(b.t.Context())
		defer cancel()
		kept.Told = func(now pace.Passed) {
			if ctx.Err() == nil && cut(now) {
				at = now
				cancel()
			}
		}
		if err := backfill(ctx, kept); !errors.Is(err, context.Canceled) {
			b.t.Fatalf("cut off: %v", err)
		}
		return at
	}
	if at := until(pace.Pace{LatencyMax: 1}, func(now pace.Passed) bool { return now.Slow > 0 }); at.Rows != 0 {
		b.t.Errorf("%d rows while the server is too slow", at.Rows)
	}
	first := until(pace.Pace{}, func(now pace.Passed) bool { return now.Rows > 0 })
	next := until(pace.Pace{RateMax: 1e6}, func(pace.Passed) bool { return true })
	if first.Rows >= 900 || next.Rows <= first.Rows || next.Expected == 0 {
		b.t.Errorf("cut off after %+v, it goes on with %+v", first, next)
	}
	comparing := until(pace.Pace{}, func(now pace.Passed) bool { return now.Compared > 0 })
	var last pace.Passed
	if err := backfill(b.t.Context(), pace.Pace{Told: func(now pace.Passed) { last = now }}); err != nil {
		b.t.Fatal(err)
	}
	if comparing.Rows < 900 || last.Compared == 0 { // by how much a chunk grows, the server's speed says
		b.t.Errorf("cut off after %+v, it ends with %+v", comparing, last)
	}
}

// TestPlacesOfNothing: how far a table was is forgotten at the next start if it was dropped on its
// way, or has come to its end; and is kept while it is on its way.
func TestPlacesOfNothing(t *testing.T) {
	racetest.InOrder(t)
	onServers(t, func(b *bench) {
		t, p := b.t, b.beside()
		var numbers []uint64
		for _, name := range []string{"ended", "dropped", "going"} {
			p.plainBoth("CREATE TABLE " + name + " (id INT PRIMARY KEY COMMENT 'tunic: plain', k INT)")
			stages := b.definer.stagesOf(b.encryption(name, "k"))
			if name != "ended" {
				stages = stages[:2]
			}
			b.mustStep(stages...)
			number := pace.PlaceNumber(p.table(name).ID)
			if err := b.ledger.SaveProgress(t.Context(), ledger.Progress{Job: number, Place: []byte("x"), Done: 1}); err != nil {
				t.Fatal(err)
			}
			numbers = append(numbers, number)
		}
		p.must("DROP TABLE dropped")
		b.ledger.Close()
		b.hold()
		b.mustStep(b.definer.Upkeep.Sweep)
		kept, err := b.ledger.AllProgress(t.Context())
		if _, is := kept[numbers[2]]; err != nil || len(kept) != 1 || !is {
			t.Errorf("of %v %v are kept: %v", numbers, kept, err)
		}
	})
}
