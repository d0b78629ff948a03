package rotation

import (
	"context"
	"errors"
	"maps"
	"slices"
	"time"

	"tunic/internal/catalog"
	"tunic/internal/crash"
	"tunic/internal/ddl/layering"
	"tunic/internal/ddl/revision"
	"tunic/internal/ddl/upkeep"
	"tunic/internal/layers"
	"tunic/internal/policy"
)

// Layers get new keys by shadows (package ddl). Tokens are compared within a domain, so all
// columns of one go together: first all of them have their shadows, then all keys over these
// are made, and then table by table they take their places, which takes a moment each. Between two
// of those moments layers are of two epochs, and what compares them is finished by tunic, because
// plans compare tokens of one epoch only.

// The hindrances of layers.
const (
	OverPrimary Hindrance = "a primary key is over a layer of theirs, or of a column that is compared with them: it would take the whole table with it"
	OverRowKey  Hindrance = "a unique key over a layer of theirs, or of a column that is compared with them, is what the server keeps the rows by, as there is no primary key: it would take the whole table with it"
	OverForeign Hindrance = "a foreign key is over a layer of theirs, or of a column that is compared with them"
)

// stayings are the domains whose layers keep their keys, and why.
func stayings(known *catalog.Catalog) map[catalog.ID]Hindrance {
	stay := map[catalog.ID]Hindrance{}
	for t := range known.Tables() {
		note := func(name string, why Hindrance) {
			if at := t.Column(name); at >= 0 && t.Columns[at].Protected() {
				stay[t.Columns[at].Domain] = why
			}
		}
		for i := range t.Keys {
			k, why := &t.Keys[i], OverPrimary
			if k.Kind != catalog.Primary {
				why = OverRowKey
			}
			for _, p := range k.Parts {
				if t.KeepsRows(k) {
					note(p.Column, why)
				}
			}
		}
		for i := range t.ForeignKeys {
			for _, name := range t.ForeignKeys[i].Columns {
				note(name, OverForeign)
			}
		}
		if h := hindranceOf(t); h != None {
			for i := range t.Columns {
				note(t.Columns[i].Name, h)
			}
		}
	}
	return stay
}

// oldLayers are the layers of a table that can get a key of an epoch: those that are ready.
func oldLayers(t *catalog.Table, stay map[catalog.ID]Hindrance, epoch uint16) (all []revision.NamedLayer) {
	for i := range t.Columns {
		c := &t.Columns[i]
		if stay[c.Domain] != None {
			continue
		}
		for _, l := range c.Layers {
			if !l.IsShadow() && l.State == catalog.Ready && l.Epoch < epoch {
				all = append(all, revision.NamedLayer{Column: c.ID, Capability: catalog.Shadow(l.Capability), Grain: l.Grain})
			}
		}
	}
	return all
}

// hasShadows reports whether layers of a table have shadows: a rotation of layers has begun.
func hasShadows(t *catalog.Table) bool {
	return slices.ContainsFunc(t.Columns, func(c catalog.Column) bool {
		return slices.ContainsFunc(c.Layers, func(l catalog.Layer) bool { return l.IsShadow() })
	})
}

// strays are the shadows of a table that are of no use: of another epoch, of a layer that is
// not there any more or keeps its key.
func strays(t *catalog.Table, stay map[catalog.ID]Hindrance, epoch uint16) (all []revision.NamedLayer) {
	for i := range t.Columns {
		c := &t.Columns[i]
		for _, l := range c.Layers {
			base := c.Layer(catalog.Base(l.Capability))
			if l.IsShadow() && (base == nil || l.Epoch != epoch || base.Epoch >= l.Epoch || stay[c.Domain] != None) {
				all = append(all, revision.NamedLayer{Column: c.ID, Capability: l.Capability})
			}
		}
	}
	return all
}

// rounds is how often layers are looked at again that a client has changed, or added, meanwhile.
const rounds = 5

// renewLayers gives all layers that can have one a key of an epoch, but those of tables that have failed, to
// which it adds.
func (r *Rotation) renewLayers(ctx context.Context, epoch uint16, failed map[catalog.ID]error) error {
	for range rounds {
		stay := stayings(r.Ledger.Catalog())
		var todo []*catalog.Table
		for t := range r.Ledger.Catalog().Tables() {
			if failed[t.ID] == nil && (len(oldLayers(t, stay, epoch)) > 0 || len(strays(t, stay, epoch)) > 0) {
				todo = append(todo, t)
			}
		}
		if len(todo) == 0 {
			return nil
		}
		slices.SortFunc(todo, byName)
		if err := r.swapAllShadows(ctx, todo, stay, epoch, failed); err != nil {
			return err
		}
	}
	return nil // the report says what is left
}

// swapAllShadows has the shadows of tables swapped, all of one step before the next. A table that has failed takes
// no further step.
func (r *Rotation) swapAllShadows(ctx context.Context, todo []*catalog.Table, stay map[catalog.ID]Hindrance, epoch uint16, failed map[catalog.ID]error) error {
	steps := []func(context.Context, *catalog.Table) error{
		func(ctx context.Context, t *catalog.Table) error { return r.dropStrays(ctx, t, stay, epoch) },
		func(ctx context.Context, t *catalog.Table) error { return r.backfillShadows(ctx, t, stay, epoch) },
		func(ctx context.Context, t *catalog.Table) error { return r.Definer.Layers.KeysAhead(ctx, t.ID) },
		func(ctx context.Context, t *catalog.Table) error { return r.Definer.Layers.SwapShadows(ctx, t.ID) },
	}
	for i, step := range steps {
		for done, t := range todo {
			if failed[t.ID] != nil {
				continue
			}
			r.tell(Progress{Table: t.Schema + "." + t.Name, Layers: true, Done: i*len(todo) + done, Tables: len(steps) * len(todo)})
			switch err := step(ctx, t); {
			case err == nil, errors.Is(err, upkeep.ErrTableGone), errors.Is(err, revision.ErrLayerGone): // a client's change wins: it is looked at again
			case isOfTable(ctx, err):
				failed[t.ID] = err
			default:
				return err
			}
		}
		// Transactions that begin when each tunic knows of the shadows need not do without.
		if err := r.Ledger.AwaitMembers(ctx); err != nil {
			return err
		}
		crash.Point("rotation.layers")
	}
	return nil
}

// dropStrays takes away what an earlier rotation has left that is of no use any more.
func (r *Rotation) dropStrays(ctx context.Context, t *catalog.Table, stay map[catalog.ID]Hindrance, epoch uint16) error {
	gone := strays(t, stay, epoch)
	if len(gone) == 0 {
		return nil
	}
	ready := slices.DeleteFunc(gone, func(w revision.NamedLayer) bool { // what is being backfilled goes as it is
		return !slices.ContainsFunc(t.Columns, func(c catalog.Column) bool {
			l := c.Layer(w.Capability)
			return c.ID == w.Column && l != nil && l.State == catalog.Ready
		})
	})
	if err := r.Definer.Layers.Retire(ctx, layering.ShadowJob, t.ID, ready); err != nil {
		return err
	}
	return r.Definer.Layers.Drop(ctx, layering.ShadowJob, t.ID)
}

// backfillShadows gives a table shadows of its layers, and its rows their tokens.
func (r *Rotation) backfillShadows(ctx context.Context, t *catalog.Table, stay map[catalog.ID]Hindrance, epoch uint16) error {
	now := r.Ledger.Catalog().ByID(t.ID)
	if now == nil {
		return upkeep.ErrTableGone
	}
	requests := oldLayers(now, stay, epoch)
	if len(requests) == 0 {
		return nil
	}
	if err := r.Definer.Layers.Add(ctx, layering.ShadowJob, t.ID, requests); err != nil {
		return err
	}
	told := &backfilling{r: r, began: time.Now(), p: Progress{Table: t.Schema + "." + t.Name, Layers: true, Tables: 1}}
	if err := r.Definer.Layers.Backfill(ctx, layering.ShadowJob, t.ID, requests, layering.Options{Progress: told, Gate: told.gate}); err != nil {
		return err
	}
	return r.Definer.Layers.Ready(ctx, layering.ShadowJob, t.ID, requests)
}

// backfilling tells how far rows are backfilled, and keeps to a rate. It keeps no place: rows that have
// their tokens are gone through again.
type backfilling struct {
	r      *Rotation
	p      Progress
	began  time.Time
	passed int64 // rows that were gone through, to be backfilled or to be looked at
}

func (*backfilling) Load(context.Context) ([]byte, error) { return nil, nil }

func (f *backfilling) Save(_ context.Context, _ layers.Link, at layers.Mark) error {
	more := at.Done - f.p.Rows
	if more < 0 { // begun anew
		more = at.Done
	}
	f.passed += more
	f.p.Rows, f.p.Old = at.Done, at.Expected
	f.r.tell(f.p)
	return nil
}

// gate is before each chunk, outside of a transaction.
func (f *backfilling) gate(ctx context.Context) error {
	if f.r.RateMax <= 0 {
		return ctx.Err()
	}
	due := f.began.Add(time.Duration(float64(f.passed) / float64(f.r.RateMax) * float64(time.Second)))
	return pause(ctx, time.Until(due))
}

// layersOf tells of a table's layers: how many can get a key of an epoch, and why others cannot.
func (t *Table) layersOf(of *catalog.Table, stay map[catalog.ID]Hindrance, epoch uint16) {
	t.OldLayers = len(oldLayers(of, stay, epoch))
	kept := map[Hindrance]bool{}
	for i := range of.Columns {
		c := &of.Columns[i]
		for _, capability := range policy.Each() {
			if l := c.Layer(capability); l != nil && l.Epoch < epoch && stay[c.Domain] != None {
				kept[stay[c.Domain]] = true
			}
		}
	}
	t.LayersKeep = slices.Sorted(maps.Keys(kept))
}
