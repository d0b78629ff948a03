package ddl

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"

	"tunic/internal/catalog"
	"tunic/internal/crash"
	"tunic/internal/ddl/definition"
	"tunic/internal/ddl/form"
	"tunic/internal/ddl/pace"
	"tunic/internal/ddl/revision"
	"tunic/internal/ddl/service"
	"tunic/internal/ddl/showcreate"
	"tunic/internal/ddl/turn"
	"tunic/internal/ddl/upkeep"
	"tunic/internal/identifier"
	"tunic/internal/layers"
	"tunic/internal/value"
)

// BackfillShadows gives the rows of a table what its shadow columns are to have, and looks at all of them. Errors are
// those of package layers, and the server's.
func (d *Definer) BackfillShadows(ctx context.Context, e *Encryption) error {
	t := d.find(e)
	switch {
	case t == nil:
		return upkeep.ErrTableGone
	case !t.Encrypting():
		return nil
	}
	job := layers.Job{DB: d.o.DB, Ring: d.ring(), Table: t, Log: d.o.Log}
	if e.Pace != nil {
		at := pace.Of(d.o.Ledger, *e.Pace, t, "copies")
		job.Paced, job.Progress, job.Gate, job.Looked, job.Locked = true, at, at.Gate, at.Looked, at.Locked
	}
	return job.Backfill(ctx)
}

// SwapShadows puts the shadow columns of a table in the place of what they shadow.
func (d *Definer) SwapShadows(ctx context.Context, e *Encryption) error {
	t := d.find(e)
	switch {
	case t == nil:
		return upkeep.ErrTableGone
	case !t.Encrypting():
		return nil
	}
	return d.Upkeep.Step(ctx, t.ID, func(ctx context.Context, t *catalog.Table, wait time.Duration) error {
		if !t.Encrypting() {
			return nil
		}
		w := e.work(d)
		s, err := w.service(ctx)
		if err != nil {
			return err
		}
		defer s.Close()
		l, err := w.swapped(ctx, s, t)
		if err != nil {
			return err
		}
		err = w.swapShadows(ctx, s, t, l, wait)
		if t := d.o.Ledger.Catalog().ByID(t.ID); t != nil && t.Twin != l.Table.Twin {
			s.Drop(context.WithoutCancel(ctx), l.Table.Twin)
		}
		return err
	})
}

// swapped is the table that comes of one whose columns have shadows. Its twin stays.
func (w *work) swapped(ctx context.Context, s *service.Connection, t *catalog.Table) (*definition.Logical, error) {
	spec, err := definition.Parse(t.Definition, t.Name, w.session.Modes)
	if err != nil {
		return nil, err
	}
	if w.o.Flavor == value.MariaDB {
		definition.AdoptJSON(spec)
	}
	keep := map[string]definition.Kept{}
	for i := range t.Known() {
		c := &t.Columns[i]
		k := definition.Kept{Settled: true}
		if at := t.PlainShadow(i); at >= 0 {
			k.Protection = t.Columns[at].Protection
			for _, l := range t.Columns[at].Layers {
				k.Add(&l)
			}
		}
		keep[catalog.Folded(c.Name)] = k
	}
	d := &definition.Definition{Schema: t.Schema, Table: t.Name, Spec: spec}
	r := &definition.Decider{Policy: w.rules(), Keep: keep, Parents: w.parents(ctx)}
	if err := r.Decide(d); err != nil {
		return nil, err
	}
	next := definition.NewTwin(t.ID, t.Revision+1)
	next.Name += "_" + strconv.FormatUint(w.catalog.Version, 10) // as that of any change
	s.Drop(ctx, next.Name)                                       // one that was left by a kill
	l, err := w.mirrored(ctx, s, d, next)
	if err != nil {
		return nil, err
	}
	if err := revision.TakeShadows(t, l.Table); err != nil {
		s.Drop(context.WithoutCancel(ctx), l.Table.Twin)
		return nil, err
	}
	return l, nil
}

// swapShadows makes the keys that are missing, and then the swap.
func (w *work) swapShadows(ctx context.Context, s *service.Connection, t *catalog.Table, l *definition.Logical, wait time.Duration) error {
	rows, err := s.Query(ctx, "SHOW CREATE TABLE "+t.QuotedName())
	if err != nil || len(rows) == 0 {
		return errors.Join(err, service.NoRow(len(rows)))
	}
	stored, err := showcreate.Read(service.Text(rows[0][1]))
	if err != nil {
		return err
	}
	if err := upkeep.Unchanged(stored, t); err != nil {
		return err
	}
	var clauses []string
	for i := range l.Table.Keys {
		k := &l.Table.Keys[i]
		if !slices.ContainsFunc(k.Parts, func(p catalog.Part) bool { return p.Layer != 0 }) {
			continue
		}
		clauses = append(clauses, "RENAME KEY "+identifier.Quoted(k.Name)+" TO "+identifier.Quoted(revision.KeyAside(i)), "RENAME KEY "+identifier.Quoted(revision.KeyAhead(i))+" TO "+identifier.Quoted(k.Name))
		if slices.ContainsFunc(stored.Keys, func(k showcreate.Key) bool { return k.Name == revision.KeyAhead(i) }) {
			continue
		}
		made := form.Key(l.Table, &l.Shown.Keys[i], k)
		made.Head = strings.Replace(made.Head, identifier.Quoted(k.Name), identifier.Quoted(revision.KeyAhead(i)), 1)
		if err := w.Upkeep.Turns.Beside(ctx, "ALTER TABLE "+t.QuotedName()+" ADD "+made.SQL(), turn.InPlace, wait); err != nil {
			return err
		}
		crash.Point("ddl.swap.key")
	}
	columns, err := revision.ShadowSwap(t, l.Table, stored)
	if err != nil {
		return err
	}
	return w.Upkeep.ChangeBriefly(ctx, t, l.Table, revision.Alter(t, l.Table, append(columns, clauses...)), wait)
}

// Purge drops the plain columns that were swapped, and has the server make the table anew
// in place. How far rows were gone through nobody needs to know by then: behind the last of what is
// done here nobody would come back to forget it.
func (d *Definer) Purge(ctx context.Context, e *Encryption) error {
	t := d.find(e)
	if t == nil {
		return upkeep.ErrTableGone
	}
	return d.Upkeep.Step(ctx, t.ID, d.Upkeep.DespiteRolledBack(func(ctx context.Context, t *catalog.Table, how string, wait time.Duration) error {
		return d.purge(ctx, e, t, how, wait)
	}))
}

func (d *Definer) purge(ctx context.Context, e *Encryption, t *catalog.Table, how string, wait time.Duration) error {
	if err := pace.ForgetPlace(ctx, d.o.Ledger, t); err != nil {
		return err
	}
	w := e.work(d)
	s, err := w.service(ctx)
	if err != nil {
		return err
	}
	defer s.Close()
	account, err := w.shownNow(ctx, s, e)
	if err != nil {
		return err
	}
	for _, drop := range d.asideTexts(t, account, how) {
		if err := d.Upkeep.Turns.Beside(ctx, drop.statement, drop.how, wait); err != nil {
			return err
		}
		crash.Point("ddl.purge.dropped")
	}
	if modified := revision.Visible(t, account); len(modified) > 0 {
		if err := d.Upkeep.Turns.Beside(ctx, "ALTER TABLE "+t.QuotedName()+" "+strings.Join(modified, ", ")+", FORCE", how, wait); err != nil {
			return err
		}
		crash.Point("ddl.purge.anew")
	}
	return nil
}

// HasPlainLeft reports whether a table whose columns were swapped is still to be purged.
func (d *Definer) HasPlainLeft(ctx context.Context, schema, table string) (bool, error) {
	t := d.o.Ledger.Catalog().Table(schema, table)
	if t == nil || t.Encrypting() {
		return false, nil
	}
	var name, definition string
	if err := d.o.DB.QueryRowContext(ctx, "SHOW CREATE TABLE "+t.QuotedName()).Scan(&name, &definition); err != nil {
		return false, service.Error(err)
	}
	account, err := showcreate.Read(definition)
	if err != nil {
		return false, err
	}
	return len(d.asideTexts(t, account, turn.InPlace)) > 0 || len(revision.Visible(t, account)) > 0, nil
}

// drop is a statement that drops something, and how the server is to do it, if it can.
type drop struct{ statement, how string }

// asideTexts drop the keys and columns that were swapped for others, in place as how says. MariaDB
// drops columns beside a virtual one, which the fence is, only by themselves and in an instant.
func (d *Definer) asideTexts(t *catalog.Table, account *showcreate.Table, how string) (statements []drop) {
	var keys, columns []string
	for i := range account.Keys {
		if name := account.Keys[i].Name; strings.HasPrefix(name, catalog.KeyAsidePrefix) {
			keys = append(keys, "DROP KEY "+identifier.Quoted(name))
		}
	}
	for i := range account.Columns {
		if name := account.Columns[i].Name; strings.HasSuffix(catalog.Folded(name), catalog.AsideName("")) {
			columns = append(columns, "DROP COLUMN "+identifier.Quoted(name))
		}
	}
	if len(keys) > 0 {
		statements = append(statements, drop{"ALTER TABLE " + t.QuotedName() + " " + strings.Join(keys, ", "), how})
	}
	if d.o.Flavor == value.MariaDB {
		how = ", ALGORITHM=INSTANT"
	}
	if len(columns) > 0 {
		statements = append(statements, drop{"ALTER TABLE " + t.QuotedName() + " " + strings.Join(columns, ", "), how})
	}
	return statements
}
