package ddl

import (
	"context"
	"errors"
	"fmt"
	"time"

	"tunic/internal/catalog"
	"tunic/internal/crash"
	"tunic/internal/ddl/form"
	"tunic/internal/layers"
	"tunic/internal/ledger"
	"tunic/internal/policy"
)

// Layers of a table that clients use go up and down by a job, without a client that waits
// for it: by the service account alone, in steps of which each is done or not, whoever is
// killed when.
//
//	          AddLayers          FillLayers, ReadyLayers         RetireLayers            DropLayers
//	absent ──────────────► filling ──────────────────► ready ──────────────► retiring ──────────────► absent
//	          one ALTER          the catalog                  the catalog             one ALTER, or two
//
// Each step looks at what is there, so that who takes over a job calls it again. What has
// been done is not done twice, and what cannot be done any more, because a client has
// dropped the table or changed the column, is one of the errors below. A layer that is on
// its way belongs to a job (catalog.Layer.Job): other changes of the table go by and leave
// it as it is, or take it away with its column.

// ErrTableGone says that the table has been dropped, or has no protected column any more.
var ErrTableGone = errors.New("the table is not there any more")

// Errors of the steps, for who runs the job.
var (
	// ErrLayerGone says that a column has been dropped or changed so that a layer went
	// with it, or that the layer is another job's.
	ErrLayerGone = errors.New("the column is not what it was, or the layer is another's")
	// ErrCeiling says that the column's ceiling does not allow the layer, or no more.
	ErrCeiling = errors.New("the column's ceiling does not allow the layer")
	// ErrKeyStands says that a key is over a layer that is to be taken away.
	ErrKeyStands = errors.New("a key is over the layer")
)

// LayerWish names a layer of a table.
type LayerWish struct {
	// Column is the column's ID, whatever its name becomes.
	Column     catalog.ID
	Capability policy.Capabilities // one of them
	Grain      policy.Grain        // of an order layer that is added; that of the ceiling if it is none
}

// grain is that of the layer on a column.
func (w *LayerWish) grain(c *catalog.Column) policy.Grain {
	if w.Grain == (policy.Grain{}) && catalog.Base(w.Capability) == policy.Order {
		return c.Protection.Grain
	}
	return w.Grain
}

// CanAdd reports whether a table, as it is, can get layers: nil, ErrCeiling, ErrLayerGone
// where a column is not there or not protected, layers.ErrNoKey, or the refusal of a column
// whose type has no such layer.
func CanAdd(t *catalog.Table, wishes []LayerWish) error {
	next := copyOf(t)
	for _, wish := range wishes {
		if _, err := next.wish(wish, newJob); err != nil {
			return err
		}
	}
	if !layers.CanFill(t) {
		return layers.ErrNoKey
	}
	return nil
}

// newJob stands for a job that has no ID yet.
const newJob = 1

// copied is a table that is being changed.
type copied struct{ *catalog.Table }

// copyOf is a copy whose columns and layers can be changed.
func copyOf(t *catalog.Table) copied {
	next := *t
	next.Columns = append([]catalog.Column(nil), t.Columns...)
	for i := range next.Columns {
		next.Columns[i].Layers = append([]catalog.Layer(nil), next.Columns[i].Layers...)
	}
	return copied{&next}
}

// column finds a column by its ID; nil if it is gone.
func (t copied) column(id catalog.ID) *catalog.Column {
	for i := range t.Columns {
		if t.Columns[i].ID == id && !t.Columns[i].Filling {
			return &t.Columns[i]
		}
	}
	return nil
}

// wish gives a table a layer for a job. It is false if the job has given it, or it is
// ready.
func (t copied) wish(wish LayerWish, job uint64) (added bool, err error) {
	c := t.column(wish.Column)
	if c == nil || !c.Protected() {
		return false, ErrLayerGone
	}
	grain := wish.grain(c)
	if asked := (policy.Protection{Protected: true, Allowed: catalog.Base(wish.Capability), Grain: grain}); !asked.Within(c.Protection) {
		return false, ErrCeiling
	}
	if l := c.Layer(wish.Capability); l != nil {
		if l.State != catalog.Ready && l.Job != job {
			return false, ErrLayerGone
		}
		return false, nil
	}
	l, err := form.NewLayer(c, wish.Capability, grain)
	if err != nil {
		return false, err
	}
	l.State, l.Job = catalog.Filling, job
	c.Layers = append(c.Layers, l)
	return true, nil
}

// AddLayers has every write of a table write layers from now on, which nobody reads yet.
// It waits until it has the table for a moment, for as long as ctx lasts. Errors are those
// of CanAdd, ErrTableGone, and the server's as *sqlerr.Error.
func (d *Definer) AddLayers(ctx context.Context, job uint64, table catalog.ID, wishes []LayerWish) error {
	mine := map[string]bool{} // columns that were added in an earlier try
	return d.step(ctx, table, func(ctx context.Context, t *catalog.Table, wait time.Duration) error {
		next, more := copyOf(t), false
		for _, wish := range wishes {
			added, err := next.wish(wish, job)
			if err != nil {
				return err
			}
			if added {
				d.date(next.column(wish.Column), wish.Capability)
			}
			more = more || added
		}
		if !more {
			return nil
		}
		if !layers.CanFill(t) {
			return layers.ErrNoKey
		}
		if t.Copying() || t.Baring() {
			return errElsewhere
		}
		if t.FillsForStatement() {
			return d.forsakeBriefly(ctx, t, wait) // and again
		}
		return d.lulled(ctx, t, wait, func(ctx context.Context) error {
			if err := d.addColumns(ctx, t, next.Table, mine, wait); err != nil {
				return err
			}
			next.Revision++
			return d.changeBriefly(ctx, t, next.Table, alterText(t, next.Table, nil), wait)
		})
	})
}

// ReadyLayers lets plans use layers that FillLayers has filled and looked at. It fails with
// ErrLayerGone if one of them is not there any more.
//
// A transaction that sees rows as they were before does without (catalog.SeenSince), so that
// nobody has to wait for it.
func (d *Definer) ReadyLayers(ctx context.Context, job uint64, table catalog.ID, wishes []LayerWish) error {
	return d.amend(ctx, table, wishes, func(c *catalog.Column, l *catalog.Layer) (bool, error) {
		switch {
		case l == nil || l.State != catalog.Ready && l.Job != job || l.State == catalog.Retiring:
			return false, gone(c, l)
		case l.State == catalog.Ready:
			return false, nil
		}
		l.State, l.Job, l.Nullable = catalog.Ready, 0, c.Type.NotNull
		return true, nil
	})
}

// RetireLayers has nobody use layers any more, and returns when each tunic knows. It fails
// with ErrKeyStands, and with ErrLayerGone where a layer is another job's. One that is not
// there needs nothing.
func (d *Definer) RetireLayers(ctx context.Context, job uint64, table catalog.ID, wishes []LayerWish) error {
	err := d.amend(ctx, table, wishes, func(_ *catalog.Column, l *catalog.Layer) (bool, error) {
		switch {
		case l == nil || l.State == catalog.Retiring && l.Job == job:
			return false, nil
		case l.State != catalog.Ready:
			return false, ErrLayerGone
		}
		l.State, l.Job = catalog.Retiring, job
		return true, nil
	})
	if err != nil {
		return err
	}
	return patiently(ctx, func(ctx context.Context, _ time.Duration) error { return d.o.Ledger.AwaitMembers(ctx) })
}

// gone says why a layer is not a job's any more.
func gone(c *catalog.Column, l *catalog.Layer) error {
	if c != nil && l == nil {
		return fmt.Errorf("%w: it is not there", ErrLayerGone)
	}
	return ErrLayerGone
}

// DropLayers takes the layers of a job away: those that retire, and those that are being
// filled, if the job is given up. One that a client has begun to need meanwhile stays.
func (d *Definer) DropLayers(ctx context.Context, job uint64, table catalog.ID) error {
	err := d.step(ctx, table, func(ctx context.Context, t *catalog.Table, wait time.Duration) error {
		next, dropped := withoutLayers(t, func(l *catalog.Layer) bool { return l.Job == job && job != 0 })
		if len(dropped) == 0 {
			return d.dropSparesOf(ctx, t, wait)
		}
		return d.lulled(ctx, t, wait, func(ctx context.Context) error {
			next.Revision++
			if err := d.changeBriefly(ctx, t, next, droppingText(t, next, dropped), wait); err != nil {
				return err
			}
			if t = d.o.Ledger.Catalog().ByID(table); t == nil {
				return ErrTableGone
			}
			return d.dropSparesOf(ctx, t, wait)
		})
	})
	if errors.Is(err, ErrTableGone) {
		return nil // and its layers with it
	}
	return err
}

// KeepLayers gives up a job that takes layers away: those that retire are ready again.
func (d *Definer) KeepLayers(ctx context.Context, job uint64, table catalog.ID, wishes []LayerWish) error {
	return d.amend(ctx, table, wishes, func(_ *catalog.Column, l *catalog.Layer) (bool, error) {
		if l == nil || l.State != catalog.Retiring || l.Job != job {
			return false, nil
		}
		l.State, l.Job = catalog.Ready, 0
		return true, nil
	})
}

// amend changes what the catalog says of layers. say does so for one, which is nil if it
// is not there, as the column is then if that is gone too.
func (d *Definer) amend(ctx context.Context, table catalog.ID, wishes []LayerWish, say func(*catalog.Column, *catalog.Layer) (bool, error)) error {
	return d.step(ctx, table, func(ctx context.Context, t *catalog.Table, wait time.Duration) error {
		next, more := copyOf(t), false
		for _, wish := range wishes {
			var l *catalog.Layer
			c := next.column(wish.Column)
			if c != nil {
				l = c.Layer(wish.Capability)
			}
			changed, err := say(c, l)
			if err != nil {
				return err
			}
			if changed && l.State == catalog.Retiring && stands(t, c, l.Capability) {
				return ErrKeyStands
			}
			more = more || changed
		}
		if !more {
			return nil
		}
		next.Edition++
		if err := d.o.Ledger.Amend(ctx, wait, t, next.Table); err != nil {
			return err
		}
		crash.Point("ddl.online.amended")
		return nil
	})
}

// stands says that a key is over a column's layer.
func stands(t *catalog.Table, c *catalog.Column, capability policy.Capabilities) bool {
	for i := range t.Keys {
		for _, p := range t.Keys[i].Parts {
			if catalog.Folded(p.Column) == catalog.Folded(c.Name) && p.Layer == capability {
				return true
			}
		}
	}
	return false
}

// step does something with a table that nobody else changes meanwhile, and again later
// where that is so or transactions use the table.
func (d *Definer) step(ctx context.Context, table catalog.ID, do func(ctx context.Context, t *catalog.Table, wait time.Duration) error) error {
	return patiently(ctx, func(ctx context.Context, wait time.Duration) error {
		h := &hold{mu: &d.mu, has: d.mu.TryLock()}
		if !h.has {
			return errElsewhere
		}
		defer h.end()
		ctx = context.WithValue(ctx, holdKey{}, h)
		if err := d.o.Ledger.Usable(); err != nil {
			return err
		}
		if d.filling[table] != nil {
			return errElsewhere
		}
		unlock, err := d.o.Ledger.TryLock(ctx, []catalog.ID{table})
		switch {
		case err != nil:
			return (&service{}).serverError(err)
		case unlock == nil:
			return errElsewhere
		}
		defer unlock()
		t := d.o.Ledger.Catalog().ByID(table)
		if err := d.o.Ledger.Refresh(ctx, []*catalog.Table{t}); err != nil {
			return err
		}
		if t = d.o.Ledger.Catalog().ByID(table); t == nil {
			return ErrTableGone
		}
		return do(ctx, t, wait)
	})
}

// changeBriefly brings a table to its next revision by one statement of the service
// account's. What has been done is nobody's error.
func (d *Definer) changeBriefly(ctx context.Context, t, next *catalog.Table, statement string, wait time.Duration) error {
	return d.lulled(ctx, t, wait, func(ctx context.Context) error {
		done, err := d.o.Ledger.ChangeWithin(ctx, wait, []ledger.Step{{Old: t, New: next}}, func(ctx context.Context) error {
			crash.Point("ddl.online.altering")
			err := d.brief(ctx, statement, wait)
			crash.Point("ddl.online.altered")
			return err
		})
		if len(done) > 0 {
			crash.Point("ddl.online.settled")
			return nil
		}
		return err
	})
}

// forsakeBriefly takes away what a statement has left that was filling a table. What is to
// be done with the table is then to be tried again.
func (d *Definer) forsakeBriefly(ctx context.Context, t *catalog.Table, wait time.Duration) error {
	if err := d.forsakeOnce(ctx, t, wait); err != nil {
		return err
	}
	return errElsewhere
}
