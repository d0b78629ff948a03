package revision

import (
	"errors"
	"fmt"
	"slices"

	"tunic/internal/catalog"
	"tunic/internal/ddl/form"
	"tunic/internal/ddl/showcreate"
	"tunic/internal/identifier"
	"tunic/internal/layers"
	"tunic/internal/policy"
	"tunic/internal/value"
)

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

// NamedLayer names a layer of a table.
type NamedLayer struct {
	// Column is the column's ID, whatever its name becomes.
	Column     catalog.ID
	Capability policy.Capabilities // one of them
	Grain      policy.Grain        // of an order layer that is added; that of the ceiling if it is none
}

// grain is that of the layer on a column.
func (l *NamedLayer) grain(c *catalog.Column) policy.Grain {
	if l.Grain == (policy.Grain{}) && catalog.Base(l.Capability) == policy.Order {
		return c.Protection.Grain
	}
	return l.Grain
}

// CanAdd reports whether a table, as it is, can get layers: nil, ErrCeiling, ErrLayerGone
// where a column is not there or not protected, layers.ErrNoKey, or the refusal of a column
// whose type has no such layer.
func CanAdd(t *catalog.Table, requests []NamedLayer) error {
	next := CopyOf(t)
	for _, request := range requests {
		if _, err := next.Add(request, newJob); err != nil {
			return err
		}
	}
	if !layers.CanBackfill(t) {
		return layers.ErrNoKey
	}
	return nil
}

// newJob stands for a job that has no ID yet.
const newJob = 1

// Copy is a table that is being changed.
type Copy struct{ *catalog.Table }

// CopyOf is a copy whose columns, families and layers can be changed.
func CopyOf(t *catalog.Table) Copy {
	next := *t
	next.Columns = append([]catalog.Column(nil), t.Columns...)
	for i := range next.Columns {
		next.Columns[i].Layers = append([]catalog.Layer(nil), next.Columns[i].Layers...)
	}
	next.Families = slices.Clone(t.Families)
	return Copy{&next}
}

// ByID finds a column by its ID; nil if it is gone.
func (t Copy) ByID(id catalog.ID) *catalog.Column {
	for i := range t.Columns {
		if t.Columns[i].ID == id && !t.Columns[i].Backfilling {
			return &t.Columns[i]
		}
	}
	return nil
}

// Add gives a table a layer for a job. It is false if the job has given it, or it is
// ready.
func (t Copy) Add(request NamedLayer, job uint64) (added bool, err error) {
	c := t.ByID(request.Column)
	if c == nil || !c.Protected() {
		return false, ErrLayerGone
	}
	grain := request.grain(c)
	if asked := (policy.Protection{Protected: true, Allowed: catalog.Base(request.Capability), Grain: grain}); !asked.Within(c.Protection) {
		return false, ErrCeiling
	}
	if l := c.Layer(request.Capability); l != nil {
		if l.State != catalog.Ready && l.Job != job {
			return false, ErrLayerGone
		}
		return false, nil
	}
	l, err := form.NewLayer(c, request.Capability, grain)
	if err != nil {
		return false, err
	}
	l.State, l.Job = catalog.Backfilling, job
	c.Layers = append(c.Layers, l)
	return true, nil
}

// LayerGone says why a layer is not a job's any more.
func LayerGone(c *catalog.Column, l *catalog.Layer) error {
	if c != nil && l == nil {
		return fmt.Errorf("%w: it is not there", ErrLayerGone)
	}
	return ErrLayerGone
}

// KeyStands says that a key is over a column's layer.
func KeyStands(t *catalog.Table, c *catalog.Column, capability policy.Capabilities) bool {
	for i := range t.Keys {
		for _, p := range t.Keys[i].Parts {
			if catalog.Folded(p.Column) == catalog.Folded(c.Name) && p.Layer == capability {
				return true
			}
		}
	}
	return false
}

// HoldsLayers makes sure that a table has the layers of a job still. One that is ready needs
// nothing.
func HoldsLayers(t *catalog.Table, job uint64, requests []NamedLayer) error {
	for _, request := range requests {
		c := CopyOf(t).ByID(request.Column)
		if c == nil {
			return ErrLayerGone
		}
		if l := c.Layer(request.Capability); l == nil || l.State != catalog.Ready && l.Job != job {
			return ErrLayerGone
		}
	}
	return nil
}

// WithoutLayers is a copy of a table without some of its layers, and those.
func WithoutLayers(t *catalog.Table, goes func(*catalog.Layer) bool) (next *catalog.Table, dropped []catalog.Layer) {
	c := CopyOf(t)
	for i := range c.Columns {
		c.Columns[i].Layers = slices.DeleteFunc(c.Columns[i].Layers, func(l catalog.Layer) bool {
			if !goes(&l) {
				return false
			}
			l.Nullable = l.Nullable || l.State == catalog.Backfilling || !c.Columns[i].Type.NotNull
			dropped = append(dropped, l)
			return true
		})
	}
	return c.Table, dropped
}

// Dropping is the statement after which nobody writes layers any more. Their columns stay
// for now, and give rows a default where they take no NULL: servers drop a column at once only
// in a statement of its own.
func Dropping(from, next *catalog.Table, dropped []catalog.Layer) string {
	var clauses []string
	for _, l := range dropped {
		if !l.Nullable {
			clauses = append(clauses, "ALTER COLUMN "+identifier.Quoted(l.Stored)+" SET DEFAULT ''")
		}
	}
	return Alter(from, next, clauses)
}

// DropLeftover drops a stored column that belongs to nothing in this revision of its table. In the
// next one it may belong to something, and who drops it may not have heard of that: a fence that
// is made what it is changes nothing, and has the server refuse the whole where it is
// another one. MySQL copies some tables for a new name of a column, even the same (turn.Turns.Beside), and
// MariaDB has no word for a column that nobody is to see but in a definition.
func DropLeftover(t *catalog.Table, name string, flavor value.Flavor) string {
	drop := "ALTER TABLE " + t.QuotedName() + " DROP COLUMN " + identifier.Quoted(name)
	switch fence := identifier.Quoted(t.Fence()); {
	case t.Fence() == "":
	case flavor == value.MariaDB:
		drop += ", RENAME COLUMN " + fence + " TO " + fence
	default:
		drop += ", ALTER COLUMN " + fence + " SET INVISIBLE"
	}
	return drop
}

// ResealedName is the name of a stored column for as long as another one has its own. It
// is none that a logical column may have.
func ResealedName(stored string) string { return catalog.StoredName(stored+"$new", policy.Equality) }

// ResealedColumns are the stored columns of the new forms.
func ResealedColumns(next *catalog.Table, columns []layers.Replacement) (all []showcreate.Column) {
	blobs := form.BlobsFor(next)
	for i := range columns {
		r := &columns[i]
		all = append(all, form.Column(r.Sealed, form.SealedType(&r.New.Type, blobs[r.New.Stored()]), false))
		for j := range r.New.Layers {
			layer := &r.New.Layers[j]
			all = append(all, form.Column(r.Tokens[layer.Capability], form.TokenType(layer, &r.New.Type), false))
		}
	}
	return all
}
