package ddl

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"tunic/internal/catalog"
	"tunic/internal/ddl/definition"
	"tunic/internal/ddl/form"
	"tunic/internal/ddl/revision"
	"tunic/internal/ddl/showcreate"
	"tunic/internal/ddl/viewtext"
	"tunic/internal/identifier"
	"tunic/internal/sqlerr"
)

// Sweep mends what a kill may leave that the ledger does not settle. Twins that
// belong to no table are dropped: those of definitions that did not come to be, and
// of temporary tables; but not while there are other processes, whose they may be. Stored
// tables that have none get their fence, and the CHECK that a change of theirs was about
// to add, and lose what was being backfilled: who asked for it is gone. A table that others use
// or change is left for Keep. How far a table was that is not on its way any more is forgotten.
// It is to be called before the first definition, while no session has a temporary table.
func (d *Definer) Sweep(ctx context.Context) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.dropTwins(ctx); err != nil {
		return err
	}
	for t := range d.o.Ledger.Catalog().Tables() {
		if t.BackfillsForStatement() {
			later, err := d.mend(ctx, t, d.takingBack())
			if err != nil {
				return fmt.Errorf("take back what a table was filling: %w", err)
			}
			if !later {
				d.o.Log.Warn("a change that was filling a table when tunic ended is taken back", "table", t.FullName())
			}
		}
	}
	for t := range d.o.Ledger.Catalog().Tables() {
		if err := d.giveFence(ctx, t); err != nil {
			return fmt.Errorf("give a table its fence: %w", err)
		}
	}
	if err := d.dropLeftovers(ctx); err != nil {
		return err
	}
	if err := d.dropPlaces(ctx); err != nil {
		return fmt.Errorf("forget how far tables were: %w", err)
	}
	return d.mendChecks(ctx)
}

// giveFence gives a stored table a fence that has none, as one that an older tunic has
// made. A table that cannot have one is left as it is.
func (d *Definer) giveFence(ctx context.Context, t *catalog.Table) error {
	account, err := showcreate.Read(t.Definition)
	if t.Fenced || err != nil || !revision.CanBeFenced(account.Options) {
		return nil //nolint:nilerr // its own statements say what is wrong with it
	}
	later, err := d.mend(ctx, t, mending{"fence", d.fence})
	if later || err != nil && d.o.Ledger.Usable() != nil {
		return err
	}
	if err != nil {
		d.o.Log.Error("a stored table has no fence against statements of another time, and cannot be given one", "table", t.FullName(), "error", err)
		return nil
	}
	d.o.Log.Info("a stored table has got a fence", "table", t.FullName())
	return nil
}

// dropTwins drops twins that belong to nothing.
func (d *Definer) dropTwins(ctx context.Context) error {
	if alone, err := d.o.Ledger.Alone(ctx); !alone || err != nil {
		return err
	}
	rows, err := d.o.DB.QueryContext(ctx, "SELECT TABLE_NAME FROM information_schema.TABLES WHERE TABLE_SCHEMA = ?", catalog.Schema)
	if err != nil {
		return fmt.Errorf("look for twins: %w", err)
	}
	defer func() { _ = rows.Close() }()
	used := map[string]bool{}
	for t := range d.o.Ledger.Catalog().Tables() {
		used[t.Twin] = true
	}
	for v := range d.o.Ledger.Catalog().Views() {
		used[v.Twin] = true
	}
	var left []string
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			return fmt.Errorf("look for twins: %w", err)
		}
		if (strings.HasPrefix(name, definition.TwinPrefix) || strings.HasPrefix(name, viewtext.TwinPrefix)) && !used[name] {
			left = append(left, name)
		}
	}
	if err := rows.Err(); err != nil {
		return fmt.Errorf("look for twins: %w", err)
	}
	for _, name := range left {
		if w := (&work{Definer: d}); strings.HasPrefix(name, viewtext.TwinPrefix) {
			w.dropViewTwin(ctx, name)
		} else {
			w.dropTwin(ctx, name)
		}
	}
	return nil
}

// dropLeftovers drops the stored columns in which a change was making forms anew, and those of
// layers that were on their way out: those that have a name of tunic's own and are not in
// the catalog.
func (d *Definer) dropLeftovers(ctx context.Context) error {
	schemas := map[string]bool{}
	for t := range d.o.Ledger.Catalog().Tables() {
		schemas[t.Schema] = true
	}
	for schema := range schemas { // one at a time: servers open the tables of all that is asked for
		left, err := d.leftovers(ctx, schema)
		if err != nil {
			return fmt.Errorf("look for columns that are left: %w", err)
		}
		for _, t := range left {
			later, err := d.mend(ctx, t, mending{"drop leftovers", d.dropLeftoversOf})
			switch _, said := errors.AsType[*sqlerr.Error](err); {
			case said: // nobody reads them: no reason to serve nobody
				d.o.Log.Error("stored columns that a change has left cannot be taken away; the next change of the table tries again", "table", t.FullName(), "error", err)
			case err != nil:
				return fmt.Errorf("drop columns that are left: %w", err)
			case !later:
				d.o.Log.Warn("stored columns that a change had left when tunic ended are taken away", "table", t.FullName())
			}
		}
	}
	return nil
}

// leftovers are the tables of a schema in which columns are left.
func (d *Definer) leftovers(ctx context.Context, schema string) (left []*catalog.Table, err error) {
	rows, err := d.o.DB.QueryContext(ctx,
		"SELECT TABLE_NAME, COLUMN_NAME FROM information_schema.COLUMNS WHERE TABLE_SCHEMA = ? AND (COLUMN_NAME LIKE '%$eq' OR COLUMN_NAME LIKE '%$ord' OR COLUMN_NAME LIKE '%$copy')", schema)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var table, column string
		if err := rows.Scan(&table, &column); err != nil {
			return nil, err
		}
		if t := d.o.Ledger.Catalog().Table(schema, table); t != nil && !revision.StoresLayer(t, column) && !revision.Stores(t, column) && !slices.Contains(left, t) {
			left = append(left, t)
		}
	}
	return left, rows.Err()
}

// mendChecks gives stored tables the CHECK that a kill has left them without.
func (d *Definer) mendChecks(ctx context.Context) error {
	rows, err := d.o.DB.QueryContext(ctx,
		"SELECT CONSTRAINT_NAME FROM information_schema.TABLE_CONSTRAINTS WHERE CONSTRAINT_TYPE = 'CHECK' AND CONSTRAINT_NAME LIKE 'tunic$%'")
	if err != nil {
		return fmt.Errorf("look for checks: %w", err)
	}
	defer func() { _ = rows.Close() }()
	has := map[string]bool{}
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			return fmt.Errorf("look for checks: %w", err)
		}
		has[name] = true
	}
	if err := rows.Err(); err != nil {
		return fmt.Errorf("look for checks: %w", err)
	}
	for t := range d.o.Ledger.Catalog().Tables() {
		if has[form.CheckName(t)] || t.Unchecked {
			continue
		}
		if err := d.mendCheck(ctx, t); err != nil {
			return err
		}
	}
	return nil
}

// mendCheck gives one stored table its CHECK. A table that was changed around tunic so
// that it cannot have it is left as it is: its own statements are answered with what
// is wrong, and those of other tables go on.
func (d *Definer) mendCheck(ctx context.Context, t *catalog.Table) error {
	later, err := d.mend(ctx, t, mending{"check", d.check})
	switch {
	case later:
	case isGone(err):
		d.o.Log.Error("a protected table is not at the server; it was dropped around tunic", "table", t.FullName())
	case isChanged(err):
		d.o.Log.Error("a protected table was changed around tunic, and can have no check against plaintext as it is",
			"table", t.FullName(), "error", err)
	case err != nil:
		return fmt.Errorf("mend the check of table %s: %w", t.FullName(), err)
	default:
		d.o.Log.Warn("a stored table had no check against plaintext, and has one again", "table", t.FullName())
	}
	return nil
}

// check gives a stored table its CHECK, unless it has it: another process may have made the
// table since all were looked at.
func (d *Definer) check(ctx context.Context, t *catalog.Table, wait time.Duration) error {
	has, strays, err := d.checksOf(ctx, t)
	if err != nil {
		return fmt.Errorf("look for a check: %w", err)
	}
	if has || t.Unchecked {
		return nil
	}
	check := showcreate.Check{Name: form.CheckName(t), Text: "CHECK (" + form.CheckText(t) + ")"}
	statement := "ALTER TABLE " + t.QuotedName() + " ADD " + check.SQL()
	for _, name := range strays {
		statement += ", DROP CHECK " + identifier.Quoted(name)
	}
	return d.turns.Brief(ctx, statement, wait)
}

// strayCheck is how the names begin that MySQL gives the CHECKs of a table while ALTER TABLE copies
// it. Where an engine's definitions are not atomic, as MEMORY's, a kill of the server may leave them so.
const strayCheck = "#cc_"

// ChecksOf reports whether a stored table has its CHECK, and the names that MySQL has left it under.
func (d *Definer) checksOf(ctx context.Context, t *catalog.Table) (has bool, strays []string, err error) {
	rows, err := d.o.DB.QueryContext(ctx, "SELECT k.CONSTRAINT_NAME, c.CHECK_CLAUSE FROM information_schema.TABLE_CONSTRAINTS k"+
		" JOIN information_schema.CHECK_CONSTRAINTS c ON c.CONSTRAINT_SCHEMA = k.CONSTRAINT_SCHEMA AND c.CONSTRAINT_NAME = k.CONSTRAINT_NAME"+
		" WHERE k.CONSTRAINT_SCHEMA = ? AND k.TABLE_SCHEMA = ? AND k.TABLE_NAME = ? AND k.CONSTRAINT_TYPE = 'CHECK'", t.Schema, t.Schema, t.Name)
	if err != nil {
		return false, nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var name, clause string
		if err := rows.Scan(&name, &clause); err != nil {
			return false, nil, err
		}
		switch {
		case name == form.CheckName(t):
			has = true
		case strings.HasPrefix(name, strayCheck) && namesProtected(t, clause): // clients' own speak of plain columns
			strays = append(strays, name)
		}
	}
	return has, strays, rows.Err()
}

// namesProtected reports whether a CHECK is over a protected column.
func namesProtected(t *catalog.Table, clause string) bool {
	return slices.ContainsFunc(t.Columns, func(c catalog.Column) bool {
		return c.Protected() && strings.Contains(clause, identifier.Quoted(c.Name))
	})
}

// isChanged reports whether an error of the server's says that a table lacks a column
// that a CHECK names, or has rows that the CHECK does not allow, as the flavors say it.
func isChanged(err error) bool {
	const rowsMariaDB, rowsMySQL = 4025, 3819
	e, ok := errors.AsType[*sqlerr.Error](err)
	return ok && e.Code == 0 && (e.Number == noColumn || e.Number == rowsMariaDB || e.Number == rowsMySQL)
}

// isGone reports whether an error of the server's says that there is no such table.
func isGone(err error) bool {
	e, ok := errors.AsType[*sqlerr.Error](err)
	return ok && e.Code == 0 && (e.Number == noTable || e.Number == noSchema)
}
