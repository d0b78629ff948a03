package rotation

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"tunic/internal/catalog"
	"tunic/internal/crypt"
	"tunic/internal/keys"
	"tunic/internal/layers"
	"tunic/internal/ledger"
)

// ErrUnknown says that a table that was named is not protected.
var ErrUnknown = errors.New("no protected table has this name")

// Plan is what a rotation would do.
type Plan struct {
	// Masters are the versions of the master keys, the newest first.
	Masters []uint16
	// New says that a new master key would be made; else what was begun for the newest one
	// goes on.
	New    bool
	Tables []Table
}

// Table is a table as a rotation finds or leaves it.
type Table struct {
	Schema, Name string
	// Epoch is the one that new sealed forms are of, the lowest of all columns.
	Epoch uint16
	// Rows is an estimate of the server's, of a Plan.
	Rows int64
	// Sealed are the rows that were sealed anew.
	Sealed int64
	// Old are the rows that have a sealed form of another epoch than its column.
	Old int64
	// Layers is the lowest epoch of its layers; HasLayers says whether it has any.
	Layers    uint16
	HasLayers bool
	// OldLayers is how many layers are of an older epoch and can get another key, and LayersKeep
	// is why others cannot.
	OldLayers  int
	LayersKeep []Hindrance
	// Hindrance is why its rows cannot be brought to a new epoch; None if they can.
	Hindrance Hindrance
	// Failed is why something has failed for the table: an error of package layers or of the server. The others were gone on with.
	Failed error
	// Gone says that the table was dropped meanwhile.
	Gone bool
}

// Hindrance is why something cannot be done with a table.
type Hindrance string

// The hindrances.
const (
	None    Hindrance = ""
	NoFence Hindrance = "its engine has no place for a fence, so that nobody could be kept from writing under the old epoch"
	Copied  Hindrance = "its columns are being protected, made plain, or brought into other families: begin again when that is done"
	Foreign Hindrance = "a stored value does not open, of which tunic verify tells: the rows from there on keep their epoch"
	NoKey   Hindrance = "no primary or unique key tells its rows apart: what is written from now on is of the new epoch, and the rows that are there keep theirs until they are written"
)

// hindranceOf looks at a table before anything is done.
func hindranceOf(t *catalog.Table) Hindrance {
	switch {
	case t.Converting():
		return Copied
	case !t.Fenced:
		return NoFence
	case !layers.CanBackfill(t):
		return NoKey
	}
	return None
}

// Look is a dry run: it reads the ledger and counts rows, and changes nothing. Errors are
// those of [ledger.Inspect], ErrUnknown, and TableError.
//
// With layers, those that can get a key of the newest epoch are to be brought to it, too.
func Look(ctx context.Context, o ledger.Options, names []string, layersToo bool) (*Plan, error) {
	now, err := ledger.Inspect(ctx, o)
	if err != nil {
		return nil, err
	}
	chosen, err := choose(now.Catalog, names)
	if err != nil {
		return nil, err
	}
	p := &Plan{Masters: now.Tree.Versions()}
	ring := crypt.NewRing(now.Tree)
	for _, t := range chosen {
		one := describe(t)
		r := layers.Renewal{DB: o.DB, Ring: ring, Table: t}
		if one.Old, err = r.Count(ctx); err != nil {
			return nil, ofTable(ctx, t, err)
		}
		_ = o.DB.QueryRowContext(ctx, "SELECT TABLE_ROWS FROM information_schema.TABLES WHERE TABLE_SCHEMA = ? AND TABLE_NAME = ?",
			t.Schema, t.Name).Scan(&one.Rows) // it is but an estimate
		p.Tables = append(p.Tables, one)
	}
	p.New = finished(p.Tables, now.Tree.Newest()) && !(layersToo && leftLayers(now.Catalog, now.Tree.Newest()))
	epoch := now.Tree.Newest()
	if p.New {
		epoch = ^uint16(0) // all that there are are older than the one to come
	}
	stay := stayings(now.Catalog)
	for i, t := range chosen {
		p.Tables[i].layersOf(t, stay, epoch)
	}
	return p, nil
}

// leftLayers reports whether there are layers that can be brought to an epoch.
func leftLayers(known *catalog.Catalog, epoch uint16) bool {
	stay := stayings(known)
	for t := range known.Tables() {
		if len(oldLayers(t, stay, epoch)) > 0 {
			return true
		}
	}
	return false
}

// describe is a table without what has to be counted.
func describe(t *catalog.Table) Table {
	one := Table{Schema: t.Schema, Name: t.Name, Epoch: sealedEpoch(t), Hindrance: hindranceOf(t)}
	for i := range t.Columns {
		for _, l := range t.Columns[i].Layers {
			if l.Bare() || l.IsShadow() {
				continue
			}
			if !one.HasLayers || l.Epoch < one.Layers {
				one.Layers = l.Epoch
			}
			one.HasLayers = true
		}
	}
	return one
}

// sealedEpoch is the lowest epoch that new sealed forms of a table are of.
func sealedEpoch(t *catalog.Table) uint16 {
	lowest := ^uint16(0)
	for i := range t.Columns {
		if c := &t.Columns[i]; c.Protected() {
			lowest = min(lowest, c.Epoch)
		}
	}
	return lowest
}

// stays reports whether a table is left as it is.
func (h Hindrance) stays() bool { return h == NoFence || h == Copied }

// finished reports whether nothing can be done any more for an epoch.
func finished(tables []Table, epoch uint16) bool {
	return !slices.ContainsFunc(tables, func(t Table) bool {
		return !t.Hindrance.stays() && t.Epoch < epoch || t.Hindrance == None && t.Old > 0
	})
}

// choose are the tables of these names, all without any, in the order of their names.
func choose(known *catalog.Catalog, names []string) (all []*catalog.Table, err error) {
	for t := range known.Tables() {
		all = append(all, t)
	}
	slices.SortFunc(all, byName)
	if len(names) == 0 {
		return all, nil
	}
	is := func(t *catalog.Table) func(string) bool {
		return func(given string) bool { return known.SameName(t.Schema+"."+t.Name, given) }
	}
	for _, given := range names {
		if !slices.ContainsFunc(all, func(t *catalog.Table) bool { return is(t)(given) }) {
			return nil, fmt.Errorf("%w: %s", ErrUnknown, given)
		}
	}
	return slices.DeleteFunc(all, func(t *catalog.Table) bool { return !slices.ContainsFunc(names, is(t)) }), nil
}

func byName(x, y *catalog.Table) int {
	return cmp.Or(cmp.Compare(x.Schema, y.Schema), cmp.Compare(x.Name, y.Name))
}

// strangers are how many of the key ids of other tunics are of another key than one's own.
func strangers(holders []keys.ID, own keys.ID) (n int) {
	for _, id := range holders {
		if id != own {
			n++
		}
	}
	return n
}
