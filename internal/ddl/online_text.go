package ddl

import (
	"context"
	"strings"
	"time"

	"tunic/internal/catalog"
	"tunic/internal/crash"
	"tunic/internal/ddl/form"
	"tunic/internal/ddl/revision"
	"tunic/internal/ddl/service"
	"tunic/internal/ledger"
)

// addColumns adds the stored columns of layers that a table is to get, before anybody knows of
// them: servers add columns at once in a statement that does nothing else, and MariaDB behind
// all others only. Columns of such names that are there are of another time, but for mine.
func (d *Definer) addColumns(ctx context.Context, t, next *catalog.Table, mine map[string]bool, wait time.Duration) error {
	leftovers, err := d.leftoversOf(ctx, t)
	if err != nil {
		return err
	}
	there := map[string]bool{}
	for _, name := range leftovers {
		if there[name] = mine[name]; !mine[name] {
			if err := d.dropLeftover(ctx, t, name, wait); err != nil {
				return err
			}
		}
	}
	var clauses []string
	for i := range next.Columns {
		for j := range next.Columns[i].Layers {
			l := &next.Columns[i].Layers[j]
			if mine[l.Stored] = !revision.StoresLayer(t, l.Stored); mine[l.Stored] && !there[l.Stored] {
				clauses = append(clauses, "ADD COLUMN "+form.Column(l.Stored, form.TokenType(l, &next.Columns[i].Type), false).Text)
			}
		}
	}
	if len(clauses) == 0 {
		return nil
	}
	return d.turns.Quiesced(ctx, t, wait, func(ctx context.Context) error {
		err := d.briefAnewIfTooWide(ctx, t, "ALTER TABLE "+t.QuotedName()+" "+strings.Join(clauses, ", "), wait)
		crash.Point("ddl.online.added")
		return err
	})
}

// dropLeftover drops a stored column that belongs to nothing.
func (d *Definer) dropLeftover(ctx context.Context, t *catalog.Table, name string, wait time.Duration) error {
	return d.turns.Quiesced(ctx, t, wait, func(ctx context.Context) error {
		err := d.briefAnewIfTooWide(ctx, t, revision.DropLeftover(t, name), wait)
		crash.Point("ddl.online.dropped")
		return outdated(t, err)
	})
}

// outdated is the error of a DropLeftover for another revision.
func outdated(t *catalog.Table, err error) error {
	if t.Fence() != "" && service.Said(err, noColumn) {
		return ledger.ErrOutdated
	}
	return err
}

// dropLeftoversOf drops the stored columns of a table that look like forms and are none: of
// layers that are gone, and of what was killed.
func (d *Definer) dropLeftoversOf(ctx context.Context, t *catalog.Table, wait time.Duration) error {
	leftovers, err := d.leftoversOf(ctx, t)
	for _, name := range leftovers {
		if err := d.dropLeftover(ctx, t, name, wait); err != nil {
			return err
		}
	}
	return err
}

// leftoversOf are the names of such columns.
func (d *Definer) leftoversOf(ctx context.Context, t *catalog.Table) (leftovers []string, err error) {
	rows, err := d.o.DB.QueryContext(ctx, "SELECT COLUMN_NAME FROM information_schema.COLUMNS WHERE TABLE_SCHEMA = ? AND TABLE_NAME = ?", t.Schema, t.Name)
	if err != nil {
		return nil, service.Error(err)
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			return nil, err
		}
		if catalog.Reserved(name) && !catalog.IsFence(name) && !revision.StoresLayer(t, name) && !revision.Stores(t, name) {
			leftovers = append(leftovers, name)
		}
	}
	return leftovers, service.Error(rows.Err())
}
