package report

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"slices"
	"strings"
	"time"

	"tunic/internal/audit"
	"tunic/internal/catalog"
	"tunic/internal/config"
	"tunic/internal/crypt"
	"tunic/internal/keys"
	"tunic/internal/ledger"
	"tunic/internal/policy"
)

// Options are what a report is made of.
type Options struct {
	// DB is the service account's; Ledger is how the ledger is read.
	DB     *sql.DB
	Ledger ledger.Options
	KeyID  keys.ID
	// Config are the settings, and Policy is what they say of columns. Both are to be those of the tunics
	// that serve.
	Config *config.Config
	Policy *policy.Policy
	// Schemas are those to look at; none is all but the system's.
	Schemas []string
	// Sample is how many values of each column that has layers are to be read; 0 reads none.
	Sample int64
	Accept Accept
	Tunic  string
	Now    time.Time
	// Progress is told which table is looked at, of how many. It may be nil.
	Progress func(table string, done, of int)
}

// ErrNoSchema says that a schema that was named is not there, or not seen.
var ErrNoSchema = errors.New("there is no such schema, or the service account does not see it")

// gathering is a report under way.
type gathering struct {
	Options
	report *Report
	facts  *facts
	now    *ledger.Inspection // nil if there is no ledger
	known  *catalog.Catalog   // empty then
	ring   *crypt.Ring
	looked map[string]*audit.Table // by full name
}

// Gather looks at everything. Errors are ErrNoSchema, those of [ledger.Inspect] but for ErrNone, and the
// server's.
func Gather(ctx context.Context, o Options) (*Report, error) {
	g := &gathering{Options: o, looked: map[string]*audit.Table{}, report: &Report{
		Format: Format, Tunic: o.Tunic, Made: o.Now, Legend: legend, Decisions: []Decision{}, Tables: []Table{},
		Scope: Scope{Schemas: append([]string{}, o.Schemas...), Sample: o.Sample},
	}}
	for _, step := range []func(context.Context) error{g.look, g.server, g.keys, g.tables, g.values} {
		if err := step(ctx); err != nil {
			return nil, err
		}
	}
	g.jobs()
	g.report.count()
	g.report.decide(o.Accept)
	return g.report, nil
}

// look reads the ledger, and compares stored tables with it.
func (g *gathering) look(ctx context.Context) error {
	a := &audit.Audit{Ledger: g.Ledger}
	if g.Progress != nil {
		a.Progress = func(p audit.Progress) { g.Progress(p.Table, p.Done, p.Tables) }
	}
	now, found, err := a.Definitions(ctx)
	if errors.Is(err, ledger.ErrNone) {
		g.known = catalog.New(false)
		return nil
	}
	if err != nil {
		return err
	}
	g.now, g.known, g.ring = now, now.Catalog, crypt.NewRing(now.Tree)
	for i := range found.Tables {
		t := &found.Tables[i]
		g.looked[t.Schema+"."+t.Name] = t
	}
	for _, name := range found.Strangers {
		if schema, _, _ := strings.Cut(name, "."); g.wants(schema) {
			g.report.Strangers = append(g.report.Strangers, name)
		}
	}
	return nil
}

// wants reports whether a schema is to be looked at.
func (g *gathering) wants(schema string) bool {
	return len(g.Schemas) == 0 && !slices.Contains(systemSchemas, strings.ToLower(schema)) ||
		slices.ContainsFunc(g.Schemas, func(s string) bool { return g.known.SameName(s, schema) })
}

// keys are the keys of the project.
func (g *gathering) keys(ctx context.Context) error {
	k := &g.report.Keys
	if g.now == nil {
		k.None, k.Says = true, "there is no ledger: no table is protected"
		return nil
	}
	k.Project, k.KeyID, k.Masters, k.Ledger = g.now.Tree.Project().String(), g.KeyID.String(), g.now.Tree.Versions(), g.now.Oldest
	k.Says = "an epoch belongs to the newest master key that is not newer than it; when a master key was made is not kept. " +
		"Rows from before a rotation may be of older epochs than their column: tunic rotate --dry-run counts them"
	sealed, err := ledger.ReadSeals(ctx, g.DB)
	for _, n := range sealed {
		k.MostSealed = max(k.MostSealed, n)
	}
	return err
}

// jobs are those that may still do something to a table in the report.
func (g *gathering) jobs() {
	for _, j := range g.known.Jobs() {
		if !j.Live() || !g.wants(j.Schema) {
			continue
		}
		object := j.Schema + "." + j.Name
		if j.ColumnName != "" {
			object += "." + j.ColumnName
		}
		g.report.Jobs = append(g.report.Jobs, Job{ID: j.ID, Kind: j.Kind, Object: object, State: j.State.String(), Cause: j.Cause, Asked: j.Asked.UTC(), Reason: j.Reason})
	}
}

// tables are all tables and views, those of the catalog and those that only the server has.
func (g *gathering) tables(ctx context.Context) (err error) {
	if g.facts, err = readFacts(ctx, g.DB, g.Schemas); err != nil {
		return err
	}
	g.report.Scope.Whole = g.facts.whole
	for _, schema := range g.Schemas {
		if !slices.ContainsFunc(g.facts.schemas, func(s string) bool { return g.known.SameName(s, schema) }) {
			return ErrNoSchema
		}
	}
	seen := map[string]bool{}
	add := func(t *catalog.Table) {
		if g.wants(t.Schema) {
			seen[g.fold(t.Schema+"."+t.Name)] = true
			g.report.Tables = append(g.report.Tables, g.protected(t))
		}
	}
	for t := range g.known.Tables() {
		add(t)
	}
	for v := range g.known.Views() {
		add(v)
	}
	for i := range g.facts.tables {
		t := &g.facts.tables[i]
		if !seen[g.fold(t.schema+"."+t.name)] {
			g.report.Tables = append(g.report.Tables, g.plain(t))
		}
	}
	slices.SortFunc(g.report.Tables, func(a, b Table) int { return cmp.Or(cmp.Compare(a.Schema, b.Schema), cmp.Compare(a.Name, b.Name)) })
	return nil
}

func (g *gathering) fold(name string) string {
	if g.known.Folds() {
		return strings.ToLower(name)
	}
	return name
}

// count counts what there is.
func (r *Report) count() {
	s := &r.Scope
	for i := range r.Tables {
		t := &r.Tables[i]
		switch {
		case t.View:
			continue
		case t.Protected:
			s.Protected++
		default:
			s.Plain++
		}
		s.Columns += len(t.Columns)
		for j := range t.Columns {
			c := &t.Columns[j]
			if c.Protected {
				s.Sealed++
			}
			for _, f := range c.Forms {
				if f.Form == formEquality || f.Form == formOrder {
					s.Layers++
				}
			}
		}
	}
}
