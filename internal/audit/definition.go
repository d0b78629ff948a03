package audit

import (
	"context"
	"slices"

	"tunic/internal/catalog"
	"tunic/internal/ddl"
	"tunic/internal/ddl/examination"
	"tunic/internal/ledger"
)

// Definitions is Run without the rows: it compares the tables with the catalog by what the server says of
// them, which takes a few queries a table. It also returns the ledger by which it has looked. A table that
// was changed meanwhile is looked at again. Errors are those of Run; Repair is not looked at.
func (a *Audit) Definitions(ctx context.Context) (*ledger.Inspection, *Report, error) {
	now, err := ledger.Inspect(ctx, a.Ledger)
	if err != nil {
		return nil, nil, err
	}
	before := marksOf(now)
	names, err := a.chosen(now.Catalog)
	if err != nil {
		return nil, nil, err
	}
	found := map[name]*Table{}
	todo := names
	for range tries {
		if now, todo, err = a.pass(ctx, now, todo, found); err != nil {
			return nil, nil, err
		}
		if len(todo) == 0 {
			break
		}
	}
	report := &Report{}
	readers, unseen, err := a.readers(ctx, now.Catalog)
	if err != nil {
		return nil, nil, err
	}
	report.Unseen = unseen
	for _, n := range names {
		t := n.in(now.Catalog)
		if t == nil {
			continue // it was dropped since
		}
		one := found[n]
		if one == nil {
			one = &Table{Schema: t.Schema, Name: t.Name, View: t.View != nil, Changing: true}
		}
		one.read(readers, t)
		report.Tables = append(report.Tables, *one)
	}
	if len(a.Tables) == 0 {
		report.Strangers, err = a.strangers(ctx, before)
	}
	return now, report, err
}

// pass looks at tables once, and reads the ledger behind them. What was found holds for those that have
// not changed in between; the others are to be looked at again.
func (a *Audit) pass(ctx context.Context, now *ledger.Inspection, todo []name, found map[name]*Table) (after *ledger.Inspection, again []name, err error) {
	looked := map[name]*Table{}
	for i, n := range todo {
		a.tell(Progress{Table: n.String(), Done: i, Tables: len(todo)})
		t := n.in(now.Catalog)
		switch {
		case t == nil || changes(now.Underway, t):
			continue
		case t.View != nil:
			looked[n], err = a.view(ctx, t)
		default:
			looked[n], err = a.definition(ctx, now, t)
		}
		if err != nil {
			return nil, nil, err
		}
	}
	if after, err = now.Again(ctx, a.Ledger); err != nil {
		return nil, nil, err
	}
	for _, n := range todo {
		t := n.in(now.Catalog)
		one := looked[n]
		if one == nil || !t.Is(n.in(after.Catalog)) || changes(after.Underway, t) {
			again = append(again, n)
			continue
		}
		one.settle(t, hasJob(now, t) || hasJob(after, t))
		found[n] = one
	}
	return after, again, nil
}

// definition compares a stored table with the catalog, and looks for what others have made at it.
func (a *Audit) definition(ctx context.Context, now *ledger.Inspection, t *catalog.Table) (*Table, error) {
	found := &Table{Schema: t.Schema, Name: t.Name}
	conn, err := a.Ledger.DB.Conn(ctx)
	if err != nil {
		return nil, err
	}
	defer func() { _ = conn.Close() }()
	if found.Mismatches, err = ddl.Examine(ctx, conn, now.Catalog, t); err != nil {
		return nil, err
	}
	if !exists(ctx, conn, "SELECT 1 FROM information_schema.TABLES WHERE TABLE_SCHEMA = ? AND TABLE_NAME = ?", catalog.Schema, t.Twin) {
		found.Mismatches = append(found.Mismatches, examination.Mismatch{Of: "twin", Problem: "missing"})
	}
	return found, around(ctx, conn, t, found)
}

// settle tells what a table has between two steps of a command from what is wrong with it. Columns that a
// job is about to add, or has just taken away, are nothing wrong.
func (found *Table) settle(t *catalog.Table, job bool) {
	if job {
		found.Mismatches = slices.DeleteFunc(found.Mismatches, examination.Mismatch.Leftover)
	}
	found.Between = t.Converting() || slices.ContainsFunc(found.Mismatches, examination.Mismatch.Between)
	found.Plain = plainOf(t, found.Mismatches)
	found.Mismatches = slices.DeleteFunc(found.Mismatches, examination.Mismatch.Between)
}
