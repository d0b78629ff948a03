package ddl

import (
	"context"
	"database/sql"
	"errors"
	"slices"
	"strings"
	"time"

	"tunic/internal/catalog"
	"tunic/internal/crash"
	"tunic/internal/ddl/alteration"
	"tunic/internal/ddl/definition"
	"tunic/internal/ddl/revision"
	"tunic/internal/ddl/service"
	"tunic/internal/ddl/showcreate"
	"tunic/internal/ddl/turn"
	"tunic/internal/ddl/upkeep"
	"tunic/internal/ledger"
	"tunic/internal/sqlerr"
)

// opening is how a change of a table in place goes through the ledger. The gates stay closed
// where rows of other tables are written together with the table's own.
func (w *work) opening(old, next *catalog.Table) changer {
	if len(old.ForeignKeys) > 0 || len(next.ForeignKeys) > 0 || referredTo(w.catalog, old) {
		return w.patience().throughLedger
	}
	return func(ctx context.Context, steps []ledger.Step, _ bool, define func(context.Context) error) ([]ledger.Step, error) {
		return w.o.Ledger.ChangeOpen(ctx, steps, define)
	}
}

// referredTo says that a foreign key of a protected table leads to a table.
func referredTo(known *catalog.Catalog, t *catalog.Table) bool {
	for other := range known.Tables() {
		if slices.ContainsFunc(other.ForeignKeys, func(k catalog.ForeignKey) bool {
			return k.Schema == t.Schema && catalog.Folded(k.Table) == catalog.Folded(t.Name)
		}) {
			return true
		}
	}
	return false
}

// inPlace makes a change in place; it is false if the server cannot. The CHECK against plaintext
// goes if it would be another one, because servers add it by a copy alone.
func (w *work) inPlace(ctx context.Context, c *alteration.Change, l *definition.Logical, from *showcreate.Table) (ok bool, err error) {
	if c.Definition.Temporary || c.Copies || c.Crosses() || w.session.Locked || !c.Old.Fenced || !l.Table.Fenced || !l.Protects() {
		return false, nil
	}
	if has, err := w.hasRows(ctx, c.Old); err != nil || !has {
		return false, err // a copy of nothing takes no time, and has the columns and the CHECK as they belong
	}
	copied := l.Table.Unchecked
	l.Table.Unchecked = c.Old.Unchecked || !c.SameCheck(l.Table, nil, w.o.Flavor)
	if err := w.dropLeftoversFrom(ctx, c.Old, from); err != nil {
		return false, err
	}
	x := w.rewriting(c, l).difference(from, nil, keepCheck)
	x.Standing, x.Aside = true, func(column *showcreate.Column, taken bool) (string, bool) { return c.AsideText(from, column, taken) }
	x.Relax(c, l.Table)
	if ahead := x.AddAhead(l.Table); len(ahead) > 0 {
		err := turn.AnewIfTooWide(ctx, c.Old, "ALTER TABLE "+c.Old.QuotedName()+" "+strings.Join(ahead, ", "), w.client.Exec)
		switch {
		case service.Said(err, service.RowTooWide, service.TooManyColumns): // together with the columns that go
			l.Table.Unchecked = copied
			return false, nil
		case err != nil:
			w.dropAside(ctx, c.Old, err)
			return true, storedError(err, l.Table)
		}
		crash.Point("ddl.ahead")
		x.SetAside = true
	}
	statement := w.rewriting(c, l).statement(x, turn.InPlace)
	done, err := w.changeInPlace(ctx, c.Old, l.Table, func(ctx context.Context) error {
		return w.execAll(ctx, c, l, []string{statement})
	})
	if x.SetAside {
		w.dropAside(ctx, c.Old, err)
	}
	if !done && service.CannotInPlace(err) {
		l.Table.Unchecked = copied
		return false, nil
	}
	return true, storedError(err, l.Table)
}

// dropLeftoverNow is dropLeftover for the client's own statement, which waits as the client's does.
func (w *work) dropLeftoverNow(ctx context.Context, t *catalog.Table, name string) error {
	return storedError(upkeep.Outdated(t, turn.AnewIfTooWide(ctx, t, revision.DropLeftover(t, name, w.o.Flavor), w.client.Exec)), t)
}

// dropLeftoversFrom drops columns that belong to nothing from what is stored: they may have the names
// that columns get.
func (w *work) dropLeftoversFrom(ctx context.Context, t *catalog.Table, from *showcreate.Table) error {
	leftovers, err := w.Upkeep.LeftoversOf(ctx, t)
	if err != nil {
		return err
	}
	for _, name := range leftovers {
		if err := w.dropLeftoverNow(ctx, t, name); err != nil {
			return err
		}
		from.Columns = slices.DeleteFunc(from.Columns, func(c showcreate.Column) bool { return catalog.Folded(c.Name) == catalog.Folded(name) })
	}
	return nil
}

// asideMost is how long a statement that is done tries to drop what it has set aside before
// it leaves that for later.
const asideMost = 5 * time.Second

// dropAside drops the columns that were set aside by a change that has ended with an error, or none.
// What it does not come to is mended later; so is all where it is not known yet what has become
// of the change, which it is where the server has said what is wrong with it and the ledger has taken
// that down: what looks like a column of nobody's may be one of the table to come.
func (w *work) dropAside(ctx context.Context, t *catalog.Table, cause error) {
	crash.Point("ddl.aside")
	said, answered := errors.AsType[*sqlerr.Error](cause)
	if cause != nil && (!answered || said.Code != 0) || w.o.Ledger.Usable() != nil {
		w.Upkeep.Postpone(t, w.Upkeep.TakingBack())
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), asideMost)
	defer cancel()
	err := w.aside(t, func() error {
		return turn.Patiently(ctx, func(ctx context.Context, wait time.Duration) error {
			now := w.o.Ledger.Catalog().ByID(t.ID)
			if now == nil {
				return nil
			}
			return w.Upkeep.DropLeftoversOf(ctx, now, wait)
		})
	})
	if err != nil {
		w.Upkeep.Postpone(t, w.Upkeep.TakingBack())
	}
}

// hasRows says that a table has some rows, as the service account sees it.
func (w *work) hasRows(ctx context.Context, t *catalog.Table) (bool, error) {
	var one int
	err := w.o.DB.QueryRowContext(ctx, "SELECT 1 FROM "+t.QuotedName()+" LIMIT 1").Scan(&one)
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil
	}
	return err == nil, service.Error(err)
}

// changeInPlace brings a table to its next revision by a definition that is made in place.
func (w *work) changeInPlace(ctx context.Context, old, next *catalog.Table, define func(context.Context) error) (done bool, err error) {
	steps, err := w.changeBy(ctx, w.opening(old, next), []ledger.Step{{Old: old, New: next}}, define)
	return len(steps) > 0, err
}
