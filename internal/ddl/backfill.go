package ddl

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"tunic/internal/backend"
	"tunic/internal/catalog"
	"tunic/internal/crash"
	"tunic/internal/ddl/alteration"
	"tunic/internal/ddl/definition"
	"tunic/internal/ddl/revision"
	"tunic/internal/ddl/service"
	"tunic/internal/ddl/turn"
	"tunic/internal/layers"
	"tunic/internal/ledger"
	"tunic/internal/sql/ast"
	"tunic/internal/sqlerr"
	"tunic/internal/value"
)

// lack is what the rows of a table lack for a change: the revision of the table in
// which they get it. It is an error of a change that finds such rows.
type lack struct {
	backfilling *catalog.Table
	// given is what rows get in new columns, in canonical form.
	given map[catalog.ID][]byte
}

func (*lack) Error() string { return "the rows of the table have to be filled first" }

// lacks makes the revision in which the rows get what a change needs, nil if there is
// nothing that such a revision can give. That rows are there is looked at without a
// lock, so that a busy table is not locked for nothing.
func (w *work) lacks(ctx context.Context, c *alteration.Change, l *definition.Logical, needs map[string]alteration.Need) (*lack, error) {
	if c.Definition.Temporary || c.Backfilled {
		return nil, nil //nolint:nilnil // there is nothing
	}
	if columns, ok := w.replacements(c, l, needs); slices.Contains(slices.Collect(maps.Values(needs)), alteration.NeedsForms) && !(ok && c.CanShadow(columns)) {
		return nil, nil //nolint:nilnil // there is nothing
	}
	out, err := w.lackOf(ctx, c, l, needs)
	if out == nil || err != nil {
		return nil, err
	}
	rows, err := w.client.Query(ctx, "SELECT 1 FROM "+c.Old.QuotedName()+" LIMIT 1")
	switch {
	case err != nil:
		return nil, err
	case len(rows) > 0 && w.session.Locked:
		return nil, sqlerr.DefinitionForm(c.Old.Name, "this change under LOCK TABLES")
	case len(rows) > 0 && !layers.CanBackfill(c.Old):
		return nil, w.backfillError(c.Old, layers.ErrNoKey)
	case len(rows) > 0:
		return nil, out
	}
	return out, nil
}

// lackOf is lacks for a table that may have no rows.
func (w *work) lackOf(ctx context.Context, c *alteration.Change, l *definition.Logical, needs map[string]alteration.Need) (*lack, error) {
	out := &lack{backfilling: revision.WithoutBackfilling(c.Old), given: map[catalog.ID][]byte{}}
	out.backfilling.Revision = c.Old.Revision + 1
	for i := range l.Table.Columns {
		column := &l.Table.Columns[i]
		switch needs[catalog.Folded(column.Name)] {
		case alteration.NeedsForms:
			out.addShadow(w.newID(), c.Before(column.Name), column)
		case alteration.NeedsToken:
			out.addLayers(c.Old.Column(c.Names[catalog.Folded(column.Name)]), column)
		case alteration.NeedsValue:
			if c.Old.Column(column.Name) >= 0 {
				return nil, nil //nolint:nilnil // the name is still another column's
			}
			given, ok, err := w.given(ctx, column)
			if err != nil || !ok {
				return nil, err
			}
			out.addColumn(column, given)
		default:
		}
	}
	if !out.backfilling.Backfills() {
		return nil, nil //nolint:nilnil // there is nothing
	}
	return out, out.backfilling.Check()
}

// addLayers gives the column at an index the layers that the one to come has beyond
// it, and the domain that they are of.
func (k *lack) addLayers(at int, next *catalog.Column) {
	c := &k.backfilling.Columns[at]
	if c.Domain != next.Domain { // what jobs have on their way is of the other one
		c.Layers = slices.DeleteFunc(c.Layers, func(l catalog.Layer) bool { return l.State != catalog.Ready })
	}
	c.Domain = next.Domain
	for _, l := range next.Layers {
		if c.Layer(l.Capability) == nil {
			l.State, l.Stored = catalog.Backfilling, catalog.StoredName(c.Name, l.Capability)
			c.Layers = append(c.Layers, l)
		}
	}
}

// addColumn adds a column that nobody sees yet. An INSERT gives it its default, or
// what rows get where it has none.
func (k *lack) addColumn(next *catalog.Column, given []byte) {
	c := *next
	c.Backfilling, c.Invisible, c.OnUpdateNow = true, true, false
	if c.Default.Kind == catalog.NoDefault {
		c.Default = catalog.Default{Kind: catalog.DefaultValue, Canonical: given}
	}
	c.Layers = nil
	for _, l := range next.Layers {
		l.State = catalog.Backfilling
		c.Layers = append(c.Layers, l)
	}
	k.given[c.ID] = given
	k.backfilling.Columns = append(k.backfilling.Columns, c)
}

// given is what rows get in a new column; false where what a server would give them
// is not known.
func (w *work) given(ctx context.Context, c *catalog.Column) ([]byte, bool, error) {
	switch c.Default.Kind {
	case catalog.DefaultValue:
		return append([]byte{}, c.Default.Canonical...), true, nil
	case catalog.DefaultNow:
		now, err := w.now(ctx)
		return value.AppendNow(nil, c.Type.Kind, now, c.Default.Fraction, &w.session.Env), true, err
	default:
	}
	k := c.Type.Kind
	known := k.IsInteger() || k == value.Decimal || k == value.Float || k == value.Double || k == value.Bit || k == value.Year ||
		k.IsText() && !c.ValidJSON || k.IsBytes() || k == value.Enum || k == value.Set
	return value.AppendImplicitDefault([]byte{}, &c.Type), known, nil
}

// now is the time of the statement, as the client's session has it.
func (w *work) now(ctx context.Context) (time.Time, error) {
	rows, err := w.client.Query(ctx, "SELECT "+backend.StatementTime)
	if err != nil || len(rows) == 0 {
		return time.Time{}, errors.Join(err, service.NoRow(len(rows)))
	}
	seconds, micro, _ := strings.Cut(service.Text(rows[0][0]), ".")
	s, err := strconv.ParseInt(seconds, 10, 64)
	if err != nil {
		return time.Time{}, err
	}
	us, err := strconv.ParseInt((micro + "000000")[:6], 10, 64)
	return time.Unix(s, us*int64(time.Microsecond)), err
}

// alterBackfilled gives the rows of a table what they lack and then changes it. Whatever
// fails on the way, the table is as it was before.
func (w *work) alterBackfilled(ctx context.Context, stmt *ast.AlterTable, t *catalog.Table, k *lack) (err error) {
	w.result.Warnings = nil // they come again
	defer func() {
		if err != nil { // columns may have been added before anybody knew of them, and the server be away
			w.Upkeep.Postpone(t, w.Upkeep.TakingBack())
		}
	}()
	add, err := w.prepare(ctx, t, k)
	if err != nil {
		return err
	}
	done, err := w.beginBackfill(ctx, t, k.backfilling, add)
	if !done {
		return storedError(err, k.backfilling)
	}
	crash.Point("ddl.backfill.begun")
	w.catalog = w.o.Ledger.Catalog()
	defer func() {
		if err != nil && w.catalogHas(k.backfilling) {
			err = errors.Join(err, w.forsake(ctx, w.o.Ledger.Catalog().Table(t.Schema, t.Name)))
		}
	}()
	if err != nil {
		return err
	}
	job := layers.Job{DB: w.o.DB, Ring: w.ring(), Table: k.backfilling, Given: k.given, Env: &w.session.Env, Log: w.o.Log}
	var said []service.Warning
	if err := w.aside(t, func() (err error) { said, err = w.backfillRows(ctx, t, &job); return err }); err != nil {
		return err
	}
	now := w.catalog.Table(t.Schema, t.Name)
	if !w.catalogHas(k.backfilling) {
		return sqlerr.NoLedger()
	}
	err = w.alterRevision(ctx, stmt, now, false, true)
	w.result.Warnings = append(w.result.Warnings, said...)
	return err
}

// backfillRows backfills, and is what a plain server says of values that do not fit their new type: all rows
// are looked at again for that. It goes aside, as what takes as long as a table is large.
func (w *work) backfillRows(ctx context.Context, t *catalog.Table, job *layers.Job) (said []service.Warning, err error) {
	err = job.Backfill(ctx)
	switch {
	case err == nil:
		crash.Point("ddl.backfill.done")
		if job.Warned() {
			said, err = w.misfits(ctx, t, job)
		}
	case errors.Is(err, layers.ErrConversion):
		if failed, ok := errors.AsType[*sqlerr.Error](w.misfit(ctx, t, job)); ok {
			return nil, failed
		}
	}
	if err != nil {
		return nil, w.backfillError(t, err)
	}
	return said, nil
}

// beginBackfill makes the revision in which something is backfilled, in place if the server can.
func (w *work) beginBackfill(ctx context.Context, t, backfilling *catalog.Table, add string) (done bool, err error) {
	if t.Fenced {
		done, err = w.changeInPlace(ctx, t, backfilling, func(ctx context.Context) error { return w.client.Exec(ctx, add+turn.InPlace) })
		if done || !service.CannotInPlace(err) {
			return done, err
		}
	}
	steps, err := w.change(ctx, []ledger.Step{{Old: t, New: backfilling}}, func(ctx context.Context) error { return w.client.Exec(ctx, add) })
	return len(steps) > 0, err
}

// prepare makes ready a table for what is to be backfilled, and says which statement begins the
// revision in which it is. Layers of columns that are there, and successors, are added before
// anybody knows of them, as jobs add layers: a statement that does nothing else adds them at once,
// and together with the fence and the mark servers make the table anew for them. So are new columns,
// which get the names that the client gives them with the revision.
func (w *work) prepare(ctx context.Context, t *catalog.Table, k *lack) (begin string, err error) {
	leftovers, err := w.Upkeep.LeftoversOf(ctx, t)
	if err != nil {
		return "", err
	}
	if len(revision.DropBackfilling(t)) > 0 {
		return revision.Adding(t, k.backfilling, leftovers...), nil
	}
	for _, name := range leftovers {
		if err := w.dropLeftoverNow(ctx, t, name); err != nil {
			return "", err
		}
	}
	if clauses := revision.AddAhead(revision.WithoutBackfilling(t), k.backfilling); len(clauses) > 0 {
		if err := turn.AnewIfTooWide(ctx, t, "ALTER TABLE "+t.QuotedName()+" "+strings.Join(clauses, ", "), w.client.Exec); err != nil {
			return "", storedError(err, k.backfilling)
		}
		crash.Point("ddl.backfill.added")
	}
	return revision.Alter(t, k.backfilling, revision.NameNew(k.backfilling, false)), nil
}

// backfillError is what to tell of rows that could not be backfilled. What the client can mend
// by itself is not for the log. Of what the server has said only the number is: a part
// of the statement may be in it.
func (w *work) backfillError(t *catalog.Table, err error) error {
	switch {
	case errors.Is(err, layers.ErrNoKey):
		return sqlerr.CannotBackfill(t.Name, "it has no primary key or unique key that tells all of its rows apart")
	case errors.Is(err, layers.ErrConversion):
		return sqlerr.CannotBackfill(t.Name, "it has values that do not fit the new type as they are")
	}
	said, _ := errors.AsType[*sqlerr.Error](service.Error(err))
	if said != nil {
		w.o.Log.Error("the rows of a table could not be filled", "table", t.FullName(), "server_error", said.Number, "said", sqlerr.Redacted(said.Message))
	} else {
		w.o.Log.Error("the rows of a table could not be filled", "table", t.FullName(), "error", err)
	}
	const denied, columnDenied = 1142, 1143
	switch {
	case errors.Is(err, layers.ErrForeign), errors.Is(err, layers.ErrForeignWrite):
		return sqlerr.CannotBackfill(t.Name, "it has rows that tunic has not written")
	case said == nil, slices.Contains(leaving, said.Number):
		return sqlerr.NoLedger()
	case said.Number == denied, said.Number == columnDenied:
		return sqlerr.CannotBackfill(t.Name, "the service account may not SELECT and UPDATE its rows")
	}
	return sqlerr.CannotBackfill(t.Name, "the server did not take it; tunic's log says why")
}

// leaving are the errors of a server, or of one of its connections, that is about to end.
var leaving = []uint16{1053, 1927, 3169}

// forsake brings a table back to what it was before something was to be backfilled. It is
// done by the service account: the client may be gone. Where a transaction uses the table for long it is
// left for later (postpone), as others who define something would wait for that.
func (w *work) forsake(ctx context.Context, t *catalog.Table) error {
	within, cancel := context.WithTimeout(context.WithoutCancel(ctx), cmp.Or(w.Upkeep.Patience, asideMost))
	defer cancel()
	var lost error
	err := w.aside(t, func() error {
		return turn.Patiently(within, func(ctx context.Context, wait time.Duration) error {
			w.Upkeep.Mu.Lock()
			defer w.Upkeep.Mu.Unlock()
			now := w.o.Ledger.Catalog().ByID(t.ID)
			if now == nil {
				return nil
			}
			err := w.Upkeep.TakeBack(ctx, now, wait)
			if errors.Is(err, ledger.ErrLost) { // it is done when the ledger is back
				lost, err = err, nil
			}
			return err
		})
	})
	if err != nil && within.Err() != nil {
		w.o.Log.Warn("a table keeps what was to be filled for now: a transaction uses it", "table", t.FullName())
		return nil
	}
	if err = cmp.Or(err, lost); err != nil {
		w.o.Log.Error("a table keeps what was to be filled for now", "table", t.FullName(), "error", err)
	}
	return err
}
