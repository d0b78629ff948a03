package ddl

import (
	"errors"
	"testing"

	"tunic/internal/catalog"
	"tunic/internal/ddl/layering"
	"tunic/internal/ddl/revision"
	"tunic/internal/ddl/upkeep"
	"tunic/internal/layers"
	"tunic/internal/policy"
)

// aJob and anotherJob are the IDs of jobs.
const aJob, anotherJob = 7, 8

// requestFor names layers of columns of a table.
func requestFor(t *catalog.Table, capability policy.Capabilities, columns ...string) (requests []revision.NamedLayer) {
	for _, name := range columns {
		requests = append(requests, revision.NamedLayer{Column: t.Columns[t.Column(name)].ID, Capability: capability})
	}
	return requests
}

// up adds layers, fills them and has them used.
func (b *bench) up(table catalog.ID, requests []revision.NamedLayer) {
	b.t.Helper()
	ctx := b.t.Context()
	for range 2 { // each step once more does nothing
		if err := b.definer.Layers.Add(ctx, aJob, table, requests); err != nil {
			b.t.Fatal("add: ", err)
		}
	}
	if err := b.definer.Layers.Backfill(ctx, aJob, table, requests, layering.Options{}); err != nil {
		b.t.Fatal("fill: ", err)
	}
	for range 2 {
		if err := b.definer.Layers.Ready(ctx, aJob, table, requests); err != nil {
			b.t.Fatal("ready: ", err)
		}
	}
}

// down takes them away.
func (b *bench) down(table catalog.ID, requests []revision.NamedLayer) {
	b.t.Helper()
	ctx := b.t.Context()
	for range 2 {
		if err := b.definer.Layers.Retire(ctx, aJob, table, requests); err != nil {
			b.t.Fatal("retire: ", err)
		}
	}
	for range 2 {
		if err := b.definer.Layers.Drop(ctx, aJob, table); err != nil {
			b.t.Fatal("drop: ", err)
		}
	}
}

// TestOnline: layers go up and down again, and between any two steps the catalog says what
// is stored.
func TestOnline(t *testing.T) {
	onServers(t, func(b *bench) {
		p := b.beside()
		p.both("CREATE TABLE o (id INT AUTO_INCREMENT PRIMARY KEY, n INT NOT NULL, s VARCHAR(10), d DATE)")
		p.insert("o", "1", "5", "one", "2024-02-29")
		p.insert("o", "2", "-7", "", "")
		requests := append(requestFor(p.table("o"), policy.Order, "n", "d"), requestFor(p.table("o"), policy.Equality, "n", "s")...)
		if err := revision.CanAdd(p.table("o"), requests); err != nil {
			t.Fatal(err)
		}
		before := p.table("o")
		for _, id := range []string{"3", "4"} {
			b.up(before.ID, requests)
			b.agrees("layers up")
			p.compare("o")
			for _, request := range requests {
				if l := revision.CopyOf(p.table("o")).ByID(request.Column).Layer(request.Capability); l == nil || l.State != catalog.Ready || l.Job != 0 {
					t.Fatalf("the layer is %+v", l)
				}
			}
			p.both("ALTER TABLE o ADD KEY (n), DROP KEY n")
			p.insert("o", id, "9", "nine", "2000-01-01")
			b.down(before.ID, requests)
			b.agrees("layers down")
			p.compare("o")
			if after := p.table("o"); after.Definition != before.Definition || len(after.Columns[1].Layers) > 0 {
				t.Fatalf("the table is %+v", after)
			}
		}
	})
}

// TestOnlineRefused: what cannot be done is said, and nothing of it is done.
func TestOnlineRefused(t *testing.T) {
	onServers(t, func(b *bench) {
		p := b.beside()
		p.both("CREATE TABLE o (id INT AUTO_INCREMENT PRIMARY KEY, n INT COMMENT 'tunic: equality', j POINT, k INT, KEY (k))")
		p.both("CREATE TABLE nokey (n INT)")
		o, nokey := p.table("o"), p.table("nokey")
		ctx := t.Context()
		for _, c := range []struct {
			err, want error
		}{
			{b.definer.Layers.Add(ctx, aJob, o.ID, requestFor(o, policy.Order, "n")), revision.ErrCeiling},
			{b.definer.Layers.Add(ctx, aJob, o.ID, requestFor(o, policy.Equality, "id")), revision.ErrLayerGone},
			{b.definer.Layers.Add(ctx, aJob, o.ID, []revision.NamedLayer{{Column: catalog.ID{1}, Capability: policy.Order}}), revision.ErrLayerGone},
			{b.definer.Layers.Add(ctx, aJob, catalog.ID{1}, nil), upkeep.ErrTableGone},
			{b.definer.Layers.Add(ctx, aJob, nokey.ID, requestFor(nokey, policy.Equality, "n")), layers.ErrNoKey},
			{b.definer.Layers.Retire(ctx, aJob, o.ID, requestFor(o, policy.Equality, "k")), revision.ErrKeyStands},
			{b.definer.Layers.Ready(ctx, aJob, o.ID, requestFor(o, policy.Order, "k")), revision.ErrLayerGone},
			{b.definer.Layers.Backfill(ctx, aJob, o.ID, requestFor(o, policy.Order, "k"), layering.Options{}), revision.ErrLayerGone},
			{b.definer.Layers.Drop(ctx, aJob, catalog.ID{1}), nil},
		} {
			if !errors.Is(c.err, c.want) {
				t.Errorf("it is %v, and not %v", c.err, c.want)
			}
		}
		if err := b.definer.Layers.Add(ctx, aJob, o.ID, requestFor(o, policy.Equality, "j")); !refused(err) {
			t.Errorf("a layer of shapes: %v", err)
		}
		request := requestFor(o, policy.Order, "k")
		if err := b.definer.Layers.Add(ctx, aJob, o.ID, request); err != nil {
			t.Fatal(err)
		}
		for what, err := range map[string]error{
			"add": b.definer.Layers.Add(ctx, anotherJob, o.ID, request), "fill": b.definer.Layers.Backfill(ctx, anotherJob, o.ID, request, layering.Options{}),
			"ready": b.definer.Layers.Ready(ctx, anotherJob, o.ID, request), "retire": b.definer.Layers.Retire(ctx, anotherJob, o.ID, request),
		} {
			if !errors.Is(err, revision.ErrLayerGone) {
				t.Errorf("%s of another job's: %v", what, err)
			}
		}
		if err := b.definer.Layers.Drop(ctx, anotherJob, o.ID); err != nil || !p.table("o").Backfills() {
			t.Errorf("another job drops it: %v", err)
		}
		if err := b.definer.Layers.Drop(ctx, aJob, o.ID); err != nil || p.table("o").Backfills() {
			t.Errorf("it is not dropped: %v", err)
		}
		b.agrees("given up")
	})
}
