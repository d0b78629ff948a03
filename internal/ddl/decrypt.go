package ddl

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"tunic/internal/catalog"
	"tunic/internal/crash"
	"tunic/internal/ddl/definition"
	"tunic/internal/ddl/form"
	"tunic/internal/ddl/revision"
	"tunic/internal/ddl/showcreate"
	"tunic/internal/ddl/turn"
	"tunic/internal/identifier"
	"tunic/internal/layers"
	"tunic/internal/ledger"
	"tunic/internal/policy"
	"tunic/internal/sqlerr"
	"tunic/internal/value"
)

// A protected table comes to be a plain one in steps, each of which looks at what is there and
// does what is missing, so that whoever goes on after a kill begins with the first of them:
//
//	Solidify      MariaDB only: the fence becomes a column that is not computed, beside which the
//	              server moves others without copying the table
//	Bare          each protected column gets a plain form (catalog.PlainForm), which everything
//	              writes that writes the column, and nobody reads
//	BackfillBare  rows from before get theirs, and all rows are looked at
//	Shape         the plain forms get their place and NOT NULL, in place; keys over them are made
//	SwapBare      one statement gives the plain forms the names of the columns, and these others:
//	              from now on they are read. The catalog has the table as one of plain columns
//	PurgeBared    what was stored of the protected columns is dropped
//	Leave         one statement takes fence and mark: the table is nobody's but the server's
//
// None of them copies the table under a lock, and none keeps clients waiting behind a
// definition for longer than it takes (brief).

// NotBared is why a table cannot be decrypted.
type NotBared struct {
	// Column is "" where it is about the whole table.
	Column, Why, Fix string
}

func (e *NotBared) Error() string {
	if e.Column == "" {
		return "the table cannot be decrypted: " + e.Why
	}
	return "column " + e.Column + " cannot be decrypted: " + e.Why
}

// Decryptable looks whether all protected columns of a table of a catalog can be made plain:
// nil, or a *NotBared. It needs no more of o than the policy and the flavor, and asks nobody.
func Decryptable(o Options, known *catalog.Catalog, t *catalog.Table) error {
	if t.Bared {
		return nil
	}
	d := New(o)
	whole := d.hinderedWhole(known, t)
	for i := range t.Columns {
		c := &t.Columns[i]
		switch {
		case whole != nil:
			return whole
		case c.Generated && !c.Protected() && d.o.Flavor == value.MariaDB:
			return &NotBared{c.Name, "the server computes it, and can move no column beside it while clients write", "drop the generated column, and add it again afterwards"}
		case !c.Protected():
			continue
		}
		switch {
		case c.Type.Kind == value.Timestamp && c.Type.NotNull && d.o.Flavor == value.MariaDB:
			return &NotBared{c.Name, "MariaDB makes no TIMESTAMP NOT NULL while clients write", "leave it protected, or copy the rows to a plain table"}
		case revision.NotShadowed(t, c) != nil:
			return &NotBared{c.Name, "its values are computed, are in the primary key or in a unique key that takes its place, or do not come back exactly as they were", "leave it protected, or copy the rows to a plain table"}
		}
	}
	return d.stillProtected(t)
}

// hinderedWhole is what is about the whole table.
func (d *Definer) hinderedWhole(known *catalog.Catalog, t *catalog.Table) error {
	switch {
	case t.Encrypting():
		return &NotBared{Why: "it is being encrypted", Fix: "wait until that is done"}
	case !t.Fenced:
		return &NotBared{Why: "its engine has no place for a fence", Fix: "copy the rows to a plain table"}
	case len(t.Checks) > 0:
		return &NotBared{Why: "a CHECK is over a protected column", Fix: "drop the CHECK, and add it again afterwards"}
	case !layers.CanBackfill(t):
		return &NotBared{Why: "no primary or unique key tells its rows apart", Fix: "give it a primary key"}
	case revision.Referred(known, t):
		return &NotBared{Why: "a foreign key is over a protected column", Fix: "drop the foreign key, and add it again when both tables are plain"}
	}
	for v := range known.Views() {
		if slices.ContainsFunc(v.View.Over, func(of catalog.ViewOver) bool { return of.Schema == t.Schema && of.Name == t.Name }) {
			return &NotBared{Why: "a view reads it", Fix: "drop the view, and make it again afterwards"}
		}
	}
	for i := range t.Columns {
		for _, l := range t.Columns[i].Layers {
			if l.State != catalog.Ready && !l.Bare() {
				return &NotBared{Column: t.Columns[i].Name, Why: "a layer of it is on its way", Fix: "wait for the job, or cancel it"}
			}
		}
	}
	return nil
}

// stillProtected refuses columns that the policy would have protected where the table is made
// anew. What an annotation says is the administrator's own word, which the command takes back;
// the comment stays.
func (d *Definer) stillProtected(t *catalog.Table) error {
	w := &work{Definer: d}
	spec, err := w.parsed(t.Definition, t.Name)
	if err != nil {
		return err
	}
	about := &definition.Definition{Schema: t.Schema, Table: t.Name, Spec: spec}
	r := &definition.Decider{Policy: d.Policy()}
	for _, def := range spec.Columns {
		c := definition.Column{ColumnDefinition: def}
		if at := t.Column(c.NameText()); at < 0 || !t.Columns[at].Protected() {
			continue
		}
		if err := r.Column(about, &c); err != nil {
			return err
		}
		if c.Protected() && c.Decision.By != policy.ByAnnotation {
			return &NotBared{c.NameText(), "the policy protects it", "have the policy say plain of it, for every tunic that serves the table, and start them again"}
		}
	}
	return nil
}

// DecryptStep is a step of Decrypt, and what it is called.
type DecryptStep struct {
	Name string
	// Done of Steps are done.
	Done, Steps int
	// Passed is how far the step is that goes through rows.
	Passed
}

// Decrypt makes a table a plain one, while clients use it, whatever has been done of that
// before. told is told of each step, and now and then within one; it may be nil, and is what
// pace tells to. It is ErrTableGone if the table is not in the catalog, and has nothing left of a
// decryption.
func (d *Definer) Decrypt(ctx context.Context, schema, table string, pace Pace, told func(DecryptStep)) error {
	now := DecryptStep{Steps: 7}
	tell := func() {
		if told != nil {
			told(now)
		}
	}
	pace.Told = func(p Passed) {
		now.Passed = p
		tell()
	}
	if t := d.o.Ledger.Catalog().Table(schema, table); t != nil {
		steps := []struct {
			name string
			do   func(context.Context, catalog.ID) error
		}{
			{"prepare", d.Solidify},
			{"add plain forms", d.Bare},
			{"fill", func(ctx context.Context, id catalog.ID) error { return d.BackfillBare(ctx, id, pace) }},
			{"shape", d.Shape},
			{"exchange", d.SwapBare},
			{"purge", d.PurgeBared},
		}
		for i, s := range steps {
			now.Name, now.Done, now.Passed = s.name, i, Passed{Compared: now.Compared}
			tell()
			if err := s.do(ctx, t.ID); err != nil {
				return err
			}
			crash.Point("ddl.bare.step")
		}
	} else if left, err := d.hasColumn(ctx, &catalog.Table{Schema: schema, Name: table}, revision.LeftFence); err != nil || !left {
		return cmp.Or(err, ErrTableGone)
	}
	now.Name, now.Done, now.Passed = "leave", now.Steps-1, Passed{Compared: now.Compared}
	tell()
	return d.Leave(ctx, schema, table)
}

// bareStep is a step of a table that is decrypted, if it is still what it may be done to.
func (d *Definer) bareStep(ctx context.Context, table catalog.ID, do func(ctx context.Context, t *catalog.Table, wait time.Duration) error) error {
	return d.step(ctx, table, func(ctx context.Context, t *catalog.Table, wait time.Duration) error {
		if t.BackfillsForStatement() {
			return d.forsakeBriefly(ctx, t, wait) // and again
		}
		if err := Decryptable(d.options(), d.o.Ledger.Catalog(), t); err != nil {
			return err
		}
		return do(ctx, t, wait)
	})
}

// Solidify gives a table of MariaDB a fence that is not a computed column.
func (d *Definer) Solidify(ctx context.Context, table catalog.ID) error {
	if d.o.Flavor != value.MariaDB {
		return nil
	}
	return d.bareStep(ctx, table, func(ctx context.Context, t *catalog.Table, wait time.Duration) error {
		virtual, err := d.countColumns(ctx, t, "COLUMN_NAME = ? AND EXTRA LIKE '%GENERATED%'", t.Fence())
		if err != nil {
			return err
		}
		if virtual > 0 {
			if err := d.freshColumn(ctx, t, revision.BareFence, "tinyint", wait); err != nil {
				return err
			}
			crash.Point("ddl.bare.fence")
			next := *t
			next.Revision++
			swap := "ALTER TABLE " + t.QuotedName() + " RENAME COLUMN " + identifier.Quoted(t.Fence()) + " TO " + identifier.Quoted(revision.LeftFence) +
				", RENAME COLUMN " + identifier.Quoted(revision.BareFence) + " TO " + identifier.Quoted(next.Fence()) + ", COMMENT=" + showcreate.QuoteString(ledger.Mark(&next)) + inPlace
			if err := d.changeBriefly(ctx, t, &next, swap, wait); err != nil {
				return err
			}
		}
		return d.dropIfThere(ctx, t, revision.LeftFence, wait)
	})
}

func (d *Definer) countColumns(ctx context.Context, t *catalog.Table, condition, name string) (n int, err error) {
	err = d.o.DB.QueryRowContext(ctx, "SELECT COUNT(*) FROM information_schema.COLUMNS WHERE TABLE_SCHEMA = ? AND TABLE_NAME = ? AND "+condition, t.Schema, t.Name, name).Scan(&n)
	return n, err
}

// freshColumn makes an invisible stored column. One of the name may be of another time.
func (d *Definer) freshColumn(ctx context.Context, t *catalog.Table, name, typ string, wait time.Duration) error {
	if err := d.dropIfThere(ctx, t, name, wait); err != nil {
		return err
	}
	return d.briefAnewIfTooWide(ctx, t, "ALTER TABLE "+t.QuotedName()+" ADD COLUMN "+identifier.Quoted(name)+" "+typ+" DEFAULT NULL INVISIBLE", wait)
}

func (d *Definer) dropIfThere(ctx context.Context, t *catalog.Table, name string, wait time.Duration) error {
	has, err := d.hasColumn(ctx, t, name)
	if err != nil || !has {
		return err
	}
	return d.dropLeftover(ctx, t, name, wait)
}

// Bare has every write of a table write the plain forms of its protected columns from now on.
func (d *Definer) Bare(ctx context.Context, table catalog.ID) error {
	return d.bareStep(ctx, table, func(ctx context.Context, t *catalog.Table, wait time.Duration) error {
		if t.Baring() {
			return nil
		}
		next := revision.CopyOf(t)
		for i := range next.Columns {
			c := &next.Columns[i]
			if !c.Protected() {
				continue
			}
			l := catalog.Layer{Capability: catalog.PlainForm, Scheme: catalog.AsIs, State: catalog.Backfilling, Nullable: true, Stored: catalog.StoredName(c.Name, catalog.PlainForm)}
			c.Layers = append(c.Layers, l)
			if err := d.freshColumn(ctx, t, l.Stored, form.BareType(c)+revision.TakesNone, wait); err != nil {
				return err
			}
			crash.Point("ddl.bare.added")
		}
		next.Revision++
		return d.changeBriefly(ctx, t, next.Table, revision.Alter(t, next.Table, nil), wait)
	})
}

// BackfillBare gives the rows of a table the plain forms that they lack, at a pace that leaves the
// server to its clients, and looks at all rows: a sealed form opened and its plain form are one,
// byte for byte as the server shows it. Errors are those of package layers, and the server's.
func (d *Definer) BackfillBare(ctx context.Context, table catalog.ID, pace Pace) error {
	for tries := 0; ; tries++ {
		c := d.o.Ledger.Catalog()
		t := c.ByID(table)
		switch {
		case t == nil:
			return ErrTableGone
		case t.Bared:
			return nil
		}
		at := d.passage(pace, t, "bare")
		job := layers.Job{
			DB: d.o.DB, Ring: d.ring(), Table: t, Log: d.o.Log,
			Paced: true, Progress: at, Gate: at.gate, Looked: at.looked,
		}
		err := job.Backfill(ctx)
		if !errors.Is(err, layers.ErrMoved) {
			return err
		}
		if d.o.Ledger.CatchUp(ctx.Done(), []*catalog.Table{t}, c.Version) {
			tries = 0 // somebody has changed something
		}
		if tries > movedMax {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(turn.AgainSoon):
		}
	}
}

// storedUnchanged is storedNow of a table that has to be the one that the catalog has.
func (d *Definer) storedUnchanged(ctx context.Context, t *catalog.Table) (*showcreate.Table, error) {
	stored, err := d.storedNow(ctx, t)
	if err != nil {
		return nil, err
	}
	if _, mark := showcreate.OptionComment(stored.Options); showcreate.UnquoteString(stored.Options[mark.From:mark.To]) != ledger.Mark(t) || !stored.TakeFence(t.Fence()) {
		return nil, sqlerr.ChangedAround(t.Name, "its comment or its fence is not tunic's mark of it")
	}
	return stored, nil
}
