package rotation

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"tunic/internal/catalog"
	"tunic/internal/crypt"
	"tunic/internal/keys"
	"tunic/internal/layers"
	"tunic/internal/ledger"
)

// Keys are the master keys of a database, and what keeps those that are not the newest.
type Keys struct {
	// Masters are those that there are, the newest first.
	Masters []uint16
	// Spare are those of them that nothing needs: they would be destroyed, or are.
	Spare []uint16
	// Needs is what needs others than the newest.
	Needs []Need
}

// Need is something that is under an older master key.
type Need struct {
	Master       uint16
	Schema, Name string // of the table; "" of what is the ledger's own
	By           Needer
	Rows         int64 // of NeedRows
}

// Needer is what needs a master key.
type Needer string

// What needs a master key.
const (
	NeedRows    Needer = "rows"    // that have an older form
	NeedColumns Needer = "columns" // new values are sealed under it
	NeedLayers  Needer = "layers"  // tokens are made under it
	NeedLedger  Needer = "ledger"  // the catalog, or a job that is under way
)

// Whole reports whether the newest master key is the only one that is needed.
func (k *Keys) Whole() bool { return len(k.Masters) == 1+len(k.Spare) }

// keysOf looks at all that can need a master key.
func keysOf(ctx context.Context, o ledger.Options, tree *keys.Tree, known *catalog.Catalog, own uint16) (*Keys, error) {
	k := &Keys{Masters: tree.Versions()}
	all, err := choose(known, nil)
	if err != nil {
		return nil, err
	}
	if err := k.need(tree, own, Need{By: NeedLedger}); err != nil {
		return nil, err
	}
	for _, t := range all {
		is := Need{Schema: t.Schema, Name: t.Name}
		r := layers.Renewal{DB: o.DB, Ring: crypt.NewRing(tree), Table: t}
		rows, epoch, err := r.Oldest(ctx)
		if err != nil {
			return nil, ofTable(ctx, t, err)
		}
		if is.By, is.Rows = NeedRows, rows; rows > 0 {
			err = k.need(tree, epoch, is)
		}
		is.By, is.Rows = NeedColumns, 0
		err = errors.Join(err, k.need(tree, sealedEpoch(t), is))
		is.By = NeedLayers
		err = errors.Join(err, k.need(tree, layerEpoch(t, tree.Newest()), is))
		if err != nil {
			return nil, err
		}
	}
	oldest := tree.Newest()
	for _, n := range k.Needs {
		oldest = min(oldest, n.Master)
	}
	for _, version := range k.Masters {
		if version < oldest {
			k.Spare = append(k.Spare, version)
		}
	}
	return k, nil
}

// layerEpoch is the lowest epoch of a table's layers, shadows included, if it is below another.
func layerEpoch(t *catalog.Table, lowest uint16) uint16 {
	for i := range t.Columns {
		for _, l := range t.Columns[i].Layers {
			if !l.Bare() {
				lowest = min(lowest, l.Epoch)
			}
		}
	}
	return lowest
}

// need notes what is under an older master key than the newest.
func (k *Keys) need(tree *keys.Tree, epoch uint16, by Need) (err error) {
	if by.Master, err = tree.MasterVersion(epoch); err == nil && by.Master < tree.Newest() {
		k.Needs = append(k.Needs, by)
	}
	return err
}

// LookKeys is a dry run of Destroy.
func LookKeys(ctx context.Context, o ledger.Options) (k *Keys, err error) {
	for tries := 0; ; tries++ {
		now, err := ledger.Inspect(ctx, o)
		if err != nil {
			return nil, err
		}
		k, err = keysOf(ctx, o, now.Tree, now.Catalog, now.Oldest)
		if !errors.Is(err, layers.ErrMoved) || tries == movedMax {
			return k, err
		}
		if err := pause(ctx, 50*time.Millisecond); err != nil { // a table was changed meanwhile
			return nil, err
		}
	}
}

// movedMax is how often a table may be changed while its rows are counted.
const movedMax = 20

// Destroy has the ledger forget the master keys that nothing needs: those that are older than
// all that is needed. It makes none, and seals nothing anew. Rows of an older epoch than their
// column only become less, so that those that were counted as none stay none; what else needs a
// key is looked at again where the keys are taken away. Errors are those of Run.
func (r *Rotation) Destroy(ctx context.Context, o ledger.Options) (k *Keys, err error) {
	err = r.alone(ctx, func(ctx context.Context) error {
		if k, err = LookKeys(ctx, o); err != nil || len(k.Spare) == 0 {
			return err
		}
		last := k.Masters[len(k.Masters)-len(k.Spare)-1]
		gone, err := r.Ledger.DropMasters(ctx, last)
		if errors.Is(err, ledger.ErrNeeded) { // since it was looked
			err = nil
		}
		k.Spare = slices.DeleteFunc(k.Spare, func(version uint16) bool { return !slices.Contains(gone, version) })
		return err
	})
	return k, err
}

// ErrUnderway says that another rotation of the database is under way.
var ErrUnderway = errors.New("another rotation is under way")

// alone does something while no other rotation of the database does. Each step of one is right
// beside another; but two would each make a new master key.
func (r *Rotation) alone(ctx context.Context, do func(context.Context) error) error {
	claim, err := r.Ledger.ClaimRotation(ctx)
	switch {
	case err != nil:
		return err
	case claim == nil:
		return ErrUnderway
	}
	defer claim.Release()
	ctx, end := claim.Context(ctx, fmt.Errorf("%w, or the connection that kept others away is lost", ErrUnderway))
	defer end()
	if err := do(ctx); err != nil {
		if cause := context.Cause(ctx); errors.Is(cause, ErrUnderway) {
			return cause
		}
		return err
	}
	return nil
}
