package ddl

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"tunic/internal/catalog"
	"tunic/internal/ddl/layering"
	"tunic/internal/ddl/revision"
	"tunic/internal/ddl/upkeep"
	"tunic/internal/policy"
	"tunic/internal/waittest"
)

// TestBriefWait: while a client keeps a transaction open on a table that a layer is added
// to, other clients go on, which would wait for the transaction if they were behind a definition
// that does; the server would tell them. When the transaction is over, the layer comes.
func TestBriefWait(t *testing.T) {
	onServers(t, func(b *bench) {
		p := b.beside()
		p.both("CREATE TABLE o (id INT AUTO_INCREMENT PRIMARY KEY, n INT)")
		p.insert("o", "1", "5")
		open, other := b.connect("shop"), b.connect("shop")
		ctx := t.Context()
		for _, s := range []string{"START TRANSACTION", "SELECT COUNT(*) FROM o"} {
			if err := open.Exec(ctx, s); err != nil {
				t.Fatal(err)
			}
		}
		if err := other.Exec(ctx, "SET SESSION lock_wait_timeout = 10"); err != nil {
			t.Fatal(err)
		}
		o := p.table("o")
		b.seen.forget()
		done := make(chan error, 1)
		go func() { done <- b.definer.Layers.Add(ctx, aJob, o.ID, requestFor(o, policy.Order, "n")) }()
		for strings.Count(b.seen.text(), "KILL QUERY") < 2 {
			if err := other.Exec(ctx, "UPDATE o SET id = id"); err != nil {
				t.Fatal("a client behind the job: ", err)
			}
			time.Sleep(5 * time.Millisecond)
		}
		select {
		case err := <-done:
			t.Fatal("the layer comes while somebody uses the table: ", err)
		default:
		}
		if t := p.table("o"); t.Backfills() {
			b.t.Error("the catalog has what the table has not")
		}
		if err := open.Exec(ctx, "COMMIT"); err != nil {
			t.Fatal(err)
		}
		if err := <-done; err != nil || !p.table("o").Backfills() {
			t.Error("the layer does not come: ", err)
		}
		b.agrees("added")
	})
}

// TestBriefGivenUp: who gives up waiting leaves nothing at the server.
func TestBriefGivenUp(t *testing.T) {
	onServers(t, func(b *bench) {
		p := b.beside()
		p.both("CREATE TABLE o (id INT AUTO_INCREMENT PRIMARY KEY, n INT)")
		open := b.connect("shop")
		for _, s := range []string{"START TRANSACTION", "SELECT COUNT(*) FROM o"} {
			if err := open.Exec(t.Context(), s); err != nil {
				t.Fatal(err)
			}
		}
		ctx, cancel := context.WithCancel(t.Context())
		o := p.table("o")
		b.seen.forget()
		done := make(chan error, 1)
		go func() { done <- b.definer.Layers.Add(ctx, aJob, o.ID, requestFor(o, policy.Order, "n")) }()
		waittest.Until(t, "the definition is sent", func() bool { return strings.Contains(b.seen.text(), "ALTER TABLE `shop`.`o`") })
		cancel()
		if err := <-done; !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
		if err := open.Exec(t.Context(), "COMMIT"); err != nil {
			t.Fatal(err)
		}
		if p.table("o").Backfills() {
			t.Error("the layer comes after it was given up")
		}
		b.agrees("given up")
	})
}

// gated is a job that stops before each chunk until it is let go on.
type gated struct{ reached, goOn chan struct{} }

func (g gated) pass(ctx context.Context) error {
	select {
	case g.reached <- struct{}{}:
	case <-ctx.Done():
		return ctx.Err()
	}
	select {
	case <-g.goOn:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// TestBesideJob: what clients do to a table whose layer is on its way is done, and the job
// goes on beside it, or finds that there is nothing left to do.
func TestBesideJob(t *testing.T) {
	for _, c := range []struct {
		statements string
		err        error         // of the job
		state      catalog.State // of the layer of n when the job has ended; Absent of one that is gone
	}{
		{"ALTER TABLE o ADD COLUMN b INT, ADD KEY (s)", nil, catalog.Ready},
		{"ALTER TABLE o RENAME COLUMN n TO m; ALTER TABLE o MODIFY m BIGINT NOT NULL FIRST", nil, catalog.Absent},
		{"ALTER TABLE o RENAME COLUMN n TO n2; ALTER TABLE o RENAME COLUMN n2 TO n", nil, catalog.Ready},
		{"ALTER TABLE o MODIFY s VARCHAR(10) CHARACTER SET latin1", nil, catalog.Ready},
		{"ALTER TABLE o DROP PRIMARY KEY, ADD PRIMARY KEY (other)", nil, catalog.Ready},
		{"ALTER TABLE o ADD COLUMN b INT NOT NULL DEFAULT 7", nil, catalog.Ready},
		{"CREATE INDEX i ON o (n)", nil, catalog.Ready},
		{"ALTER TABLE o MODIFY n INT NOT NULL COMMENT 'tunic: order'", nil, catalog.Ready},
		{"RENAME TABLE o TO o2; RENAME TABLE o2 TO o", nil, catalog.Ready},
		{"TRUNCATE TABLE o", nil, catalog.Ready},
		{"ALTER TABLE o MODIFY n INT NOT NULL COMMENT 'tunic: equality'", revision.ErrLayerGone, catalog.Absent},
		{"ALTER TABLE o DROP COLUMN n", revision.ErrLayerGone, catalog.Absent},
		{"ALTER TABLE o MODIFY n VARCHAR(20) NOT NULL", revision.ErrLayerGone, catalog.Absent},
		{"DROP TABLE o", upkeep.ErrTableGone, catalog.Absent},
	} {
		t.Run(c.statements, func(t *testing.T) {
			onServers(t, func(b *bench) {
				b.besideJob(c.statements, c.err, c.state)
			})
		})
	}
}

func (b *bench) besideJob(statements string, want error, state catalog.State) {
	b.t.Helper()
	p := b.beside()
	p.both("CREATE TABLE o (id INT COMMENT 'tunic: plain', other INT NOT NULL COMMENT 'tunic: plain', n INT NOT NULL, s VARCHAR(10), PRIMARY KEY (id))")
	for id := range 30 {
		p.insert("o", fmt.Sprint(id), fmt.Sprint(100-id), fmt.Sprint(7*id), "text")
	}
	o := p.table("o")
	requests := requestFor(o, policy.Order, "n")
	ctx := b.t.Context()
	if err := b.definer.Layers.Add(ctx, aJob, o.ID, requests); err != nil {
		b.t.Fatal(err)
	}
	g := gated{make(chan struct{}), make(chan struct{})}
	done := make(chan error, 1)
	go func() {
		err := b.definer.Layers.Backfill(ctx, aJob, o.ID, requests, layering.Options{Gate: g.pass})
		if err == nil {
			err = b.definer.Layers.Ready(ctx, aJob, o.ID, requests)
		}
		done <- err
	}()
	<-g.reached // before the first chunk
	for s := range strings.SplitSeq(statements, "; ") {
		if strings.HasPrefix(s, "ALTER TABLE o MODIFY n VARCHAR") { // of another sort: only without rows
			p.both("DROP TABLE IF EXISTS gone")
			b.emptied("o")
		}
		p.both(s)
	}
	close(g.goOn)
	for ended := false; !ended; {
		select {
		case <-g.reached:
		case err := <-done:
			if ended = true; !errors.Is(err, want) && state != catalog.Absent {
				b.t.Errorf("%s: the job says %v", statements, err)
			}
		}
	}
	b.agrees(statements)
	if b.ledger.Catalog().ByID(o.ID) == nil {
		return
	}
	p.compare("o")
	var l *catalog.Layer
	if c := revision.CopyOf(p.table("o")).ByID(requests[0].Column); c != nil {
		l = c.Layer(policy.Order)
	}
	switch {
	case l == nil:
		if state != catalog.Absent {
			b.t.Errorf("%s: the layer is gone", statements)
		}
	case l.State != state && state != catalog.Absent:
		b.t.Errorf("%s: the layer is %+v", statements, l)
	}
	if err := b.definer.Layers.Drop(ctx, aJob, o.ID); err != nil {
		b.t.Error(err)
	}
	b.agrees("and given up")
}

// emptied deletes all rows on both sides.
func (b *bench) emptied(table string) {
	b.t.Helper()
	if err := b.server.Exec(b.t.Context(), "DELETE FROM shop."+table, "DELETE FROM plain."+table); err != nil {
		b.t.Fatal(err)
	}
}

// TestNeededAgain: a layer that retires, and that a client needs for a key meanwhile, stays.
func TestNeededAgain(t *testing.T) {
	onServers(t, func(b *bench) {
		p := b.beside()
		p.both("CREATE TABLE o (id INT AUTO_INCREMENT PRIMARY KEY, n INT)")
		p.insert("o", "1", "5")
		o := p.table("o")
		requests := requestFor(o, policy.Equality, "n")
		b.up(o.ID, requests)
		if err := b.definer.Layers.Retire(t.Context(), aJob, o.ID, requests); err != nil {
			t.Fatal(err)
		}
		p.both("ALTER TABLE o ADD COLUMN b INT")
		if l := p.table("o").Columns[1].Layer(policy.Equality); l == nil || l.State != catalog.Retiring || l.Job != aJob {
			t.Fatalf("beside another change: %+v", l)
		}
		p.both("CREATE INDEX i ON o (n)")
		if err := b.definer.Layers.Drop(t.Context(), aJob, o.ID); err != nil {
			t.Fatal(err)
		}
		if l := p.table("o").Columns[1].Layer(policy.Equality); l == nil || l.State != catalog.Ready {
			t.Errorf("a key is over %+v", l)
		}
		p.compare("o")
		b.agrees("needed again")
		p.both("DROP INDEX i ON o")
		if err := b.definer.Layers.Retire(t.Context(), aJob, o.ID, requests); err != nil {
			t.Fatal(err)
		}
		if err := b.definer.Layers.Keep(t.Context(), aJob, o.ID, requests); err != nil {
			t.Fatal(err)
		}
		if l := p.table("o").Columns[1].Layer(policy.Equality); l == nil || l.State != catalog.Ready {
			t.Errorf("kept is %+v", l)
		}
	})
}
