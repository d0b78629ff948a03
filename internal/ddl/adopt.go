package ddl

import (
	"context"
	"errors"
	"regexp"
	"slices"
	"strings"
	"time"

	"tunic/internal/catalog"
	"tunic/internal/crash"
	"tunic/internal/ddl/bystander"
	"tunic/internal/ddl/definition"
	"tunic/internal/ddl/pace"
	"tunic/internal/ddl/revision"
	"tunic/internal/ddl/service"
	"tunic/internal/ddl/showcreate"
	"tunic/internal/ddl/turn"
	"tunic/internal/ddl/upkeep"
	"tunic/internal/identifier"
	"tunic/internal/layers"
	"tunic/internal/ledger"
	"tunic/internal/policy"
	"tunic/internal/sqlerr"
	"tunic/internal/value"
)

// A table that is there, with rows and clients, comes to be protected in five steps, each
// of which looks at what is there and does what is missing, so that whoever goes on after a
// kill begins with the first of them:
//
//	Adopt            the table is in the catalog, as one of plain columns, of which some have a
//	                 shadow (catalog.Column.Shadows): a sealed form and its layers
//	Fence            the stored table has a fence
//	BackfillShadows  rows from before get what the shadows are to have, and all rows are looked at
//	SwapShadows      keys over the shadows' layers are made; then one statement gives the shadows
//	                 the names of the plain columns, and these others: from now on they are read
//	Purge            the plain columns are dropped, and the table is made anew in place, so that
//	                 no page has anything of them
//
// None of them copies the table, and none keeps clients waiting behind a definition for
// longer than it takes (package turn).

// Encryption is a table that is to be protected.
type Encryption struct {
	Schema, Table string
	// Columns are those to protect; all that the policy protects if there are none.
	Columns []string
	// Session and Client are a session of the service account's.
	Session Session
	Client  Client
	// Pace is how rows are backfilled beside clients; nil is without regard for any.
	Pace *pace.Pace
}

// ErrProtected says that a table is protected already, and not by this.
var ErrProtected = errors.New("ddl: the table is protected already")

func (e *Encryption) work(d *Definer) *work {
	return &work{Definer: d, session: e.Session, client: e.Client, catalog: d.o.Ledger.Catalog()}
}

// find is the table as the catalog has it, nil if it is plain.
func (d *Definer) find(e *Encryption) *catalog.Table {
	return d.o.Ledger.Catalog().Table(e.Schema, e.Table)
}

// Adopt has the catalog know a plain table, with shadows of the columns that are to be
// protected. What cannot be protected is a refusal, as in CREATE TABLE.
func (d *Definer) Adopt(ctx context.Context, e *Encryption) error {
	return turn.Patiently(ctx, func(ctx context.Context, wait time.Duration) error {
		if !d.Upkeep.Mu.TryLock() {
			return turn.ErrElsewhere
		}
		defer d.Upkeep.Mu.Unlock()
		if d.find(e) != nil {
			return nil
		}
		return e.work(d).adopt(ctx, e, wait)
	})
}

// Planned is what Adopt would make of a table: the columns that would get a shadow, and its keys
// with the layers that they would be over. Nothing of it stays.
func (d *Definer) Planned(ctx context.Context, e *Encryption) (*catalog.Table, error) {
	d.Upkeep.Mu.Lock()
	defer d.Upkeep.Mu.Unlock()
	w := e.work(d)
	s, err := w.service(ctx)
	if err != nil {
		return nil, err
	}
	defer s.Close()
	account, err := w.shownNow(ctx, s, e)
	if err != nil {
		return nil, err
	}
	left := revision.LeftOf(account) // Adopt drops them
	account.Columns = slices.DeleteFunc(account.Columns, func(c showcreate.Column) bool { return slices.Contains(left, c.Name) })
	l, err := w.protectedFrom(ctx, s, e, account, definition.NewTwin(w.newID(), 2), e.chosen)
	if l == nil {
		return nil, err
	}
	s.Drop(context.WithoutCancel(ctx), l.Table.Twin)
	return l.Table, err
}

func (w *work) adopt(ctx context.Context, e *Encryption, wait time.Duration) error {
	s, err := w.service(ctx)
	if err != nil {
		return err
	}
	defer s.Close()
	account, err := w.shownNow(ctx, s, e)
	if err != nil {
		return err
	}
	if left := revision.LeftOf(account); len(left) > 0 {
		for i, name := range left {
			left[i] = "DROP COLUMN " + identifier.Quoted(name)
		}
		if err := w.Upkeep.Turns.Brief(ctx, "ALTER TABLE "+e.name()+" "+strings.Join(left, ", "), wait); err != nil {
			return err
		}
		if account, err = w.shownNow(ctx, s, e); err != nil {
			return err
		}
	}
	id := w.newID()
	full, err := w.protectedFrom(ctx, s, e, account, definition.NewTwin(id, 2), e.chosen)
	if err != nil {
		return err
	}
	defer s.Drop(context.WithoutCancel(ctx), full.Table.Twin)
	if err := mayShadow(account, full.Table); err != nil {
		return err
	}
	plain, err := w.protectedFrom(ctx, s, e, account, definition.NewTwin(id, 1), func(*definition.Column) bool { return false })
	if err != nil {
		return err
	}
	next := revision.Shadowing(plain.Table, full.Table)
	step := []ledger.Step{{New: next}}
	if err := bystander.Uncovered(ctx, w.o.DB, w.catalog, step); err != nil {
		return err
	}
	done, err := w.o.Ledger.ChangeWithin(ctx, adoptWait, step, func(ctx context.Context) error {
		if err := w.stillShown(ctx, s, e, account); err != nil {
			return err
		}
		if err := w.Upkeep.Turns.Brief(ctx, revision.AddShadowColumns(next, full.Table), wait); err != nil {
			return err
		}
		crash.Point("ddl.adopt.copied")
		if err := w.stillShown(ctx, s, e, account); err != nil { // one that was under way is done by now
			return err
		}
		return w.Upkeep.Turns.Brief(ctx, "ALTER TABLE "+e.name()+" COMMENT="+showcreate.QuoteString(ledger.Mark(next)), wait)
	})
	if len(done) == 0 {
		s.Drop(context.WithoutCancel(ctx), next.Twin)
		return err
	}
	return nil
}

// mayShadow refuses a table that cannot get shadows beside clients. Whoever has looked before may have seen another definition.
func mayShadow(account *showcreate.Table, full *catalog.Table) error {
	engine, _ := showcreate.OptionEngine(account.Options)
	switch {
	case !strings.EqualFold(engine, "InnoDB"):
		return sqlerr.DefinitionForm(full.Name, "another engine than InnoDB")
	case showcreate.OptionPartitions(account.Options) >= 0:
		return sqlerr.DefinitionForm(full.Name, "to be partitioned while it comes to be protected")
	case !layers.CanBackfill(full):
		return sqlerr.DefinitionForm(full.Name, "to be without a primary key, or a unique key without NULL, that tells its rows apart")
	}
	return revision.CanShadow(full)
}

// adoptWait is how long the change waits until nobody is inside the gate of a table that
// few know of yet.
const adoptWait = time.Second

func (e *Encryption) name() string {
	return identifier.Quoted(e.Schema) + "." + identifier.Quoted(e.Table)
}

// chosen says that a column is to be protected, if the policy has it so.
func (e *Encryption) chosen(c *definition.Column) bool {
	return len(e.Columns) == 0 || slices.ContainsFunc(e.Columns, func(name string) bool { return strings.EqualFold(name, c.NameText()) })
}

// Wants reports whether the policy protects a column, be it that the definition of its table
// lets it stay plain.
func (d *Definer) Wants(c policy.Column) bool {
	decision, err := d.Policy().Column(c)
	return err == nil && decision.Protected
}

// LeavesPlain reports whether the policy leaves a column plain, as its comment says.
func (d *Definer) LeavesPlain(c policy.Column) bool {
	decision, err := d.Policy().Column(c)
	return err == nil && !decision.Protected
}

// shownNow is what the server says of a table.
func (w *work) shownNow(ctx context.Context, s *service.Connection, e *Encryption) (*showcreate.Table, error) {
	rows, err := s.Query(ctx, "SHOW CREATE TABLE "+e.name())
	if err != nil || len(rows) == 0 {
		return nil, errors.Join(err, service.NoRow(len(rows)))
	}
	account, err := showcreate.Read(service.Text(rows[0][1]))
	if err != nil {
		return nil, sqlerr.DefinitionForm(e.Table, "a definition with parts that tunic cannot read")
	}
	return account, nil
}

// stillShown looks whether a table is what it was when the one to come was made of it. Until
// nobody is inside its gate any more it is a plain table, of which clients change the definition.
// Where one has it is ErrElsewhere, and the work begins again with what there is now. A server
// shows the definition from before a change that is under way, and only a definition of one's
// own waits for that.
func (w *work) stillShown(ctx context.Context, s *service.Connection, e *Encryption, was *showcreate.Table) error {
	is, err := w.shownNow(ctx, s, e)
	if err != nil {
		return err
	}
	left := revision.LeftOf(is) // the shadows, once they are there
	is.Columns = slices.DeleteFunc(is.Columns, func(c showcreate.Column) bool { return slices.Contains(left, c.Name) })
	parts := func(account *showcreate.Table) string {
		one := *account
		one.Options = nextNumber.ReplaceAllString(one.Options, "") // which changes with each row
		return one.SQL("CREATE TABLE", e.name())
	}
	if parts(is) != parts(was) {
		return turn.ErrElsewhere
	}
	return nil
}

var nextNumber = regexp.MustCompile(` AUTO_INCREMENT=\d+`)

// protectedFrom makes the table that the definition of a plain one would be, with the
// columns protected that the policy protects and chosen has. The twin stays.
func (w *work) protectedFrom(ctx context.Context, s *service.Connection, e *Encryption, account *showcreate.Table, t *definition.Twin, chosen func(*definition.Column) bool) (*definition.Logical, error) {
	spec, err := definition.Parse(account.SQL("CREATE TABLE", identifier.Quoted(e.Table)), e.Table, w.session.Modes)
	if err != nil {
		return nil, err
	}
	if w.o.Flavor == value.MariaDB {
		definition.AdoptJSON(spec)
	}
	d := &definition.Definition{Schema: e.Schema, Table: e.Table, Spec: spec}
	r := &definition.Decider{Policy: w.rules(), Parents: w.parents(ctx), Chosen: chosen}
	if err := r.Decide(d); err != nil {
		return nil, err
	}
	return w.mirrored(ctx, s, d, t)
}

func (w *work) mirrored(ctx context.Context, s *service.Connection, d *definition.Definition, t *definition.Twin) (*definition.Logical, error) {
	err := w.readable(d)
	if err == nil {
		err = d.Refuse()
	}
	if err != nil {
		return nil, err
	}
	d.Like = true // nobody is to be told of what the server thinks of an old definition
	l, err := w.mirror(ctx, s, d, t)
	if err != nil {
		s.Drop(context.WithoutCancel(ctx), t.Name)
	}
	return l, err
}

// Fence gives the stored table its fence. No statement is in flight then that does not name it.
func (d *Definer) Fence(ctx context.Context, e *Encryption) error {
	t := d.find(e)
	if t == nil {
		return upkeep.ErrTableGone
	}
	if err := d.Upkeep.Step(ctx, t.ID, d.Upkeep.Fence); err != nil {
		return err
	}
	return turn.Patiently(ctx, func(ctx context.Context, _ time.Duration) error { return d.o.Ledger.AwaitInFlight(ctx, adoptWait) })
}
