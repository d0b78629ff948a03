package ddl

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"

	"tunic/internal/catalog"
	"tunic/internal/ddl/service"
	"tunic/internal/ddl/viewtext"
	"tunic/internal/ledger"
	"tunic/internal/sqlerr"
)

// DoView is Do for a view. If what it was planned by is outdated, Again is set in the
// result, and nothing has been done.
func (d *Definer) DoView(ctx context.Context, v *viewtext.View, s Session, client Client) (Result, error) {
	w := &work{Definer: d, session: s, client: client, catalog: d.o.Ledger.Catalog()}
	if err := w.defineView(ctx, v); err != nil {
		return w.result, w.clientError(err)
	}
	return w.result, nil
}

func (w *work) defineView(ctx context.Context, v *viewtext.View) error {
	schema := v.Name.Schema
	if schema == "" {
		schema = w.session.Schema
	}
	if schema == "" {
		return &sqlerr.Error{Number: noDatabase, State: "3D000", Message: "No database selected"}
	}
	if v.Described == "" && w.catalog.View(schema, v.Name.Name) == nil {
		w.result.Forward = true
		return nil
	}
	if v.Described != "" && w.session.foreignText(v.Statement) {
		return sqlerr.DefinitionCharset(v.Name.Name)
	}
	if v.Described != "" && v.NamesStrings() {
		return sqlerr.ColumnUnnamed()
	}
	end, err := w.begin(ctx, func() []*catalog.Table { return []*catalog.Table{w.catalog.View(schema, v.Name.Name)} })
	if err != nil {
		return err
	}
	defer end()
	if slices.ContainsFunc(v.Reads, w.isOutdated) {
		w.result.Again = true
		return nil
	}
	old := w.catalog.View(schema, v.Name.Name)
	if v.Described == "" {
		return w.replaceByPlain(ctx, v, old)
	}
	return w.makeView(ctx, v, schema, old)
}

// isOutdated reports whether a table is defined otherwise than a plan has it.
func (w *work) isOutdated(r viewtext.Reads) bool {
	if r.Table != nil {
		return !w.catalog.Knows(r.Table)
	}
	return w.catalog.Table(r.Schema, r.Name) != nil || w.catalog.View(r.Schema, r.Name) != nil
}

// replaceByPlain runs a statement that may put a view that reads nothing protected into
// the place of another.
func (w *work) replaceByPlain(ctx context.Context, v *viewtext.View, old *catalog.Table) error {
	if old == nil {
		w.result.Forward = true
		return nil
	}
	err := w.removeViews(ctx, []*catalog.Table{old}, v.Statement)
	return errors.Join(err, w.heard(ctx, err))
}

// removeViews runs a statement after which views may be gone.
func (w *work) removeViews(ctx context.Context, views []*catalog.Table, statement string) error {
	steps := make([]ledger.Step, len(views))
	for i, v := range views {
		steps[i] = ledger.Step{Old: v}
	}
	done, err := w.change(ctx, steps, func(ctx context.Context) error { return w.client.Exec(ctx, statement) })
	for _, s := range done {
		w.Upkeep.DropViewTwin(ctx, s.Old.Twin)
	}
	return err
}

// makeView makes twin, stored view and entry of the catalog.
func (w *work) makeView(ctx context.Context, v *viewtext.View, schema string, old *catalog.Table) error {
	t := &catalog.Table{ID: w.newID(), Revision: 1, Schema: schema, Name: v.Name.Name}
	if old != nil {
		t.ID, t.Revision, t.Schema, t.Name = old.ID, old.Revision+1, old.Schema, old.Name
	}
	t.Twin = viewtext.TwinName(t.ID, t.Revision)
	s, err := w.service(ctx)
	if err != nil {
		return err
	}
	defer s.Close()
	if err := s.May(ctx, "SHOW VIEW", schema); err != nil {
		return err
	}
	if err := w.mirrorView(ctx, s, v, t); err != nil {
		w.Upkeep.DropViewTwin(ctx, t.Twin)
		return err
	}
	if t.View.Definer, err = w.definer(ctx, v); err != nil {
		return err
	}
	step := ledger.Step{New: t}
	if old != nil && (v.Replace || v.Alter) {
		step.Old = old
	}
	w.replaces = v.Replace || v.Alter
	statement := viewtext.Stored(v, t)
	done, err := w.change(ctx, []ledger.Step{step}, func(ctx context.Context) error { return w.client.Exec(ctx, statement) })
	switch {
	case len(done) > 0 && step.Old != nil:
		w.Upkeep.DropViewTwin(ctx, old.Twin)
	case len(done) == 0:
		w.Upkeep.DropUnused(ctx, t, t.Twin)
	}
	if err == nil && len(done) == 0 && !v.IfNotExists {
		return sqlerr.NoLedger()
	}
	return errors.Join(err, w.heard(ctx, err))
}

// RetellView makes the twin of a view anew, because what the view reads has changed. v
// has the query as it is described now. What is wrong with the query by now is the
// server's error. A session that is Locked is told sqlerr.LockWait where somebody else has the view, or
// changes definitions, for longer than WaitLocked.
func (d *Definer) RetellView(ctx context.Context, old *catalog.Table, v *viewtext.View, s Session, client Client) error {
	w := &work{Definer: d, session: s, client: client}
	if err := w.patience().lock(ctx); err != nil {
		return w.clientError(err)
	}
	defer w.Upkeep.Mu.Unlock()
	waiting, cancel := w.patience().waiting(ctx)
	defer cancel()
	unlock, err := d.o.Ledger.Lock(waiting, []catalog.ID{old.ID})
	if err != nil {
		return w.waitError(err)
	}
	defer unlock()
	if err := d.o.Ledger.Refresh(waiting, []*catalog.Table{old}); err != nil {
		return w.waitError(err)
	}
	w.catalog = d.o.Ledger.Catalog()
	if !w.catalog.Knows(old) || slices.ContainsFunc(v.Reads, w.isOutdated) {
		return nil // somebody else has been faster, or will be asked again
	}
	if err := w.retellView(ctx, waiting.Done(), old, v); err != nil {
		return w.waitError(err)
	}
	return nil
}

// retellView gives up when late is closed and others change definitions.
func (w *work) retellView(ctx context.Context, late <-chan struct{}, old *catalog.Table, v *viewtext.View) error {
	v.Algorithm, v.Security, v.Check = old.View.Algorithm, old.View.Security, old.View.Check
	t := &catalog.Table{ID: old.ID, Revision: old.Revision, Schema: old.Schema, Name: old.Name}
	t.Twin = viewtext.TwinName(t.ID, t.Revision) + "_" + strconv.FormatUint(w.catalog.Version, 10)
	s, err := w.service(ctx)
	if err != nil {
		return err
	}
	defer s.Close()
	if err := w.mirrorView(ctx, s, v, t); err != nil {
		w.Upkeep.DropViewTwin(ctx, t.Twin)
		return err
	}
	t.View.Query, t.View.Shown, t.View.Definer = old.View.Query, old.View.Shown, old.View.Definer
	t.View.Charset, t.View.Collation = old.View.Charset, old.View.Collation
	if err := w.o.Ledger.Retell(ctx, late, old, t); err != nil {
		w.Upkeep.DropViewTwin(ctx, t.Twin)
		return err
	}
	w.Upkeep.DropViewTwin(ctx, old.Twin)
	return nil
}

// waitError is clientError for something that was done with waiting.
func (w *work) waitError(err error) error {
	if w.session.Locked && (errors.Is(err, ledger.ErrBusy) || errors.Is(err, context.DeadlineExceeded)) {
		return sqlerr.LockWait()
	}
	return w.clientError(err)
}

// definer is the account that a view is to have as its definer.
func (w *work) definer(ctx context.Context, v *viewtext.View) (string, error) {
	if v.Definer != "" && !strings.HasPrefix(strings.ToUpper(v.Definer), "CURRENT_USER") {
		return viewtext.AccountOf(v.Definer), nil
	}
	rows, err := w.client.Query(ctx, "SELECT CURRENT_USER()")
	if err != nil || len(rows) == 0 {
		return "", errors.Join(err, service.NoRow(len(rows)))
	}
	return viewtext.QuoteAccount(service.Text(rows[0][0])), nil
}
