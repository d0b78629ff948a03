package rotation

import (
	"context"

	"tunic/internal/catalog"
	"tunic/internal/ddl/pace"
	"tunic/internal/ddl/revision"
	"tunic/internal/layers"
)

// Grouped is a table whose columns are to be, or have been, brought into the families that annotations, rules and the policy say.
type Grouped struct {
	Schema, Name string
	// Moves are the columns that come into another family, or out of one; none if all are where they are to be.
	Moves []Move
	// Rows is an estimate of the server's.
	Rows int64
	// Hindrance is why it cannot be done; None if it can.
	Hindrance Hindrance
	// Failed is what has failed for the table. The others were gone on with.
	Failed error
	// Gone says that the table was dropped meanwhile.
	Gone bool
	// Done says that its columns have been brought there.
	Done bool
}

// Move is a column, with the stored columns of the families that it is in and is to be in; "" is sealed by itself.
type Move struct{ Column, From, To string }

// The hindrances of families.
const (
	Converted Hindrance = "it is being encrypted or decrypted: begin again when that is done"
	Unfenced  Hindrance = "its engine has no place for a fence, nor for columns without a value"
	Unkeyed   Hindrance = "no primary or unique key tells its rows apart"
)

// hindranceOfFamilies looks at a table before anything is done.
func hindranceOfFamilies(t *catalog.Table) Hindrance {
	switch {
	case t.Encrypting(), t.Baring():
		return Converted
	case !t.Fenced:
		return Unfenced
	case !layers.CanBackfill(t):
		return Unkeyed
	}
	return None
}

// LookAtFamilies is what Regroup would do, in the order of tables. Errors are ErrUnknown and the server's.
func (r *Rotation) LookAtFamilies(ctx context.Context) (all []Grouped, err error) {
	chosen, err := choose(r.Ledger.Catalog(), r.Tables)
	for _, t := range chosen {
		if t.View == nil {
			all = append(all, r.lookAtFamilies(ctx, t))
		}
	}
	return all, err
}

func (r *Rotation) lookAtFamilies(ctx context.Context, t *catalog.Table) Grouped {
	one := Grouped{Schema: t.Schema, Name: t.Name}
	_ = r.DB.QueryRowContext(ctx, "SELECT TABLE_ROWS FROM information_schema.TABLES WHERE TABLE_SCHEMA = ? AND TABLE_NAME = ?",
		t.Schema, t.Name).Scan(&one.Rows) // it is but an estimate
	var to *catalog.Table
	if t.Moving() {
		to = revision.Moved(t)
	} else if to, one.Failed = r.Definer.ToRegroup(ctx, t); one.Failed != nil || to == nil {
		return one
	}
	for i := range t.Known() {
		if from, is := t.FamilyOf(i), to.FamilyOf(i); stored(from) != stored(is) || from != nil && from.ID != is.ID {
			one.Moves = append(one.Moves, Move{t.Columns[i].Name, stored(from), stored(is)})
		}
	}
	one.Hindrance = hindranceOfFamilies(t)
	return one
}

func stored(f *catalog.Family) string {
	if f == nil {
		return ""
	}
	return f.Stored
}

// Regroup brings the columns of tables into the families that annotations, rules and the policy say now, while clients use them. It can
// be cut off at any point and begun again. Errors are ErrUnknown, ErrUnderway and the server's; what has failed of a table is in what
// is returned.
func (r *Rotation) Regroup(ctx context.Context) (all []Grouped, err error) {
	err = r.alone(ctx, func(ctx context.Context) error {
		if err := r.Ledger.Refresh(ctx, nil); err != nil {
			return err
		}
		if all, err = r.LookAtFamilies(ctx); err != nil {
			return err
		}
		for i := range all {
			one := &all[i]
			if one.Hindrance != None || one.Failed != nil {
				continue // of a table without a move this takes away what an earlier one has left
			}
			t := r.Ledger.Catalog().Table(one.Schema, one.Name)
			if one.Gone = t == nil; one.Gone {
				continue
			}
			p := Progress{Table: t.FullName(), Done: i, Tables: len(all)}
			done, err := r.Definer.Regroup(ctx, t.ID, pace.Pace{RateMax: r.RateMax, Told: func(at pace.Passed) {
				p.Rows, p.Old = at.Rows, at.Expected
				r.tell(p)
			}})
			switch {
			case r.Ledger.Catalog().ByID(t.ID) == nil:
				one.Gone = true
			case isOfTable(ctx, err):
				one.Failed = err
			case err != nil:
				return err
			}
			one.Done = done && err == nil && !one.Gone
		}
		return nil
	})
	return all, err
}
