package jobs

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"tunic/internal/catalog"
	"tunic/internal/ddl/layering"
	"tunic/internal/ddl/revision"
	"tunic/internal/ddl/upkeep"
	"tunic/internal/layers"
	"tunic/internal/policy"
)

// The kinds that give a column a layer and take it away.
const (
	AddLayer  = "add_layer"
	DropLayer = "drop_layer"
)

// LayerKinds are both, as package layering does their stages:
//
//	add_layer     add ──► fill ──► ready        undone by: forsake
//	drop_layer    retire ──► drop               undone by: keep
func LayerKinds(l *layering.Layers) []Kind {
	k := layerKinds{l}
	return []Kind{
		{
			Name: AddLayer, Cause: layerCause,
			Stages: []Stage{{Name: "add", Run: k.ifSound(k.add)}, {Name: "fill", Run: k.ifSound(k.backfill)}, {Name: "ready", Run: k.ready}},
			Undo:   []Stage{{Name: "forsake", Run: k.ifSound(k.forsake)}},
		},
		{
			Name: DropLayer, Cause: layerCause,
			Stages: []Stage{{Name: "retire", Run: k.retire}, {Name: "drop", Run: k.ifSound(k.drop)}},
			Undo:   []Stage{{Name: "keep", Run: k.keep}},
		},
	}
}

type layerKinds struct{ *layering.Layers }

// layerDetails are the Details of a job that adds a layer of another grain than the ceiling's.
type layerDetails struct {
	Grain string `json:"grain"`
}

// detailsOf are those of a layer that is to have a grain; nil without one.
func detailsOf(g policy.Grain) (json.RawMessage, error) {
	if g == (policy.Grain{}) {
		return nil, nil
	}
	return json.Marshal(layerDetails{g.String()})
}

// grainOf is the grain that a job has for its layer, by its Details.
func grainOf(j *catalog.Job) (policy.Grain, error) {
	if len(j.Details) == 0 {
		return policy.Grain{}, nil
	}
	var d layerDetails
	if err := json.Unmarshal(j.Details, &d); err != nil {
		return policy.Grain{}, err
	}
	return policy.ParseGrain(d.Grain)
}

// requests are what a job is about, as package ddl has it.
func requests(j *catalog.Job) []revision.NamedLayer {
	return []revision.NamedLayer{{Column: j.Column, Capability: j.Layer}}
}

// ifSound is a stage that writes rows or changes the table. Where the storage engine has stopped the job before, the
// server has to look through the table first.
func (k layerKinds) ifSound(do func(context.Context, *Work) error) func(context.Context, *Work) error {
	return func(ctx context.Context, w *Work) error {
		p, err := w.Ledger().Progress(ctx, w.Job.ID)
		if err != nil {
			return err
		}
		if t := w.Ledger().Catalog().ByID(w.Job.Table); t != nil && ofEngine(p.Error) {
			if err := k.Tables.Sound(ctx, t); err != nil {
				return err
			}
			if err := w.Ledger().NoteError(ctx, w.Job.ID, 0); err != nil {
				return err
			}
		}
		return do(ctx, w)
	}
}

func (k layerKinds) add(ctx context.Context, w *Work) error {
	adds := requests(w.Job)
	var err error
	if adds[0].Grain, err = grainOf(w.Job); err != nil {
		return err
	}
	return k.Add(ctx, w.Job.ID, w.Job.Table, adds)
}

func (k layerKinds) backfill(ctx context.Context, w *Work) error {
	conn, back := w.Conn()
	defer back()
	return k.Backfill(ctx, w.Job.ID, w.Job.Table, requests(w.Job), layering.Options{Conn: conn, Progress: &backfilling{work: w}})
}

func (k layerKinds) ready(ctx context.Context, w *Work) error {
	return k.Ready(ctx, w.Job.ID, w.Job.Table, requests(w.Job))
}

// forsake takes away what has been added. A layer that is ready is not the job's any more:
// plans use it.
func (k layerKinds) forsake(ctx context.Context, w *Work) error {
	if l := layerOf(w); l != nil && l.State == catalog.Ready {
		return ErrTooLate
	}
	return k.Drop(ctx, w.Job.ID, w.Job.Table)
}

func (k layerKinds) retire(ctx context.Context, w *Work) error {
	return k.Retire(ctx, w.Job.ID, w.Job.Table, requests(w.Job))
}

func (k layerKinds) drop(ctx context.Context, w *Work) error {
	return k.Drop(ctx, w.Job.ID, w.Job.Table)
}

// keep has a layer used again that was about to go, unless it has gone.
func (k layerKinds) keep(ctx context.Context, w *Work) error {
	if layerOf(w) == nil {
		return ErrTooLate
	}
	err := k.Keep(ctx, w.Job.ID, w.Job.Table, requests(w.Job))
	if errors.Is(err, upkeep.ErrTableGone) {
		return ErrTooLate
	}
	return err
}

// layerOf is the layer that a job is about, as the catalog has it; nil if it is not there.
func layerOf(w *Work) *catalog.Layer {
	t := w.Ledger().Catalog().ByID(w.Job.Table)
	if t == nil {
		return nil
	}
	for i := range t.Columns {
		if t.Columns[i].ID == w.Job.Column {
			return t.Columns[i].Layer(w.Job.Layer)
		}
	}
	return nil
}

// backfilling keeps the place of a job's backfilling in the ledger.
type backfilling struct {
	work *Work
	done int64 // at the last mark
}

// Load implements layers.Progress.
func (f *backfilling) Load(ctx context.Context) ([]byte, error) {
	place, done, err := f.work.Place(ctx)
	f.done = int64(done)
	return place, err
}

// Save implements layers.Progress.
func (f *backfilling) Save(ctx context.Context, link layers.Link, at layers.Mark) error {
	_, err := link.ExecContext(ctx, f.work.Statement(at.Place, uint64(max(at.Done, 0)), uint64(max(at.Expected, 0))))
	if err == nil && at.Done > f.done {
		f.work.Passed(int(at.Done - f.done))
		f.done = at.Done
	}
	return err
}

// layerCause names the failures of package ddl and layers.
func layerCause(err error) Cause {
	if unsound, ok := errors.AsType[*upkeep.UnsoundError](err); ok && unsound.Damaged {
		return Damaged
	}
	for _, c := range [...]struct {
		is    error
		cause Cause
	}{
		{upkeep.ErrTableGone, TableDropped},
		{revision.ErrLayerGone, ColumnChanged},
		{revision.ErrCeiling, Ceiling},
		{revision.ErrKeyStands, KeyStands},
		{layers.ErrNoKey, NoKey},
		{layers.ErrForeign, Foreign},
		{layers.ErrForeignWrite, ForeignWrite},
	} {
		if errors.Is(err, c.is) {
			return c.cause
		}
	}
	return ""
}

// Errors of asking for a layer; others are those of ddl.CanAdd.
var (
	// ErrThere says that the column has the layer.
	ErrThere = errors.New("the column has the layer")
	// ErrAbsent says that it has not.
	ErrAbsent = errors.New("the column has no such layer")
	// ErrOutdated says that the table is not what it was when it was looked up.
	ErrOutdated = errors.New("the table has changed")
)

// BusyError says that a live job is about the layer already.
type BusyError struct{ Job uint64 }

func (e *BusyError) Error() string { return fmt.Sprintf("job %d is at the layer", e.Job) }

// AskAdd asks for a layer of a column of a table, at its number in the table. One that sorts
// has the grain, or that of the column's ceiling if there is none.
func (r *Runner) AskAdd(ctx context.Context, t *catalog.Table, column int, layer policy.Capabilities, grain policy.Grain, reason string) (*catalog.Job, error) {
	details, err := detailsOf(grain)
	if err != nil {
		return nil, err
	}
	j := catalog.Job{Kind: AddLayer, Layer: layer, Details: details, Reason: reason}
	return r.askLayer(ctx, j, t, column, func(now *catalog.Table, c *catalog.Column) error {
		if l := c.Layer(layer); l != nil && l.State == catalog.Ready {
			return ErrThere
		}
		return revision.CanAdd(now, []revision.NamedLayer{{Column: c.ID, Capability: layer, Grain: grain}})
	})
}

// AskDrop asks for a layer to be taken away.
func (r *Runner) AskDrop(ctx context.Context, t *catalog.Table, column int, layer policy.Capabilities, reason string) (*catalog.Job, error) {
	return r.askLayer(ctx, catalog.Job{Kind: DropLayer, Layer: layer, Reason: reason}, t, column, func(now *catalog.Table, c *catalog.Column) error {
		if c.Layer(layer) == nil {
			return ErrAbsent
		}
		for i := range now.Keys {
			for _, p := range now.Keys[i].Parts {
				if at := now.Column(p.Column); at >= 0 && now.Columns[at].ID == c.ID && p.Layer == layer {
					return revision.ErrKeyStands
				}
			}
		}
		return nil
	})
}

// askLayer asks for a job about a layer of a column, if allow has nothing against it as the
// table is then.
func (r *Runner) askLayer(ctx context.Context, j catalog.Job, t *catalog.Table, column int, allow func(*catalog.Table, *catalog.Column) error) (*catalog.Job, error) {
	c := &t.Columns[column]
	j.Table, j.Schema, j.Name, j.Column, j.ColumnName = t.ID, t.Schema, t.Name, c.ID, c.Name
	return r.Ask(ctx, j, func(known *catalog.Catalog) error {
		for _, live := range known.JobsOf(t.ID) {
			if live.Column == c.ID && live.Layer == j.Layer {
				return &BusyError{live.ID}
			}
		}
		now := known.ByID(t.ID)
		if now == nil {
			return ErrOutdated
		}
		for i := range now.Columns {
			if now.Columns[i].ID == c.ID {
				return allow(now, &now.Columns[i])
			}
		}
		return ErrOutdated
	})
}
