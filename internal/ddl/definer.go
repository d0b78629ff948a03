package ddl

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"log/slog"
	"slices"
	"strings"
	"sync/atomic"

	"tunic/internal/catalog"
	"tunic/internal/crypt"
	"tunic/internal/ddl/decryption"
	"tunic/internal/ddl/definition"
	"tunic/internal/ddl/layering"
	"tunic/internal/ddl/service"
	"tunic/internal/ddl/upkeep"
	"tunic/internal/ledger"
	"tunic/internal/policy"
	tsql "tunic/internal/sql"
	"tunic/internal/sql/ast"
	"tunic/internal/sqlerr"
	"tunic/internal/value"
	"tunic/internal/value/charset"
)

// Options are what a Definer stands on.
type Options struct {
	// DB is the service account's.
	DB     *sql.DB
	Ledger *ledger.Ledger
	// Policy is the one to begin with.
	Policy *policy.Policy
	Flavor value.Flavor
	// Seals count what is sealed when rows are backfilled; nil is for nobody to see.
	Seals *crypt.Seals
	Log   *slog.Logger
}

// Definer makes, changes and drops protected tables. It may be used by many
// goroutines; definitions are made one after the other, as the ledger has it.
type Definer struct {
	o      Options
	policy atomic.Pointer[policy.Policy]
	newID  func() catalog.ID

	services service.Idle

	// Upkeep changes stored tables for tunic itself, and knows who changes which.
	Upkeep *upkeep.Tables
	// Layers brings layers up and takes them down.
	Layers *layering.Layers
	// Decryption makes protected tables plain ones.
	Decryption *decryption.Decryption
}

// New makes a Definer.
func New(o Options) *Definer {
	u := upkeep.New(o.DB, o.Ledger, o.Log)
	d := &Definer{o: o, newID: catalog.NewID, Upkeep: u, Layers: &layering.Layers{Tables: u, Seals: o.Seals}}
	d.Decryption = &decryption.Decryption{Tables: u, Flavor: o.Flavor, Policy: d.Policy, Seals: o.Seals}
	d.SetPolicy(o.Policy)
	return d
}

// ring makes the cryptography of some work.
func (d *Definer) ring() *crypt.Ring { return crypt.NewRingCounting(d.o.Ledger.Tree(), d.o.Seals) }

// Close lets go of the connections that it keeps between definitions.
func (d *Definer) Close() { d.services.Close() }

// Client is the connection of the client that defines something. Its privileges
// and its session decide. Statements are in UTF-8 and are written for the
// session's modes. What the server refuses is a *sqlerr.Error without a code of
// tunic's own.
type Client interface {
	// Exec runs a statement without rows.
	Exec(ctx context.Context, statement string) error
	// Query runs a statement and returns its rows; NULL is nil.
	Query(ctx context.Context, statement string) ([][]*string, error)
}

// Session is what of a client's session a definition's meaning depends on.
type Session struct {
	// Schema is the current one, "" without.
	Schema string
	Modes  tsql.Modes
	Env    value.Env
	// Collation is the collation by which texts of a definition are read: collation_connection,
	// or one that is not of UTF-8 where they are not in UTF-8. Connection is collation_connection
	// in any case, Charset character_set_client.
	Collation, Connection *charset.Collation
	Charset               string
	// Locked says that the server keeps definitions as they are for the session, which others may wait for:
	// it has locked tables with LOCK TABLES, or its transaction has used some.
	Locked bool
	// Frozen is why the session keeps everybody from defining anything, tunic's own
	// account included; nil if it does not.
	Frozen *sqlerr.Error
	// Temporary finds a temporary protected table of the session; nil without any.
	Temporary func(schema, table string) *catalog.Table
	// Adopt makes views of tunic's of the server's; nil where nobody can.
	Adopt Adopt
	// Annotates says that the client's account may annotate columns.
	Annotates bool
}

// Result is what came of a statement that was not refused.
type Result struct {
	// Forward says that the statement does not touch protected tables: the server
	// gets it as it came. Nothing else is set then.
	Forward  bool
	Warnings []service.Warning
	// Heard says that what the server has to say of the statement is among them.
	Heard bool
	// Rowless says that a plain server copies no row for the change, and reports none,
	// whatever the change of the stored table reports.
	Rowless bool
	// Looked says that tunic has looked at the Rows of the table for a new CHECK, as a plain
	// server does that copies them for it.
	Looked bool
	Rows   uint64
	// Layers are those that the definition has brought and that no rule of the policy names,
	// if the client is to be told of them.
	Layers []NewLayer
	// Temporary is a temporary table that was made or changed. It is the session's
	// to keep: the catalog does not know it.
	Temporary *catalog.Table
	// Again says that a view was planned by what is outdated.
	Again bool
	// Dropped are temporary tables that are gone.
	Dropped []*catalog.Table
}

// work is one statement on its way.
type work struct {
	*Definer
	session Session
	client  Client
	catalog *catalog.Catalog
	result  Result
	made    *Made      // of a table that is made with rows; else nil
	brought []NewLayer // by the definition, if it comes to be
	policy  *policy.Policy
	// replaces says that the statement replaces a view of its name; adopted are views that were the
	// server's until now; spoken is what the server has said of the statement, if others came after it.
	replaces bool
	adopted  []*adopted
	spoken   []service.Warning
}

// Do runs a statement that defines something, or says that it is to be forwarded.
// Errors are *sqlerr.Error: refusals with a code of tunic's own, and what the
// server has said, with the names that the client knows.
//
// Every statement that makes, changes, renames or drops a table or a schema has to
// pass here, those on plain tables included: a foreign key or an annotation may
// speak of protected data.
func (d *Definer) Do(ctx context.Context, stmt ast.Statement, s Session, client Client) (Result, error) {
	w := &work{Definer: d, session: s, client: client, catalog: d.o.Ledger.Catalog()}
	if err := w.touchesOwn(stmt); err != nil {
		return Result{}, err
	}
	if d.o.Flavor == value.MariaDB {
		definition.BareDefaults(stmt)
	}
	var err error
	switch stmt := stmt.(type) {
	case *ast.CreateTable:
		err = w.create(ctx, stmt)
	case *ast.DropTable:
		err = w.drop(ctx, stmt)
	case *ast.DropDatabase:
		err = w.dropSchema(ctx, stmt)
	case *ast.RenameTable:
		err = w.rename(ctx, stmt)
	case *ast.DropView:
		err = w.dropView(ctx, stmt)
	case *ast.AlterTable:
		err = w.alter(ctx, stmt)
	case *ast.TruncateTable, *ast.CreateDatabase, *ast.AlterDatabase:
		w.result.Forward = true // neither definition nor catalog change
	default:
		err = sqlerr.StatementRefused("this definition")
	}
	return w.done(err)
}

// done is what has come of a definition.
func (w *work) done(err error) (Result, error) {
	if err != nil {
		return w.result, w.clientError(err)
	}
	if !w.result.Forward {
		w.result.Layers = w.brought
	}
	return w.result, nil
}

// touchesOwn refuses whatever names tunic's own schema.
func (w *work) touchesOwn(stmt ast.Statement) error {
	own := strings.EqualFold(w.session.Schema, catalog.Schema)
	visit := func(n ast.Node) (bool, error) {
		if t, ok := n.(ast.TableName); ok {
			q := t.Qualifier.String()
			own = own || strings.EqualFold(q, catalog.Schema)
		}
		return true, nil
	}
	switch stmt := stmt.(type) {
	case *ast.RenameTable:
		for _, p := range stmt.TablePairs {
			if err := ast.Walk(visit, p.FromTable, p.ToTable); err != nil {
				return err
			}
		}
	case *ast.DropDatabase:
		own = strings.EqualFold(stmt.DBName.String(), catalog.Schema)
	case *ast.CreateDatabase:
		own = strings.EqualFold(stmt.DBName.String(), catalog.Schema)
	case *ast.AlterDatabase:
		own = strings.EqualFold(stmt.DBName.String(), catalog.Schema)
	default:
		if err := ast.Walk(visit, stmt); err != nil {
			return err
		}
	}
	if own {
		return sqlerr.OwnSchema()
	}
	return nil
}

// clientError makes an error one that a client may see.
func (w *work) clientError(err error) error {
	if service.Said(err, service.RowTooWide) {
		return sqlerr.RowSize()
	}
	if e, ok := errors.AsType[*sqlerr.Error](err); ok {
		return e
	}
	if w.o.Log != nil {
		w.o.Log.Error("a definition has failed", "error", err)
	}
	return sqlerr.NoLedger()
}

// begin makes the client's statement the only definition, and ends its
// transaction, as every definition does. Without that, somebody who holds locks
// and waits here would keep waiting who holds mu and waits for the locks. Tables that
// the statement concerns and that are being backfilled are waited for.
func (w *work) begin(ctx context.Context, concerns func() []*catalog.Table) (end func(), err error) {
	if w.session.Frozen != nil {
		return nil, w.session.Frozen
	}
	if err := w.client.Exec(ctx, tsql.TextCommit); err != nil {
		return nil, err
	}
	late := w.late()
	for {
		if err := w.lock(ctx); err != nil {
			return nil, err
		}
		w.catalog = w.o.Ledger.Catalog()
		tables := concerns()
		busy, err := w.busy(tables), error(nil)
		if busy == nil {
			var unlock func()
			if unlock, err = w.lockTables(ctx, tables, concerns); unlock != nil {
				return func() { unlock(); w.Upkeep.Mu.Unlock() }, nil
			}
		}
		w.Upkeep.Mu.Unlock()
		if errors.Is(err, ledger.ErrLost) { // nothing hangs on it yet: it is waited for, as other statements wait
			err = w.o.Ledger.Await(ctx.Done())
		}
		if err != nil {
			return nil, err
		}
		if err := w.wait(ctx, busy, late); err != nil {
			return nil, err
		}
	}
}

// lockTables keeps other processes from changing tables, and reads what they have written.
// unlock is nil without an error if one of them has a table, or has changed one.
func (w *work) lockTables(ctx context.Context, tables []*catalog.Table, concerns func() []*catalog.Table) (unlock func(), err error) {
	ids := idsOf(tables)
	unlock, err = w.o.Ledger.TryLock(ctx, ids)
	if unlock == nil || err != nil {
		return nil, err
	}
	if err := w.o.Ledger.Refresh(ctx, tables); err != nil {
		unlock()
		return nil, err
	}
	w.catalog = w.o.Ledger.Catalog()
	if !slices.Equal(idsOf(concerns()), ids) {
		unlock()
		return nil, nil
	}
	return unlock, nil
}

func idsOf(tables []*catalog.Table) (ids []catalog.ID) {
	for _, t := range tables {
		if t != nil {
			ids = append(ids, t.ID)
		}
	}
	slices.SortFunc(ids, func(a, b catalog.ID) int { return bytes.Compare(a[:], b[:]) })
	return ids
}

// busy is one of the tables that is being backfilled, nil if none is.
func (w *work) busy(tables []*catalog.Table) <-chan struct{} {
	for _, t := range tables {
		if t == nil {
			continue
		}
		if done := w.Upkeep.Busy(t.ID); done != nil {
			return done
		}
	}
	return nil
}

// aside is upkeep's Aside, behind which the catalog may be another one.
func (w *work) aside(t *catalog.Table, do func() error) error {
	err := w.Upkeep.Aside(t, do)
	w.catalog = w.o.Ledger.Catalog()
	return err
}

// change makes steps through the ledger; of several define is one statement. done are those
// that came to be.
func (w *work) change(ctx context.Context, steps []ledger.Step, define func(context.Context) error) (done []ledger.Step, err error) {
	return w.changeBy(ctx, w.throughLedger, steps, define)
}

// changer is how steps go through the ledger.
type changer func(ctx context.Context, steps []ledger.Step, one bool, define func(context.Context) error) ([]ledger.Step, error)

// changeBy is change through the ledger in some way.
func (w *work) changeBy(ctx context.Context, by changer, steps []ledger.Step, define func(context.Context) error) (done []ledger.Step, err error) {
	if err := w.free(ctx, steps); err != nil {
		return nil, err
	}
	var cause error
	above := w.above(steps)
	done, err = by(ctx, slices.Concat(steps, above), len(above) == 0 && len(steps) > 1, func(ctx context.Context) error {
		if cause = w.uncovered(ctx, steps); cause == nil { // everybody knows the names by now
			cause = w.moveFences(ctx, above)
		}
		if cause == nil {
			cause = define(ctx)
		}
		if cause == nil {
			cause = w.tighten(ctx)
		}
		return cause
	})
	if len(above) > 0 {
		w.catalog = w.o.Ledger.Catalog() // parents have other fences by now, whether the rest was done or not
	}
	done = slices.DeleteFunc(done, func(s ledger.Step) bool { return slices.Contains(above, s) })
	if _, refused := errors.AsType[*sqlerr.Error](err); refused && cause == nil || errors.Is(err, ledger.ErrOutdated) {
		return done, err
	}
	if err != nil && (cause == nil || !errors.Is(err, cause) || w.o.Ledger.Usable() != nil) {
		w.o.Log.Error("the ledger has not taken a definition", "error", err)
		return done, sqlerr.NoLedger()
	}
	return done, err
}

// name is the schema and the name of a table.
func (w *work) name(t ast.TableName) (schema, table string, err error) {
	if schema = t.Qualifier.String(); schema == "" {
		schema = w.session.Schema
	}
	if schema == "" {
		return "", "", &sqlerr.Error{Number: noDatabase, State: "3D000", Message: "No database selected"}
	}
	return schema, t.Name.String(), nil
}

// temporary finds a temporary table of the session.
func (w *work) temporary(schema, table string) *catalog.Table {
	if w.session.Temporary == nil {
		return nil
	}
	return w.session.Temporary(schema, table)
}

// table finds a protected table as the session sees it.
func (w *work) table(schema, table string) (t *catalog.Table, temporary bool) {
	if t := w.temporary(schema, table); t != nil {
		return t, true
	}
	return w.catalog.Table(schema, table), false
}

func (w *work) warn(x service.Warning) { w.result.Warnings = append(w.result.Warnings, x) }

// Numbers of the server's errors that tunic raises in its place.
const (
	noDatabase  = 1046
	tableExists = 1050
)
