package rotation

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/go-sql-driver/mysql"

	"tunic/internal/catalog"
	"tunic/internal/crash"
	"tunic/internal/crypt"
	"tunic/internal/ddl"
	"tunic/internal/ddl/upkeep"
	"tunic/internal/keys"
	"tunic/internal/layers"
	"tunic/internal/ledger"
	"tunic/internal/sqlerr"
)

// ErrHolders says that another tunic has another key file: it could not open the new master
// key, and would serve no protected table any more.
var ErrHolders = errors.New("another tunic runs with another key file")

// Rotation is a rotation that is to be done.
type Rotation struct {
	// DB is the service account's, whose connections must not give up on a query that takes
	// long.
	DB      *sql.DB
	Ledger  *ledger.Ledger
	Definer *ddl.Definer
	// KEK is the key that the ledger was opened with.
	KEK keys.ID
	// Seals count what is sealed; nil is for nobody to see.
	Seals *crypt.Seals
	// Tables are the ones that are brought to the epoch, as schema.table; all if there is none.
	Tables []string
	// Layers has layers get keys of the epoch as well. It goes with all tables only.
	Layers bool
	// RateMax is how many rows a second are sealed at most, and gone through for layers: each row
	// twice for those. 0 is no bound.
	RateMax int
	// Progress is told how far it is. It may be nil.
	Progress func(Progress)
}

// Progress is how far a rotation is.
type Progress struct {
	Table string
	// Layers says that its layers get new keys: Rows of Old are then gone through.
	Layers bool
	// Done of Tables are done; Rows of Old rows of this one.
	Done, Tables int
	Rows, Old    int64
}

// Report is what was done.
type Report struct {
	Epoch  uint16
	New    bool // a master key was made for it
	Tables []Table
}

// Whole reports whether all rows are of the epoch.
func (r *Report) Whole() bool {
	return !slices.ContainsFunc(r.Tables, func(t Table) bool { return !t.Gone && (t.Failed != nil || t.Epoch < r.Epoch || t.Old > 0) })
}

// Run does it. Errors are those of the ledger, ErrUnknown, ErrHolders, ErrUnderway, TableError of one
// that cannot be looked at, and the server's; the report is then of what was done. What has failed of a table is in the report.
func (r *Rotation) Run(ctx context.Context) (*Report, error) {
	report := &Report{}
	return report, r.alone(ctx, func(ctx context.Context) error { return r.run(ctx, report) })
}

func (r *Rotation) run(ctx context.Context, report *Report) error {
	if err := r.Ledger.Refresh(ctx, nil); err != nil { // another rotation may have just ended
		return err
	}
	chosen, err := choose(r.Ledger.Catalog(), r.Tables)
	if err != nil {
		return err
	}
	if err := r.awaitHolders(ctx); err != nil {
		return err
	}
	if err := r.begin(ctx, chosen, report); err != nil {
		return err
	}
	crash.Point("rotation.begun")
	done, failed := map[catalog.ID]bool{}, map[catalog.ID]error{}
	for todo := chosen; len(todo) > 0; todo = r.late(done, report.Epoch) {
		for _, t := range todo {
			done[t.ID] = true
			one, err := r.table(ctx, t, report.Epoch, Progress{Table: t.Schema + "." + t.Name, Done: len(report.Tables), Tables: max(len(chosen), len(report.Tables)+1)})
			switch {
			case errors.Is(err, layers.ErrForeign):
				one.Hindrance, failed[t.ID] = Foreign, err
			case isOfTable(ctx, err):
				one.Failed, failed[t.ID] = err, err
			}
			report.Tables = append(report.Tables, *one)
			if err != nil && failed[t.ID] == nil {
				return err
			}
			crash.Point("rotation.sealed")
		}
	}
	if !r.Layers || len(r.Tables) > 0 {
		return nil
	}
	err = r.renewLayers(ctx, report.Epoch, failed)
	report.layers(r.Ledger.Catalog(), failed)
	return err
}

// TableError is what has failed of a table, where nothing can be done without it.
type TableError struct {
	Schema, Name string
	Err          error
}

func (e *TableError) Error() string { return e.Schema + "." + e.Name + ": " + e.Err.Error() }

// Unwrap is what has failed.
func (e *TableError) Unwrap() error { return e.Err }

// ofTable names the table in an error that is of it.
func ofTable(ctx context.Context, t *catalog.Table, err error) error {
	if !isOfTable(ctx, err) {
		return err
	}
	return &TableError{t.Schema, t.Name, err}
}

// isOfTable reports whether an error says what is wrong with a table, or with what the server does for it: no
// reason to leave the tables behind it.
func isOfTable(ctx context.Context, err error) bool {
	if err == nil || ctx.Err() != nil {
		return false
	}
	_, unsound := errors.AsType[*upkeep.UnsoundError](err)
	_, stated := errors.AsType[*sqlerr.Error](err)
	_, answered := errors.AsType[*mysql.MySQLError](err)
	return unsound || stated || answered || slices.ContainsFunc([]error{layers.ErrForeign, layers.ErrForeignWrite, layers.ErrNoKey, layers.ErrMoved, catalog.ErrContent},
		func(known error) bool { return errors.Is(err, known) })
}

// layers tells of the layers as they are at the end, and of the tables whose layers have failed.
func (r *Report) layers(known *catalog.Catalog, failed map[catalog.ID]error) {
	stay := stayings(known)
	for i := range r.Tables {
		one := &r.Tables[i]
		now := known.Table(one.Schema, one.Name)
		if one.Gone || now == nil {
			continue
		}
		is := describe(now)
		one.Layers, one.HasLayers = is.Layers, is.HasLayers
		if one.Hindrance != Foreign {
			one.Failed = failed[now.ID]
		}
		one.layersOf(now, stay, r.Epoch)
	}
}

// late are tables that were made of an older epoch while others were under way.
func (r *Rotation) late(done map[catalog.ID]bool, epoch uint16) (all []*catalog.Table) {
	if len(r.Tables) > 0 {
		return nil
	}
	for t := range r.Ledger.Catalog().Tables() {
		if !done[t.ID] && sealedEpoch(t) < epoch {
			all = append(all, t)
		}
	}
	return all
}

// holderPatience is how long it is waited for a tunic that may have ended: longer than a lease.
const holderPatience = 5 * time.Second

// awaitHolders makes sure that every tunic can open what this one wraps.
func (r *Rotation) awaitHolders(ctx context.Context) error {
	for began := time.Now(); ; {
		holders, err := r.Ledger.Holders(ctx)
		if err != nil {
			return err
		}
		n := strangers(holders, r.KEK)
		if n == 0 {
			return nil
		}
		if time.Since(began) > holderPatience {
			return fmt.Errorf("%w (%d of them)", ErrHolders, n)
		}
		if err := pause(ctx, 100*time.Millisecond); err != nil {
			return err
		}
	}
}

// begin finds the epoch that the tables are brought to, and makes its master key if what was
// begun for the newest is done.
func (r *Rotation) begin(ctx context.Context, chosen []*catalog.Table, report *Report) (err error) {
	report.Epoch = r.Ledger.Tree().Newest()
	for _, t := range chosen {
		one := describe(t)
		if one.Hindrance == None && one.Epoch == report.Epoch {
			if one.Old, err = r.count(ctx, t.ID); err != nil {
				return ofTable(ctx, t, err)
			}
		}
		if !finished([]Table{one}, report.Epoch) {
			return nil
		}
	}
	if r.Layers && len(r.Tables) == 0 && leftLayers(r.Ledger.Catalog(), report.Epoch) {
		return nil
	}
	report.New = true
	report.Epoch, err = r.Ledger.AddMaster(ctx)
	return err
}

// table brings one table to an epoch.
func (r *Rotation) table(ctx context.Context, t *catalog.Table, epoch uint16, p Progress) (*Table, error) {
	one := describe(t)
	if one.Hindrance.stays() {
		var err error
		one.Old, err = r.count(ctx, t.ID)
		return &one, err
	}
	if err := r.sound(ctx, t, one.Epoch == epoch); err != nil {
		return &one, err
	}
	if err := r.Definer.Layers.MoveEpoch(ctx, t.ID, epoch); err != nil && !errors.Is(err, upkeep.ErrTableGone) {
		return &one, err
	}
	crash.Point("rotation.moved")
	err := r.renew(ctx, t.ID, &one, p)
	now := r.Ledger.Catalog().ByID(t.ID)
	if now == nil {
		one.Gone, one.Old = true, 0
		return &one, nil
	}
	sealed, old := one.Sealed, one.Old
	one = describe(now)
	one.Sealed, one.Old = sealed, old
	return &one, err
}

// sound has the server look through a table whose rotation was cut off before: that has begun, and rows or
// layers are left.
func (r *Rotation) sound(ctx context.Context, t *catalog.Table, begun bool) error {
	old := int64(0)
	if begun {
		var err error
		if old, err = r.count(ctx, t.ID); err != nil {
			return err
		}
	}
	if now := r.Ledger.Catalog().ByID(t.ID); now != nil && (old > 0 || hasShadows(now)) {
		return r.Definer.Upkeep.Sound(ctx, now)
	}
	return nil
}

// renew seals the rows of a table anew, and counts what is left.
func (r *Rotation) renew(ctx context.Context, id catalog.ID, one *Table, p Progress) (err error) {
	if p.Old, err = r.count(ctx, id); err != nil {
		return err
	}
	one.Old = p.Old
	r.tell(p)
	if one.Hindrance == None && p.Old > 0 {
		err = r.asItIs(ctx, id, func(t *catalog.Table) error {
			renewal := r.renewal(t)
			renewal.Told = func(rows int) {
				one.Sealed += int64(rows)
				one.Old = max(0, p.Old-one.Sealed)
				p.Rows = one.Sealed
				r.tell(p)
			}
			return renewal.Run(ctx)
		})
		if err != nil {
			return err
		}
	}
	one.Old, err = r.count(ctx, id)
	return err
}

func (r *Rotation) renewal(t *catalog.Table) *layers.Renewal {
	return &layers.Renewal{DB: r.DB, Ring: crypt.NewRingCounting(r.Ledger.Tree(), r.Seals), Table: t, RateMax: r.RateMax}
}

func (r *Rotation) tell(p Progress) {
	if r.Progress != nil {
		r.Progress(p)
	}
}

// count counts the rows of a table that have a form of another epoch; 0 if it is gone.
func (r *Rotation) count(ctx context.Context, id catalog.ID) (old int64, err error) {
	err = r.asItIs(ctx, id, func(t *catalog.Table) error {
		old, err = r.renewal(t).Count(ctx)
		return err
	})
	return old, err
}

// asItIs does something with the rows of a table, and again if the table was changed
// meanwhile, which its fence tells; and nothing if it is gone. A table that is about to be made is
// in the catalog before the server has it: when that has been waited for it is the same, and
// what has failed is done again.
func (r *Rotation) asItIs(ctx context.Context, id catalog.ID, do func(*catalog.Table) error) error {
	for tries := 0; ; tries++ {
		t := r.Ledger.Catalog().ByID(id)
		if t == nil {
			return nil
		}
		err := do(t)
		if err == nil || ctx.Err() != nil {
			return err
		}
		if again := isBroken(err); !again {
			if failed := r.Ledger.Refresh(ctx, []*catalog.Table{t}); failed != nil {
				return errors.Join(err, failed)
			}
			now := r.Ledger.Catalog().ByID(id)
			if now != nil && now.Is(t) && (!errors.Is(err, layers.ErrMoved) || tries >= movedMax) {
				return err
			}
		}
		if err := pause(ctx, 20*time.Millisecond); err != nil {
			return err
		}
	}
}

// isBroken reports whether the server has broken off a transaction for another's sake.
func isBroken(err error) bool {
	const lockWait, deadlock = 1205, 1213
	said, ok := errors.AsType[*mysql.MySQLError](err)
	return ok && (said.Number == lockWait || said.Number == deadlock)
}

func pause(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}
