package ddl

import (
	"context"
	"errors"
	"strings"

	"tunic/internal/catalog"
	"tunic/internal/crash"
	"tunic/internal/ddl/bystander"
	"tunic/internal/ddl/definition"
	"tunic/internal/ddl/service"
	"tunic/internal/ddl/showcreate"
	"tunic/internal/ledger"
	tsql "tunic/internal/sql"
	"tunic/internal/sqlerr"
)

// makeWithRows makes a stored table together with its rows, and the twin t of it is dropped
// if it does not come to that.
func (w *work) makeWithRows(ctx context.Context, s *service.Connection, d *definition.Definition, l *definition.Logical) error {
	made, err := w.makeAndInsert(ctx, s, d, l)
	if !made {
		w.Upkeep.DropUnused(ctx, l.Table, l.Table.Twin)
	}
	if err == nil && !made {
		return w.existing(d)
	}
	return err
}

// makeAndInsert makes a stored table and has its rows inserted. It is not made, without an error,
// if a plain table has the name and the statement has IF NOT EXISTS.
func (w *work) makeAndInsert(ctx context.Context, s *service.Connection, d *definition.Definition, l *definition.Logical) (made bool, err error) {
	if err := w.made.Ready(l.Table, w.made.OwnNames()); err != nil {
		return false, err
	}
	account := l.Stored()
	if !d.Temporary {
		account.Options = strings.Replace(account.Options, showcreate.QuoteString(ledger.Mark(l.Table)), showcreate.QuoteString(ledger.Unfinished(l.Table)), 1)
	}
	outright := *d
	outright.IfNotExists = false
	statement := definition.Respell(definition.CreateText(&outright, account), w.session.Modes)
	if d.Temporary {
		return w.makeTemporaryAndInsert(ctx, l, statement)
	}
	if err := errors.Join(s.May(ctx, "DROP", d.Schema), w.free(ctx, []ledger.Step{{New: l.Table}})); err != nil {
		return false, err
	}
	created := false
	done, err := w.o.Ledger.Change(ctx, []ledger.Step{{New: l.Table}}, func(ctx context.Context) error {
		err := bystander.Uncovered(ctx, w.o.DB, w.catalog, []ledger.Step{{New: l.Table}}) // everybody knows the name by now
		if err == nil {
			err = storedError(w.client.Exec(ctx, statement), l.Table)
		}
		if created = err == nil; !created {
			return err
		}
		if err := w.tighten(ctx); err != nil {
			return err
		}
		return w.insertRows(ctx, l.Table)
	})
	e, said := errors.AsType[*sqlerr.Error](err)
	switch {
	case w.o.Ledger.Usable() != nil && err != nil:
		w.o.Log.Error("the ledger has not taken a definition", "error", err)
		return false, sqlerr.NoLedger()
	case said && !created && d.IfNotExists && e.Number == tableExists:
		return false, nil
	}
	return len(done) > 0, err
}

// insertRows has the rows inserted, and gives the table its mark. It is the service account that
// does: who may make a table and insert into it need not be able to change it. The
// client's transaction is ended before, since it holds the server's lock on the table.
func (w *work) insertRows(ctx context.Context, t *catalog.Table) error {
	crash.Point("ddl.made.empty")
	err := w.made.Insert(t, w.made.OwnNames())
	if ended := w.client.Exec(context.WithoutCancel(ctx), tsql.TextCommit); err == nil {
		err = ended
	}
	if err != nil {
		return err
	}
	crash.Point("ddl.made.filled")
	_, err = w.o.DB.ExecContext(ctx, "ALTER TABLE "+t.QuotedName()+" COMMENT="+showcreate.QuoteString(ledger.Mark(t)))
	return err
}

// makeTemporaryAndInsert makes a temporary table together with its rows.
func (w *work) makeTemporaryAndInsert(ctx context.Context, l *definition.Logical, statement string) (made bool, err error) {
	if err := w.client.Exec(ctx, statement); err != nil {
		return false, storedError(err, l.Table)
	}
	if err := w.made.Insert(l.Table, w.made.OwnNames()); err != nil {
		return false, errors.Join(err, w.client.Exec(context.WithoutCancel(ctx), "DROP TEMPORARY TABLE "+l.Table.QuotedName()))
	}
	w.result.Temporary = l.Table
	return true, nil
}
