package assess

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"time"

	"tunic/internal/catalog"
	"tunic/internal/ddl"
	"tunic/internal/ledger"
	"tunic/internal/migrate"
	"tunic/internal/policy"
	"tunic/internal/value"
)

// Options are what an assessment stands on.
type Options struct {
	// DB is the service account's.
	DB     *sql.DB
	Ledger *ledger.Inspection
	Policy *policy.Policy
	Flavor value.Flavor
	Log    *slog.Logger
	// Schema is what is looked at, Tables are those of it; all of them if there is none.
	Schema string
	Tables []string
	// Measure has it measured how fast the server is, for which it writes to a private table.
	Measure bool
}

// State is what can be done with a table.
type State string

// The states.
const (
	Ready     State = "ready"         // tunic encrypt takes it as it is
	Hindered  State = "hindered"      // something is to be done first
	Plain     State = "plain"         // the policy protects nothing of it
	Protected State = "protected"     // it is already
	Begun     State = "begun"         // tunic encrypt, or decrypt, is to go on with it
	Unseen    State = "not looked at" // it could not be looked at
)

// Table is what was found of a table.
type Table struct {
	Name  string
	State State
	// Plan is what tunic encrypt would do; nil if it was not looked at.
	Plan *migrate.Plan
	// Problem is why it was not.
	Problem string
	// Took is how long encryption is estimated to take; 0 if nothing was measured for it.
	Took time.Duration
	// PerRow is what of that a row takes, and Rows is how many were measured.
	PerRow time.Duration
	Rows   int
}

// Remove is the SQL of all findings that takes away what hinders, each statement once: that for the server, or that which is
// to be run through tunic.
func (t *Table) Remove(through bool) []string {
	return t.statements(func(f *migrate.Finding) []string {
		if f.Through != through {
			return nil
		}
		return f.Remove
	})
}

// Restore is the SQL that brings it back through tunic, each statement once.
func (t *Table) Restore() []string {
	return t.statements(func(f *migrate.Finding) []string { return f.Restore })
}

func (t *Table) statements(of func(*migrate.Finding) []string) (all []string) {
	if t.Plan == nil {
		return nil
	}
	for i := range t.Plan.Findings {
		for _, s := range of(&t.Plan.Findings[i]) {
			if t.Plan.Findings[i].Hinders && !slices.Contains(all, s) {
				all = append(all, s)
			}
		}
	}
	return all
}

// ErrNoSchema says that the service account sees no such schema, or no table in it.
var ErrNoSchema = errors.New("there is no such schema, or the service account sees no table of it")

// Assessment is what was found of a schema.
type Assessment struct {
	Schema string
	Tables []Table

	o       Options
	assumed *catalog.Catalog
	views   map[string]bool // that hinder, in lower case
	blind   map[string]bool // tables that could not be planned, in lower case
}

// Look looks at the tables. Errors are ErrNoSchema, migrate.ErrNoTable and the server's; what keeps
// one table from being looked at is told with the table.
func Look(ctx context.Context, o Options) (*Assessment, error) {
	names, err := tablesOf(ctx, &o)
	if err != nil {
		return nil, err
	}
	a := &Assessment{Schema: o.Schema, o: o, views: map[string]bool{}, blind: map[string]bool{}}
	still := o.Ledger.Still()
	definer := ddl.New(ddl.Options{DB: o.DB, Ledger: still, Policy: o.Policy, Flavor: o.Flavor, Log: o.Log})
	defer definer.Close()
	var added []*catalog.Table
	for _, name := range names {
		work := &migrate.Work{DB: o.DB, Ledger: still, Definer: definer, Flavor: o.Flavor, Schema: o.Schema, Table: name}
		t, err := a.look(ctx, work)
		if err != nil {
			return nil, err
		}
		a.Tables = append(a.Tables, t)
		if t.Plan != nil && t.Plan.Would != nil && len(t.Plan.Columns) > 0 {
			added = append(added, t.Plan.Would)
		}
	}
	a.once()
	a.assumed = o.Ledger.Catalog.Next(o.Ledger.Catalog.Version+1, nil, added)
	return a, nil
}

// tablesOf are the names of the tables to look at.
func tablesOf(ctx context.Context, o *Options) (names []string, err error) {
	switch names, err = allTables(ctx, o.DB, o.Schema); {
	case err != nil:
		return nil, err
	case len(names) == 0:
		return nil, ErrNoSchema
	case len(o.Tables) == 0:
		return names, nil
	}
	for _, name := range o.Tables {
		if !slices.Contains(names, name) {
			return nil, fmt.Errorf("%s: %w", name, migrate.ErrNoTable)
		}
	}
	return o.Tables, nil
}

// allTables are the names of the tables of a schema.
func allTables(ctx context.Context, db *sql.DB, schema string) (names []string, err error) {
	rows, err := db.QueryContext(ctx, "SELECT TABLE_NAME FROM information_schema.TABLES WHERE TABLE_SCHEMA = ? AND TABLE_TYPE <> 'VIEW' ORDER BY TABLE_NAME", schema)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			return nil, err
		}
		names = append(names, name)
	}
	return names, rows.Err()
}

// look looks at one table.
func (a *Assessment) look(ctx context.Context, work *migrate.Work) (Table, error) {
	t := Table{Name: work.Table, State: Ready}
	plan, err := work.Look(ctx)
	if err != nil {
		return a.unseen(ctx, t, err)
	}
	t.Plan = plan
	switch {
	case plan.At == migrate.Finished:
		t.State = Protected
	case plan.At != migrate.Adopt:
		t.State = Begun
	case plan.Unprotected():
		t.State, plan.Findings = Plain, nil
	case plan.Hindered():
		t.State = Hindered
	}
	for _, name := range plan.Views() {
		a.views[strings.ToLower(name)] = true
	}
	if (t.State == Ready || t.State == Hindered) && plan.Would == nil {
		a.blind[strings.ToLower(a.Schema+"."+t.Name)] = true
	}
	if a.o.Measure && (t.State == Ready || t.State == Hindered) && plan.Rows >= rowsMeasured {
		return a.measure(ctx, work, t)
	}
	return t, nil
}

// measure measures how long a table takes. What keeps it from being measured is told.
func (a *Assessment) measure(ctx context.Context, work *migrate.Work, t Table) (Table, error) {
	r, err := work.Rehearse(ctx, t.Plan)
	if err != nil {
		problem, ok := migrate.Problem(err)
		if !ok || ctx.Err() != nil {
			return t, err
		}
		t.Problem = "its time is not known: " + problem
		return t, nil
	}
	t.Rows, t.PerRow = r.Rows, r.PerRow()
	t.Took = t.PerRow * time.Duration(t.Plan.Rows)
	return t, nil
}

// rowsMeasured is how many rows make it worth while to measure: fewer are encrypted in seconds.
const rowsMeasured = 5000

// unseen is a table that could not be looked at.
func (a *Assessment) unseen(ctx context.Context, t Table, err error) (Table, error) {
	if ctx.Err() != nil {
		return t, ctx.Err()
	}
	t.State = Unseen
	a.blind[strings.ToLower(a.Schema+"."+t.Name)] = true
	for _, known := range []error{migrate.ErrKind, migrate.ErrView} {
		if errors.Is(err, known) {
			t.Problem = known.Error()
			return t, nil
		}
	}
	if errors.Is(err, migrate.ErrDecrypting) {
		t.State, t.Problem = Begun, migrate.ErrDecrypting.Error()
		return t, nil
	}
	problem, ok := migrate.Problem(err)
	if !ok {
		return t, err
	}
	t.Problem = problem
	return t, nil
}
