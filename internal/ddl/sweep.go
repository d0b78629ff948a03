package ddl

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/go-sql-driver/mysql"

	"tunic/internal/catalog"
)

// Sweep mends what a kill may leave that the ledger does not settle. Twins that
// belong to no table are dropped: those of definitions that did not come to be, and
// of temporary tables. Stored tables get the CHECK that a change of theirs was about
// to add, and lose what was being filled: who asked for it is gone. It is to be called
// before the first definition, while no session has a temporary table.
func (d *Definer) Sweep(ctx context.Context) error {
	d.mu.Lock()
	defer d.mu.Unlock()
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
		if (strings.HasPrefix(name, twinPrefix) || strings.HasPrefix(name, viewTwinPrefix)) && !used[name] {
			left = append(left, name)
		}
	}
	if err := rows.Err(); err != nil {
		return fmt.Errorf("look for twins: %w", err)
	}
	for _, name := range left {
		if w := (&work{Definer: d}); strings.HasPrefix(name, viewTwinPrefix) {
			w.dropViewTwin(ctx, name)
		} else {
			w.dropTwin(ctx, name)
		}
	}
	for t := range d.o.Ledger.Catalog().Tables() {
		if !t.Fills() {
			continue
		}
		if err := d.forsake(ctx, t); err != nil {
			return fmt.Errorf("take back what a table was filling: %w", err)
		}
		d.o.Log.Warn("a change that was filling a table when tunic ended is taken back", "table", shownName(t))
	}
	if err := d.dropSpares(ctx); err != nil {
		return err
	}
	return d.mendChecks(ctx)
}

// dropSpares drops the stored columns in which a change was making forms anew: those
// that have a name of tunic's own and are not in the catalog.
func (d *Definer) dropSpares(ctx context.Context) error {
	schemas := map[string]bool{}
	for t := range d.o.Ledger.Catalog().Tables() {
		schemas[t.Schema] = true
	}
	for schema := range schemas { // one at a time: servers open the tables of all that is asked for
		left, err := d.spares(ctx, schema)
		if err != nil {
			return fmt.Errorf("look for columns that are left: %w", err)
		}
		for t, clauses := range left {
			if _, err := d.o.DB.ExecContext(ctx, "ALTER TABLE "+fullName(t)+" "+strings.Join(clauses, ", ")); err != nil {
				return fmt.Errorf("drop columns that are left: %w", err)
			}
			d.o.Log.Warn("a change of a column's type when tunic ended is taken back", "table", shownName(t))
		}
	}
	return nil
}

// spares are the clauses that drop the columns that are left in a schema, by table.
func (d *Definer) spares(ctx context.Context, schema string) (left map[*catalog.Table][]string, err error) {
	rows, err := d.o.DB.QueryContext(ctx,
		"SELECT TABLE_NAME, COLUMN_NAME FROM information_schema.COLUMNS WHERE TABLE_SCHEMA = ? AND COLUMN_NAME LIKE '%$eq'", schema)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	left = map[*catalog.Table][]string{}
	for rows.Next() {
		var table, column string
		if err := rows.Scan(&table, &column); err != nil {
			return nil, err
		}
		if t := d.o.Ledger.Catalog().Table(schema, table); t != nil && !storesLayer(t, column) {
			left[t] = append(left[t], "DROP COLUMN "+quoteName(column))
		}
	}
	return left, rows.Err()
}

// storesLayer says that a stored column is one of the table's layers.
func storesLayer(t *catalog.Table, column string) bool {
	for i := range t.Columns {
		for _, l := range t.Columns[i].Layers {
			if foldName(l.Stored) == foldName(column) {
				return true
			}
		}
	}
	return false
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
		if has[checkName(t)] {
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
	check := shownCheck{Name: checkName(t), Text: "CHECK (" + checkText(t) + ")"}
	switch _, err := d.o.DB.ExecContext(ctx, "ALTER TABLE "+fullName(t)+" ADD "+check.text()); {
	case isGone(err):
		d.o.Log.Error("a protected table is not at the server; it was dropped around tunic", "table", shownName(t))
	case isChanged(err):
		d.o.Log.Error("a protected table was changed around tunic, and can have no check against plaintext as it is",
			"table", shownName(t), "error", err)
	case err != nil:
		return fmt.Errorf("mend the check of table %s: %w", shownName(t), err)
	default:
		d.o.Log.Warn("a stored table had no check against plaintext, and has one again", "table", shownName(t))
	}
	return nil
}

// shownName is a table's name for who runs tunic.
func shownName(t *catalog.Table) string { return t.Schema + "." + t.Name }

// isChanged reports whether an error of the server's says that a table lacks a column
// that a CHECK names, or has rows that the CHECK does not allow, as the flavors say it.
func isChanged(err error) bool {
	const rowsMariaDB, rowsMySQL = 4025, 3819
	e, ok := errors.AsType[*mysql.MySQLError](err)
	return ok && (e.Number == noColumn || e.Number == rowsMariaDB || e.Number == rowsMySQL)
}

// isGone reports whether an error of the server's says that there is no such table.
func isGone(err error) bool {
	e, ok := errors.AsType[*mysql.MySQLError](err)
	return ok && (e.Number == noTable || e.Number == noSchema)
}
