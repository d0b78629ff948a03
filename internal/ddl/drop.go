package ddl

import (
	"context"
	"errors"

	"tunic/internal/catalog"
	"tunic/internal/identifier"
	"tunic/internal/ledger"
	"tunic/internal/sql/ast"
)

// drop is of DROP TABLE. The statement runs as it is: stored tables have the names
// of the logical ones.
func (w *work) drop(ctx context.Context, stmt *ast.DropTable) error {
	statement, err := w.printed(stmt)
	if err != nil {
		return err
	}
	if done, err := w.dropHiding(ctx, stmt); done {
		return err
	}
	temporary, permanent := w.dropped(stmt)
	if len(temporary) == 0 && len(permanent) == 0 {
		w.result.Forward = true
		return nil
	}
	if len(permanent) == 0 {
		err = w.client.Exec(ctx, statement)
	} else {
		var end func()
		if end, err = w.begin(ctx, func() []*catalog.Table { _, all := w.dropped(stmt); return all }); err != nil {
			return err
		}
		defer end()
		_, permanent = w.dropped(stmt)
		err = w.remove(ctx, permanent, statement)
	}
	if len(temporary) > 0 {
		w.forget(ctx, temporary, err)
	}
	return errors.Join(err, w.heard(ctx, err))
}

// dropped are the protected tables that the statement names. A temporary table
// hides another of its name.
func (w *work) dropped(stmt *ast.DropTable) (temporary, permanent []*catalog.Table) {
	seen := map[*catalog.Table]bool{}
	for _, name := range stmt.FromTables {
		schema, table, err := w.name(name)
		if err != nil {
			continue // the server says so
		}
		t, own := w.table(schema, table)
		switch {
		case t == nil || seen[t]:
		case own:
			temporary = append(temporary, t)
		case !stmt.Temp:
			permanent = append(permanent, t)
		}
		seen[t] = true
	}
	return temporary, permanent
}

// remove runs a statement that drops tables.
func (w *work) remove(ctx context.Context, tables []*catalog.Table, statement string) error {
	if len(tables) == 0 {
		return w.client.Exec(ctx, statement)
	}
	steps := make([]ledger.Step, len(tables))
	for i, t := range tables {
		steps[i] = ledger.Step{Old: t}
	}
	done, err := w.change(ctx, steps, func(ctx context.Context) error { return w.client.Exec(ctx, statement) })
	w.Upkeep.DropTwins(ctx, done)
	return err
}

// forget finds which temporary tables are gone. After an error that may be some.
func (w *work) forget(ctx context.Context, tables []*catalog.Table, failed error) {
	for _, t := range tables {
		if failed != nil && w.isTemporary(ctx, tableName{t.Schema, t.Name}) {
			continue
		}
		w.result.Dropped = append(w.result.Dropped, t)
		w.Upkeep.DropTwin(ctx, t.Twin)
	}
}

// Forget drops the twin of a temporary table whose session has ended.
func (d *Definer) Forget(ctx context.Context, t *catalog.Table) {
	d.Upkeep.DropTwin(ctx, t.Twin)
}

// dropSchema is of DROP DATABASE.
func (w *work) dropSchema(ctx context.Context, stmt *ast.DropDatabase) error {
	if len(w.tablesOf(stmt.DBName.String())) == 0 {
		w.result.Forward = true
		return nil
	}
	end, err := w.begin(ctx, func() []*catalog.Table { return w.tablesOf(stmt.DBName.String()) })
	if err != nil {
		return err
	}
	defer end()
	statement := "DROP DATABASE "
	if stmt.IfExists {
		statement += "IF EXISTS "
	}
	err = w.remove(ctx, w.tablesOf(stmt.DBName.String()), statement+identifier.Quoted(stmt.DBName.String()))
	return errors.Join(err, w.heard(ctx, err))
}

// tablesOf are the protected tables of a schema, and the views over such.
func (w *work) tablesOf(schema string) (found []*catalog.Table) {
	found = w.catalog.ViewsOf(schema)
	for t := range w.catalog.Tables() {
		if t.Schema == schema || w.catalog.Folds() && catalog.Folded(t.Schema) == catalog.Folded(schema) {
			found = append(found, t)
		}
	}
	return found
}
