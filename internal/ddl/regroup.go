package ddl

import (
	"context"
	"strings"
	"time"

	"tunic/internal/catalog"
	"tunic/internal/crash"
	"tunic/internal/ddl/definition"
	"tunic/internal/ddl/pace"
	"tunic/internal/ddl/revision"
	"tunic/internal/ddl/upkeep"
	"tunic/internal/layers"
	tsql "tunic/internal/sql"
	"tunic/internal/sqlerr"
	"tunic/internal/value"
)

// Columns of a protected table come into the families that annotations, rules and the policy say now, while clients use it:
//
//	begin     each column that comes into another family, or into none, has a shadow with its ID: all that is written to the
//	          one is written to the other
//	fill      rows from before get what the shadows are to have, and all rows are looked at
//	exchange  one statement gives the shadows the columns' places; then what they have left is dropped
//
// Layers stay, and keys over them. Each step looks at what is there and does what is missing, so that whoever goes on after a kill
// begins with the first.

// ToRegroup is a table with its columns in the families that they are to be in now; nil if they are in them.
func (d *Definer) ToRegroup(ctx context.Context, t *catalog.Table) (*catalog.Table, error) {
	var modes tsql.Modes
	if d.o.Flavor == value.MariaDB {
		modes = tsql.MariaDB
	}
	spec, err := definition.Parse(t.Definition, t.Name, modes)
	if err != nil {
		return nil, err
	}
	if d.o.Flavor == value.MariaDB {
		definition.AdoptJSON(spec)
	}
	w := &work{Definer: d, catalog: d.o.Ledger.Catalog()}
	keep := map[string]definition.Kept{}
	for i := range t.Known() {
		k := definition.Kept{}
		if t.Columns[i].Protected() {
			k = definition.KeptOf(&t.Columns[i])
		}
		k.Settled = true
		keep[catalog.Folded(t.Columns[i].Name)] = k
	}
	def := &definition.Definition{Schema: t.Schema, Table: t.Name, Spec: spec}
	r := &definition.Decider{Policy: w.rules(), Keep: keep, Parents: w.parents(ctx)}
	if err := r.Decide(def); err != nil {
		return nil, err
	}
	return def.Regrouped(t, w.surroundings())
}

// Regroup brings the columns of a table into their families. Errors are those of the definition, of package layers, upkeep.ErrTableGone
// and the server's. It reports whether there was anything to do.
func (d *Definer) Regroup(ctx context.Context, table catalog.ID, p pace.Pace) (moved bool, err error) {
	if moved, err = d.beginMove(ctx, table); err != nil || !moved {
		return moved, err
	}
	if err := d.fillMove(ctx, table, p); err != nil {
		return true, err
	}
	return true, d.Upkeep.Step(ctx, table, d.swapMoved)
}

// fillMove gives rows from before what shadows are to have, and looks at all rows.
func (d *Definer) fillMove(ctx context.Context, table catalog.ID, p pace.Pace) error {
	return d.Upkeep.Through(ctx, table, func(ctx context.Context, t *catalog.Table) error {
		if !t.Moving() {
			return nil
		}
		at := pace.Of(d.o.Ledger, p, t, "families")
		job := layers.Job{DB: d.o.DB, Ring: d.ring(), Table: t, Log: d.o.Log, Paced: true, Progress: at, Gate: at.Gate, Looked: at.Looked, Locked: at.Locked}
		return job.Backfill(ctx)
	})
}

// beginMove has all columns that are not in their families have shadows; false if there are none.
func (d *Definer) beginMove(ctx context.Context, table catalog.ID) (moving bool, err error) {
	mine := map[string]bool{} // columns that were added in an earlier try
	var to *catalog.Table
	err = d.Upkeep.Step(ctx, table, func(ctx context.Context, t *catalog.Table, wait time.Duration) (err error) {
		switch moving = t.Moving(); {
		case moving:
			return nil
		case t.Converting():
			return sqlerr.DefinitionForm(t.Name, "a move of columns into families before tunic encrypt or decrypt has ended")
		}
		if to == nil || to.Revision != t.Revision || to.CatalogVersion != t.CatalogVersion {
			if to, err = d.ToRegroup(ctx, t); err != nil {
				return err
			}
		}
		if to == nil {
			return d.Upkeep.DropLeftoversOf(ctx, t, wait)
		}
		moving = true
		if t.BackfillsForStatement() {
			return d.Upkeep.ForsakeBriefly(ctx, t, wait) // and again
		}
		next := revision.Moving(t, to)
		if err := next.Check(); err != nil {
			return err
		}
		return d.Upkeep.Turns.Quiesced(ctx, t, wait, func(ctx context.Context) error {
			if err := d.addMoving(ctx, t, next, mine, wait); err != nil {
				return err
			}
			return d.Upkeep.ChangeBriefly(ctx, t, next, revision.Alter(t, next, nil), wait)
		})
	})
	return moving, err
}

// addMoving adds the stored columns that columns come into, if they are not there from an earlier try. What others have left goes.
func (d *Definer) addMoving(ctx context.Context, t, next *catalog.Table, mine map[string]bool, wait time.Duration) error {
	leftovers, err := d.Upkeep.LeftoversOf(ctx, t)
	if err != nil {
		return err
	}
	there := map[string]bool{}
	for _, name := range leftovers {
		if there[name] = mine[name]; !mine[name] {
			if err := d.Upkeep.DropLeftover(ctx, t, name, wait); err != nil {
				return err
			}
		}
	}
	var clauses []string
	for _, c := range revision.MovingColumns(next) {
		if mine[c.Name] = true; !there[c.Name] {
			clauses = append(clauses, "ADD COLUMN "+c.Text)
		}
	}
	if len(clauses) == 0 {
		return nil
	}
	err = d.Upkeep.Turns.BriefAnewIfTooWide(ctx, t, "ALTER TABLE "+t.QuotedName()+" "+strings.Join(clauses, ", "), wait)
	crash.Point("ddl.online.added")
	return err
}

// swapMoved gives the shadows of a table the places of its columns, and drops what these have left.
func (d *Definer) swapMoved(ctx context.Context, t *catalog.Table, wait time.Duration) error {
	if t.Moving() {
		if err := d.Upkeep.DropLeftoversOf(ctx, t, wait); err != nil { // one may have the name of what is left
			return err
		}
		stored, err := d.Upkeep.StoredNow(ctx, t)
		if err != nil {
			return err
		}
		if err := upkeep.Unchanged(stored, t); err != nil {
			return err
		}
		clauses, err := revision.MoveSwap(t, stored)
		if err != nil {
			return err
		}
		next := revision.Moved(t)
		if err := next.Check(); err != nil {
			return err
		}
		if err := d.Upkeep.ChangeBriefly(ctx, t, next, revision.Alter(t, next, clauses), wait); err != nil {
			return err
		}
		if t = d.o.Ledger.Catalog().ByID(t.ID); t == nil {
			return upkeep.ErrTableGone
		}
	}
	if err := pace.ForgetPlace(ctx, d.o.Ledger, t); err != nil {
		return err
	}
	return d.Upkeep.DropLeftoversOf(ctx, t, wait)
}
