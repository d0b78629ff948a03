package ddl

import (
	"context"
	"slices"

	"tunic/internal/catalog"
	"tunic/internal/crash"
	"tunic/internal/ddl/alteration"
	"tunic/internal/ddl/definition"
	"tunic/internal/ddl/form"
	"tunic/internal/ddl/revision"
	"tunic/internal/ddl/showcreate"
	"tunic/internal/ledger"
	tsql "tunic/internal/sql"
	"tunic/internal/value"
)

// checkHandling says what a step does with tunic's own CHECK where the server could
// keep it. MariaDB cannot rename a column in it after a session has given the table
// another name in a query: it looks for the old name, and fails.
type checkHandling bool

const (
	keepCheck checkHandling = false
	makeCheck checkHandling = true
)

// rewriting is a change of a stored table as statements of a client's session.
type rewriting struct {
	*alteration.Change
	to     *definition.Logical
	flavor value.Flavor
	modes  tsql.Modes
}

// statements are the statement that changes the stored table. Where the CHECK has to
// come in a second one, a kill between them leaves the table without, which Sweep
// mends.
func (r *rewriting) statements(from *showcreate.Table, rewritten map[string]bool, check checkHandling) []string {
	x := r.difference(from, rewritten, check)
	x.Later = !x.CheckStays && r.flavor != value.MariaDB && x.RenamesForeign()
	statements := []string{r.statement(x, "")}
	if x.Later {
		statements = append(statements, x.Check(r.Old.Name))
	}
	return statements
}

// difference is the difference between the stored table and what it is to be.
func (r *rewriting) difference(from *showcreate.Table, rewritten map[string]bool, check checkHandling) *alteration.Difference {
	x := &alteration.Difference{Schema: r.Old.Schema, From: from, To: r.to.Stored(), Keys: map[string]bool{}, Plain: map[string]bool{}}
	x.Names, x.Anew = r.StoredNames(r.to.Table, rewritten)
	x.Crosses = r.Crosses()
	r.Collations(x, r.to.Table)
	x.CheckStays = check == keepCheck && r.SameCheck(r.to.Table, rewritten, r.flavor) && !(r.Old.Unchecked && !r.to.Table.Unchecked)
	if at := slices.IndexFunc(from.Checks, func(k showcreate.Check) bool { return k.Name == form.CheckName(r.Old) }); at >= 0 && r.to.Table.Unchecked && r.KeepsCheck(r.to.Table) {
		x.To.Checks, x.CheckStays = append(x.To.Checks, from.Checks[at]), true
	}
	for i := range r.Old.Keys {
		x.Keys[catalog.Folded(r.Old.Keys[i].Name)] = true
	}
	for s := range r.to.Table.StoredColumns() {
		x.Plain[catalog.Folded(s.Name)] = s.Kind == catalog.StoredPlain
	}
	return x
}

// statement is the statement that makes a difference, with the mark and the fence of the table
// to come; how is behind it.
func (r *rewriting) statement(x *alteration.Difference, how string) string {
	more := append(revision.MoveFence(r.Old.Fence(), x.To.Fence), "COMMENT="+showcreate.QuoteString(ledger.Mark(r.to.Table)))
	if !r.to.Protects() {
		_, comment := showcreate.OptionComment(r.to.Shown.Options)
		more[len(more)-1] = "COMMENT=" + showcreate.QuoteString(showcreate.UnquoteString(r.to.Shown.Options[comment.From:comment.To]))
	}
	if r.Counter != "" {
		more = append(more, "AUTO_INCREMENT="+r.Counter)
	}
	return definition.Respell(x.Statement(r.Old.Name, more...)+how, r.modes)
}

func (w *work) rewriting(c *alteration.Change, l *definition.Logical) *rewriting {
	return &rewriting{c, l, w.o.Flavor, w.session.Modes}
}

// execAll runs the statements of a change one after the other.
func (w *work) execAll(ctx context.Context, c *alteration.Change, l *definition.Logical, statements []string) error {
	for _, s := range statements {
		crash.Point("ddl.altering")
		run := func() error { return w.plainServer().copied(ctx, c, l.Table, s) }
		if alter := run; len(c.Tightened(l.Table)) > 0 {
			run = func() error { return w.plainServer().strictly(ctx, alter) }
		}
		err := run()
		if tight := c.Narrowed(l.Table); err != nil && len(tight) > 0 {
			err = w.plainServer().namingNull(ctx, c, tight, err)
		}
		if err != nil {
			return w.namingUnsealed(ctx, c.Old, err)
		}
		crash.Point("ddl.altered")
	}
	return nil
}
