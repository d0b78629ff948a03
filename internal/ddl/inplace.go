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
	"tunic/internal/ddl/definition"
	"tunic/internal/ddl/form"
	"tunic/internal/ddl/revision"
	"tunic/internal/ddl/showcreate"
	"tunic/internal/ledger"
	"tunic/internal/policy"
	"tunic/internal/sql/ast"
	"tunic/internal/sqlerr"
	"tunic/internal/value"
)

// A change of a table with a fence is made while clients go on, if the server can: in place,
// without a lock, and with the gates open. What is planned for the table as it was is right
// until the server has changed it, and names another fence from then on. Where the server
// cannot, it says so before it has done anything, and copies the table then, which lets nobody
// write.

// asksCopy says that a statement wants the table to be copied.
func asksCopy(stmt *ast.AlterTable) bool {
	return slices.ContainsFunc(stmt.AlterOptions, func(o ast.AlterOption) bool {
		algorithm, ok := o.(ast.AlgorithmValue)
		return ok && catalog.Folded(string(algorithm)) == "copy"
	})
}

// opening is how a change of a table in place goes through the ledger. The gates stay closed
// where rows of other tables are written together with the table's own.
func (w *work) opening(old, next *catalog.Table) changer {
	if len(old.ForeignKeys) > 0 || len(next.ForeignKeys) > 0 || referredTo(w.catalog, old) {
		return w.throughLedger
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
func (w *work) inPlace(ctx context.Context, c *change, l *definition.Logical, from *showcreate.Table) (ok bool, err error) {
	if c.d.Temporary || c.copies || c.crosses() || w.session.Locked || !c.old.Fenced || !l.Table.Fenced || !l.Protects() {
		return false, nil
	}
	if has, err := w.hasRows(ctx, c.old); err != nil || !has {
		return false, err // a copy of nothing takes no time, and has the columns and the CHECK as they belong
	}
	copied := l.Table.Unchecked
	l.Table.Unchecked = c.old.Unchecked || !c.sameCheck(l.Table, nil, w.o.Flavor)
	if err := w.dropSparesFrom(ctx, c.old, from); err != nil {
		return false, err
	}
	x := w.differenceOf(c, l, from, nil, keepCheck)
	x.standing, x.aside = true, func(column *showcreate.Column, taken bool) (string, bool) { return c.asideText(from, column, taken) }
	x.relax(c, l.Table)
	if ahead := x.addAhead(l.Table); len(ahead) > 0 {
		err := roomily(ctx, c.old, "ALTER TABLE "+c.old.QuotedName()+" "+strings.Join(ahead, ", "), w.client.Exec)
		switch {
		case answeredWith(err, rowTooWide, tooManyColumns): // together with the columns that go
			l.Table.Unchecked = copied
			return false, nil
		case err != nil:
			w.dropAside(ctx, c.old, err)
			return true, storedError(err, l.Table)
		}
		crash.Point("ddl.ahead")
		x.setAside = true
	}
	statement := w.statementOf(c, l, x, inPlace)
	done, err := w.changeInPlace(ctx, c.old, l.Table, func(ctx context.Context) error {
		return w.execAll(ctx, c, l, []string{statement})
	})
	if x.setAside {
		w.dropAside(ctx, c.old, err)
	}
	if !done && cannotInPlace(err) {
		l.Table.Unchecked = copied
		return false, nil
	}
	return true, storedError(err, l.Table)
}

// dropSpareNow is dropSpare for the client's own statement, which waits as the client's does.
func (w *work) dropSpareNow(ctx context.Context, t *catalog.Table, name string) error {
	return storedError(outdated(t, roomily(ctx, t, revision.DropLeftover(t, name), w.client.Exec)), t)
}

// dropSparesFrom drops columns that belong to nothing from what is stored: they may have the names
// that columns get.
func (w *work) dropSparesFrom(ctx context.Context, t *catalog.Table, from *showcreate.Table) error {
	spares, err := w.sparesOf(ctx, t)
	if err != nil {
		return err
	}
	for _, name := range spares {
		if err := w.dropSpareNow(ctx, t, name); err != nil {
			return err
		}
		from.Columns = slices.DeleteFunc(from.Columns, func(c showcreate.Column) bool { return catalog.Folded(c.Name) == catalog.Folded(name) })
	}
	return nil
}

// asideText gives a stored column that is about to go a name of tunic's, under which nobody writes
// it: servers drop columns at once in a statement of its own, and make the table anew, or copy it,
// where that comes together with anything else. It is "" if it has such a name and needs nothing, and
// false where the column has to be dropped with the rest: what the server has to say of that is the
// client's to hear, and not every column can be given a value to go on with.
func (c *change) asideText(from *showcreate.Table, column *showcreate.Column, taken bool) (clause string, ok bool) {
	parts := showcreate.PartsOf(column.Text)
	bare := parts.NotNull && parts.Value.Empty()
	at := c.old.Column(column.Name)
	sealed := at < 0 || c.old.Columns[at].Protected()
	if !sealed && (c.old.Columns[at].Generated || c.old.Columns[at].AutoIncrement || from.Reads(column.Name) || bare && !plainlyEmpty(&c.old.Columns[at], column)) {
		return "", false
	}
	name := column.Name
	if taken || !catalog.Reserved(name) {
		name = catalog.PastName(name, policy.Equality)
	}
	switch {
	case !bare && name == column.Name:
		return "", true
	case !bare:
		return "RENAME COLUMN " + catalog.Quoted(column.Name) + " TO " + catalog.Quoted(name), true
	}
	definition := column.Text[len(catalog.Quoted(column.Name)):]
	value := form.EmptyForm(strings.ToLower(strings.TrimSuffix(strings.TrimSpace(definition), " NOT NULL")))
	if !sealed {
		value = form.NoValue(&c.old.Columns[at])
	}
	return "CHANGE COLUMN " + catalog.Quoted(column.Name) + " " + catalog.Quoted(name) + definition + " DEFAULT " + value, true
}

// plainlyEmpty reports whether a plain column can be given 0 or ” as its default by what the server
// shows of it, whatever the sql_mode, and without a warning of something that goes out of use.
func plainlyEmpty(c *catalog.Column, column *showcreate.Column) bool {
	text := catalog.Folded(showcreate.BodyOf(column.Text))
	if strings.Contains(text, "zerofill") || strings.Contains(text, "character set") || strings.Contains(text, "collate") {
		return false
	}
	switch k := c.Type.Kind; {
	case k.IsInteger():
		return true
	case k == value.Decimal:
		return !strings.Contains(text, "unsigned")
	default:
		return k == value.Char || k == value.VarChar || k == value.Binary || k == value.VarBinary
	}
}

// relax lets the stored columns of what is NOT NULL take NULL as they do, where rows have got them
// while clients went on: no row has it, and to make them otherwise is to make the table anew. A
// column that takes NULL until now is made otherwise, and the server looks for rows that have it.
func (x *difference) relax(c *change, next *catalog.Table) {
	text := map[string]string{}
	for i := range x.from.Columns {
		text[catalog.Folded(x.from.Columns[i].Name)] = x.from.Columns[i].Text
	}
	takes := map[string]bool{}
	for i := range x.to.Columns {
		to := &x.to.Columns[i]
		from := text[catalog.Folded(x.names[catalog.Folded(to.Name)])]
		if from != "" && !showcreate.PartsOf(from).NotNull && strings.HasSuffix(to.Text, " NOT NULL") {
			takes[catalog.Folded(to.Name)] = true
		}
	}
	relaxed := map[string]bool{}
	for i := range next.Columns {
		column := &next.Columns[i]
		old := c.before(column.Name)
		if !column.Protected() || old == nil || !old.Type.NotNull {
			continue
		}
		relaxed[catalog.Folded(column.Name)] = takes[catalog.Folded(column.Name)]
		column.Nullable = column.Nullable || takes[catalog.Folded(column.Name)]
		for j := range column.Layers {
			l := &column.Layers[j]
			if takes[catalog.Folded(l.Stored)] && !inPrimary(next, column.Name, l.Capability) {
				relaxed[catalog.Folded(l.Stored)], l.Nullable = true, true
			}
		}
	}
	for i := range x.to.Columns {
		if to := &x.to.Columns[i]; relaxed[catalog.Folded(to.Name)] {
			to.Text = strings.TrimSuffix(to.Text, " NOT NULL") + " DEFAULT NULL"
		}
	}
}

// addAhead are the clauses that add the stored columns of new protected ones under names of
// tunic's, as columns that belong to nothing yet: servers add columns at once in a statement that
// does nothing else.
func (x *difference) addAhead(next *catalog.Table) (clauses []string) {
	from := *x.from
	from.Columns = slices.Clone(from.Columns)
	for i := range next.Columns {
		if c := &next.Columns[i]; c.Protected() {
			names := []string{c.Name}
			for j := range c.Layers {
				names = append(names, c.Layers[j].Stored)
			}
			for _, name := range names {
				at := x.to.Place(name)
				if _, there := x.names[catalog.Folded(name)]; there || at < 0 || !strings.HasSuffix(x.to.Columns[at].Text, " DEFAULT NULL") {
					continue
				}
				ahead := showcreate.Column{Name: form.AheadName(name), Text: catalog.Quoted(form.AheadName(name)) + showcreate.BodyOf(x.to.Columns[at].Text)}
				x.names[catalog.Folded(name)] = ahead.Name
				from.Columns = append(from.Columns, ahead)
				clauses = append(clauses, "ADD COLUMN "+ahead.Text)
			}
		}
	}
	x.from = &from
	return clauses
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
		w.postpone(t, w.takingBack())
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), asideMost)
	defer cancel()
	err := w.aside(t, func() error {
		return patiently(ctx, func(ctx context.Context, wait time.Duration) error {
			now := w.o.Ledger.Catalog().ByID(t.ID)
			if now == nil {
				return nil
			}
			return w.dropSparesOf(ctx, now, wait)
		})
	})
	if err != nil {
		w.postpone(t, w.takingBack())
	}
}

// hasRows says that a table has some rows, as the service account sees it.
func (w *work) hasRows(ctx context.Context, t *catalog.Table) (bool, error) {
	var one int
	err := w.o.DB.QueryRowContext(ctx, "SELECT 1 FROM "+t.QuotedName()+" LIMIT 1").Scan(&one)
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil
	}
	return err == nil, (&service{}).serverError(err)
}

// changeInPlace brings a table to its next revision by a definition that is made in place.
func (w *work) changeInPlace(ctx context.Context, old, next *catalog.Table, define func(context.Context) error) (done bool, err error) {
	steps, err := w.changeBy(ctx, w.opening(old, next), []ledger.Step{{Old: old, New: next}}, define)
	return len(steps) > 0, err
}

// Numbers of the server's errors that say that a change cannot be made in place.
const (
	notSupported       = 1845 // ER_ALTER_OPERATION_NOT_SUPPORTED
	notSupportedReason = 1846 // ER_ALTER_OPERATION_NOT_SUPPORTED_REASON
	logTooBig          = 1799 // ER_INNODB_ONLINE_LOG_TOO_BIG
	nullNotAllowed     = 1138 // ER_INVALID_USE_OF_NULL: a copy says which row
	tooManyColumns     = 1117 // ER_TOO_MANY_FIELDS
)

// cannotInPlace says that a change is to be made by a copy. MariaDB also looks in a CHECK for
// the name that a column had (checkHandling).
func cannotInPlace(err error) bool {
	return answeredWith(err, notSupported, notSupportedReason, logTooBig, nullNotAllowed, rowTooWide, noColumn)
}
