package audit

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"

	"tunic/internal/catalog"
	"tunic/internal/crypt"
	"tunic/internal/ddl/examination"
	"tunic/internal/layers"
	"tunic/internal/ledger"
)

// ErrUnknown says that a table that was named is not protected.
var ErrUnknown = errors.New("no protected table has this name")

// Audit is what is to be looked at.
type Audit struct {
	// Ledger are the options of the ledger; DB among them is the service account's, whose
	// connections must not give up on a query that takes long.
	Ledger ledger.Options
	// Tables are the ones that are looked at, as schema.table; all if there is none.
	Tables []string
	// Repair gives rows tokens that they lack or have wrong. Nothing else is repaired.
	Repair bool
	// Progress is told how far it is. It may be nil.
	Progress func(Progress)
}

// Progress is how far an Audit is.
type Progress struct {
	Table string
	// Done of Tables have been looked at; Rows of this one, of about Estimate.
	Done, Tables   int
	Rows, Estimate int64
}

// Report is what was found.
type Report struct {
	Tables []Table
	// Strangers are tables with tunic's mark that the catalog does not know, as
	// schema.table.
	Strangers []string
	// Unseen are sentences on what of the server's programs and views the account does not see, so that nobody
	// knows whether they name a protected table.
	Unseen []string
}

// Table is what was found of a table or view.
type Table struct {
	Schema string
	Name   string
	View   bool
	Rows   int64
	// Changing says that a change of it was under way, or begun again and again, so that
	// its rows have not been looked at.
	Changing bool
	// Between says that tunic encrypt, decrypt or rotate --families has begun with it and is to go on.
	Between bool
	// Plain is where values are in the clear still.
	Plain []Plain
	// Unchecked says that the stored table has no CHECK that refuses values in the clear, and that the
	// catalog does not say that it has one.
	Unchecked  bool
	Mismatches []examination.Mismatch
	Faults     []layers.Fault
	// Forms are which layouts and epochs the forms of families have.
	Forms []layers.Forms
	// Programs are procedures, functions, events and triggers of the server's with a word in them that is the
	// table's name. What they read of the table is stored forms. One may mean something else by the word,
	// so that they do not count as bad.
	Programs []string
}

// Good reports whether all of the table is as it was written, or is again.
func (t *Table) Good() bool {
	return !t.Changing && len(t.Plain) == 0 && len(t.Mismatches) == 0 && !slices.ContainsFunc(t.Faults, func(f layers.Fault) bool { return f.Repaired < f.Rows })
}

// Good reports whether all is as it was written, or is again.
func (r *Report) Good() bool {
	return len(r.Strangers) == 0 && !slices.ContainsFunc(r.Tables, func(t Table) bool { return !t.Good() })
}

// tries is how often a table is looked at that changes meanwhile. The first may begin with
// the ledger as it was before the table was changed.
const tries = 4

// Run looks at everything. Errors are those of [ledger.Inspect], ErrUnknown, and the
// server's; the report is then of what has been looked at.
func (a *Audit) Run(ctx context.Context) (*Report, error) {
	report := &Report{}
	now, err := ledger.Inspect(ctx, a.Ledger)
	if err != nil {
		return report, err
	}
	readers, unseen, err := a.readers(ctx, now.Catalog)
	if err != nil {
		return report, err
	}
	report.Unseen = unseen
	before := marksOf(now)
	names, err := a.chosen(now.Catalog)
	if err != nil {
		return report, err
	}
	for i, n := range names {
		p := Progress{Table: n.String(), Done: i, Tables: len(names)}
		t, err := a.look(ctx, &now, n, p)
		if err != nil {
			return report, err
		}
		if t != nil {
			if known := n.in(now.Catalog); known != nil {
				t.read(readers, known)
			}
			report.Tables = append(report.Tables, *t)
		}
	}
	if len(a.Tables) == 0 {
		report.Strangers, err = a.strangers(ctx, before)
	}
	return report, err
}

// name is a table's or view's.
type name struct{ schema, table string }

func (n name) String() string { return n.schema + "." + n.table }

// chosen are the tables and views to look at, in order of their names.
func (a *Audit) chosen(known *catalog.Catalog) (all []name, err error) {
	for t := range known.Tables() {
		all = append(all, name{t.Schema, t.Name})
	}
	for v := range known.Views() {
		all = append(all, name{v.Schema, v.Name})
	}
	slices.SortFunc(all, func(x, y name) int { return cmp.Or(cmp.Compare(x.schema, y.schema), cmp.Compare(x.table, y.table)) })
	if len(a.Tables) == 0 {
		return all, nil
	}
	for _, given := range a.Tables {
		if !slices.ContainsFunc(all, func(n name) bool { return known.SameName(n.String(), given) }) {
			return nil, fmt.Errorf("%w: %s", ErrUnknown, given)
		}
	}
	return slices.DeleteFunc(all, func(n name) bool {
		return !slices.ContainsFunc(a.Tables, func(given string) bool { return known.SameName(n.String(), given) })
	}), nil
}

// look looks at one table or view, as it is by now; nil if it is gone. now is the ledger
// as it was read last, and is read again behind what was looked at.
func (a *Audit) look(ctx context.Context, now **ledger.Inspection, n name, p Progress) (*Table, error) {
	var last *Table
	for range tries {
		at := *now
		t := n.in(at.Catalog)
		if t == nil {
			return nil, nil //nolint:nilnil // it was dropped since
		}
		var found *Table
		var failed error
		switch {
		case t.View != nil:
			found, failed = a.view(ctx, t)
		case !changes(at.Underway, t):
			found, failed = a.table(ctx, at, t, p)
		}
		after, err := at.Again(ctx, a.Ledger)
		if err != nil {
			return nil, err
		}
		*now = after
		stays := t.Is(n.in(after.Catalog)) && !changes(after.Underway, t)
		if stays && (found != nil || failed != nil) {
			if found != nil {
				found.settle(t, hasJob(at, t) || hasJob(after, t))
			}
			return found, failed
		}
		last = &Table{Schema: t.Schema, Name: t.Name, View: t.View != nil, Changing: true}
	}
	return last, nil
}

// in is the table or view of the name; nil if there is none.
func (n name) in(c *catalog.Catalog) *catalog.Table {
	if v := c.View(n.schema, n.table); v != nil {
		return v
	}
	return c.Table(n.schema, n.table)
}

// changes reports whether a table is being changed.
func changes(steps []ledger.Step, t *catalog.Table) bool {
	return slices.ContainsFunc(steps, func(s ledger.Step) bool { return s.Old != nil && s.Old.ID == t.ID })
}

// hasJob reports whether a job is to add layers to a table or to take some away. It adds their
// columns before the catalog knows of them, drops them after, and may be paused in between.
func hasJob(now *ledger.Inspection, t *catalog.Table) bool { return len(now.Catalog.JobsOf(t.ID)) > 0 }

// table looks at a table, its definition first: where that is not the catalog's, rows
// cannot be read by it.
func (a *Audit) table(ctx context.Context, now *ledger.Inspection, t *catalog.Table, p Progress) (*Table, error) {
	found, err := a.definition(ctx, now, t)
	if err != nil || unreadable(t, found.Mismatches) {
		return found, err
	}
	_ = a.Ledger.DB.QueryRowContext(ctx, "SELECT TABLE_ROWS FROM information_schema.TABLES WHERE TABLE_SCHEMA = ? AND TABLE_NAME = ?",
		t.Schema, t.Name).Scan(&p.Estimate) // it is but an estimate
	a.tell(p)
	i := &layers.Inspection{DB: a.Ledger.DB, Ring: crypt.NewRing(now.Tree), Table: t, Repair: a.Repair, Looked: func(rows int64) {
		p.Rows = rows
		a.tell(p)
	}}
	found.Rows, found.Faults, err = i.Run(ctx)
	found.Forms = i.Forms()
	return found, err
}

func (a *Audit) tell(p Progress) {
	if a.Progress != nil {
		a.Progress(p)
	}
}

// unreadable reports whether the rows of a table cannot be read by the catalog: it is not
// there, or a column of it, or the key that tells rows apart.
func unreadable(t *catalog.Table, found []examination.Mismatch) bool {
	by := t.RowKey()
	return slices.ContainsFunc(found, func(m examination.Mismatch) bool {
		return m.Of == "table" || m.Of == "mark" || m.Of == "column" && m.Problem != "not made by tunic" && !m.Between() || m.Of == "key" && !m.Between() && by != nil && m.Name == by.Name
	})
}

// view looks at a view, of which tunic stores no rows: its mark is the name of its last
// column. A view that shows such a column was made of what the server has of a view.
func (a *Audit) view(ctx context.Context, v *catalog.Table) (*Table, error) {
	found := &Table{Schema: v.Schema, Name: v.Name, View: true}
	var last sql.NullString
	err := a.Ledger.DB.QueryRowContext(ctx, "SELECT COLUMN_NAME FROM information_schema.COLUMNS WHERE TABLE_SCHEMA = ? AND TABLE_NAME = ?"+
		" ORDER BY ORDINAL_POSITION DESC LIMIT 1", v.Schema, v.Name).Scan(&last)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		found.Mismatches = []examination.Mismatch{{Of: "view", Problem: examination.Missing}}
	case err != nil:
		return nil, err
	case last.String != ledger.ViewMark(v):
		found.Mismatches = []examination.Mismatch{{Of: "mark", Problem: examination.Different}}
	case slices.ContainsFunc(v.Columns, func(c catalog.Column) bool { return ledger.IsViewMark(c.Name) }):
		found.Mismatches = []examination.Mismatch{{Of: "view", Problem: examination.Copied}}
	}
	return found, nil
}

// strangers are tables with tunic's mark that the catalog does not know, such as one that
// was put back from an older copy, or not by this name, such as one that was renamed or copied at the
// server: neither before nor after they were looked for.
func (a *Audit) strangers(ctx context.Context, before marks) (all []string, err error) {
	found, err := ledger.MarkedTables(ctx, a.Ledger.DB)
	if err != nil {
		return nil, err
	}
	now, err := ledger.Inspect(ctx, a.Ledger)
	if err != nil {
		return nil, err
	}
	after := marksOf(now)
	for _, t := range found {
		if of := (name{t.Schema, t.Name}); !before.has(t.ID, of) && !after.has(t.ID, of) {
			all = append(all, of.String())
		}
	}
	slices.Sort(all)
	return all, nil
}

// marks are the names of all tables that there are or that are to come, by their IDs as marks have them.
type marks map[string][]name

func (m marks) has(id string, table name) bool {
	return slices.ContainsFunc(m[id], func(n name) bool {
		return strings.EqualFold(n.schema, table.schema) && strings.EqualFold(n.table, table.table)
	})
}

func marksOf(now *ledger.Inspection) marks {
	known := marks{}
	add := func(t *catalog.Table) { known[t.ID.String()] = append(known[t.ID.String()], name{t.Schema, t.Name}) }
	for t := range now.Catalog.Tables() {
		add(t)
	}
	for _, s := range now.Underway {
		for _, t := range []*catalog.Table{s.Old, s.New} {
			if t != nil {
				add(t)
			}
		}
	}
	return known
}

func exists(ctx context.Context, conn *sql.Conn, query string, args ...any) bool {
	var one int
	return conn.QueryRowContext(ctx, query, args...).Scan(&one) == nil
}
