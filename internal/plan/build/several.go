package build

import (
	"slices"
	"strings"

	"tunic/internal/catalog"
	"tunic/internal/plan/shape"
	"tunic/internal/recipe"
	"tunic/internal/sql"
	"tunic/internal/sql/ast"
	"tunic/internal/sqlerr"
)

// writesSeveral reports whether a statement changes rows that are found in several
// tables, or are set to what queries come to.
func writesSeveral(root ast.Statement) bool {
	c := changesOf(root)
	return c != nil && (!c.single() || c.with != nil || ast.HasQuery(c.set))
}

// changesSeveral reports whether a statement is planned as one of which writesSeveral is
// true: it is, or it changes rows of one plain table that queries choose, and those read
// protected ones.
func (b *Builder) changesSeveral(root ast.Statement) bool {
	if writesSeveral(root) || !shape.WritesByQuery(root) {
		return writesSeveral(root)
	}
	one, ok := changesOf(root).from[0].(*ast.AliasedTableExpr)
	if !ok {
		return false
	}
	found, end := b.lookUp(one, nil)
	table := found.table
	return end == nil && found.unknown || table != nil && table.View == nil && table.Plain()
}

// changes are the parts of an UPDATE or DELETE.
type changes struct {
	with   *ast.With
	from   []ast.TableExpr
	where  *ast.Where
	set    ast.UpdateExprs
	listed ast.TableNames // of a DELETE
	by     ast.OrderBy
	limit  *ast.Limit
	ignore bool
}

// changesOf are the parts of a statement, nil for one of another kind.
func changesOf(root ast.Statement) *changes {
	switch n := root.(type) {
	case *ast.Update:
		return &changes{
			with: n.With, from: n.TableExprs, where: n.Where, set: n.Exprs, by: n.OrderBy, limit: n.Limit, ignore: bool(n.Ignore),
		}
	case *ast.Delete:
		return &changes{
			with: n.With, from: n.TableExprs, where: n.Where, listed: n.Targets, by: n.OrderBy, limit: n.Limit, ignore: bool(n.Ignore),
		}
	}
	return nil
}

// single reports whether the statement is of the form that has one table: servers make
// its assignments from left to right.
func (c *changes) single() bool {
	if len(c.from) != 1 || len(c.listed) > 1 {
		return false
	}
	one, ok := c.from[0].(*ast.AliasedTableExpr)
	if !ok {
		return false
	}
	name, ok := one.Expr.(ast.TableName)
	if !one.As.IsEmpty() {
		name = ast.TableName{Name: one.As}
	}
	return ok && (len(c.listed) == 0 || c.listed[0] == name)
}

// several plans a statement of which changesSeveral is true: its rows are read as those
// of a query over all of its tables, locked, and then written one by one.
func (b *Builder) several(root ast.Statement) *ending {
	c := changesOf(root)
	if end := b.followedChanges(root, c); end != nil {
		return end
	}
	var end *ending
	if b.Run.Answer.Describe, end = b.describedChange(b.Asked.Root()); end != nil { // what is wrong with it the server says
		return end
	}
	b.Run.Ignore = c.ignore
	w := &severalWriter{changes: c, treeBuilder: &treeBuilder{Builder: b, numbers: map[string]int{}}}
	w.scope = &scope{tree: w.treeBuilder}
	if end := w.plan(root); end != nil {
		return end
	}
	switch {
	case w.doubted:
		b.Run.Answer.Describe, end = b.describedTree(b.Asked.Root())
	case w.writesPlain():
		b.Run.Answer.Describe, end = b.describedReads(b.Asked.Root())
	}
	return end
}

// writesPlain reports whether a plain table is among those that are written.
func (w *severalWriter) writesPlain() bool {
	return slices.ContainsFunc(w.targets, func(t *target) bool { return t.Table.Plain() })
}

// describedChange is what the server describes of such a statement. MySQL, which is the
// one that tells the types of parameters, looks at all of an UPDATE when it prepares it.
// Otherwise it is a query of what the statement reads, unless a name is wrong that it
// only sets.
func (b *Builder) describedChange(root ast.Statement) (*sql.Printed, *ending) {
	if _, updates := root.(*ast.Update); updates && (b.Modes&sql.MariaDB == 0 || b.misnamed) {
		return b.describedTree(root)
	}
	return b.describedReads(root)
}

// describedReads is a query of what such a statement reads: tunic's service account need
// not be able to write plain tables.
func (b *Builder) describedReads(root ast.Statement) (*sql.Printed, *ending) {
	c := changesOf(root)
	list := &ast.SelectExprs{Exprs: []ast.SelectExpr{&ast.StarExpr{}}}
	if n, updates := root.(*ast.Update); updates {
		for _, e := range n.Exprs {
			list.Exprs = append(list.Exprs, &ast.AliasedExpr{Expr: e.Name})
			if _, ok := e.Expr.(*ast.Default); !ok {
				list.Exprs = append(list.Exprs, &ast.AliasedExpr{Expr: e.Expr})
			}
		}
	}
	return b.describedTree(&ast.Select{With: c.with, SelectExprs: list, From: c.from, Where: c.where, OrderBy: c.by, Limit: c.limit})
}

// followedChanges refuses what is not followed of such a statement.
func (b *Builder) followedChanges(root ast.Statement, c *changes) *ending {
	switch n, deletes := root.(*ast.Delete); {
	case deletes && len(n.Partitions) > 0:
		return beyond("PARTITION")
	case c.with != nil && b.Modes&sql.MariaDB != 0:
		return beyond("WITH")
	case b.Tree.Returning() != nil:
		return beyond("RETURNING of rows that tunic has to read first")
	case !c.single() && (c.by != nil || c.limit != nil):
		return beyond("ORDER BY or LIMIT in a statement that writes several tables")
	}
	if end := b.nameable(root); end != nil {
		return end
	}
	return b.knowsPlain(root)
}

// severalWriter plans one such statement.
type severalWriter struct {
	*changes
	*treeBuilder
	scope   *scope
	targets []*target
	set     []setting // in the order of the statement
	queries []*recipe.Subquery
	// doubted says that the server is to be asked whether it takes the statement: one that reads
	// what it writes.
	doubted bool
}

// target is a Target that is being planned.
type target struct {
	*recipe.Target
	leaf *leaf
	set  []recipe.Assignment
}

// setting is an assignment of the statement.
type setting struct {
	of     *target
	column int
	from   ast.Expr // as it is written; nil for a value
}

func (w *severalWriter) plan(root ast.Statement) *ending {
	s := w.scope
	if end := w.treeBuilder.with(w.changes.with, s); end != nil {
		return end
	}
	all, end := s.list(w.from)
	if end != nil {
		return end
	}
	s.visible = all.columns
	if end := w.findTargets(); end != nil {
		return end
	}
	if end := w.assign(); end != nil {
		return end
	}
	if end := w.staysFound(); end != nil {
		return end
	}
	from, steps, end := s.where(w.changes.where, all)
	if end != nil {
		return end
	}
	if end := w.certain(); end != nil {
		return end
	}
	rest, end := w.behind()
	if end != nil {
		return end
	}
	if end := w.rereads(root, steps); end != nil {
		return end
	}
	items, end := w.items()
	if end != nil {
		return end
	}
	for _, step := range rest {
		if p, ok := step.(*recipe.Project); ok {
			p.Items = items
		}
	}
	w.Run.Tree = &recipe.Tree{Root: &recipe.Block{From: from, Steps: append(steps, rest...)}}
	w.writes = map[*leaf]bool{}
	does := &recipe.Several{}
	w.Run.Does = does
	for _, t := range w.targets {
		w.writes[t.leaf] = true
		does.Targets = append(does.Targets, t.Target)
	}
	if end := w.remote(); end != nil {
		return end
	}
	return w.flows()
}

// staysFound refuses to set a part of the key by which rows of a table are found again, where the table is written by another
// name, too: that would write another row. MySQL itself refuses it for a primary key (1706), as MariaDB does a plain statement.
func (w *severalWriter) staysFound() *ending {
	for _, t := range w.targets {
		twice := slices.ContainsFunc(w.targets, func(other *target) bool { return other != t && other.Table == t.Table })
		key := t.Table.RowKey()
		if !twice || key == nil || key.Kind == catalog.Primary && w.Modes&sql.MariaDB == 0 {
			continue
		}
		for _, a := range t.set {
			if slices.ContainsFunc(key.Parts, func(p catalog.Part) bool { return t.Table.Column(p.Column) == a.Column }) {
				return beyond("a key column that is set in a statement that writes its table by two names,")
			}
		}
	}
	return nil
}

// findTargets finds the tables that are written: those that a DELETE lists, and those of
// columns that are set.
func (w *severalWriter) findTargets() *ending {
	if w.Run.Kind != sql.Delete {
		for _, e := range w.changes.set {
			c, end := w.scope.find(e.Name)
			w.misnamed = c == nil
			if end != nil {
				return end
			}
			if c == nil {
				return unknown()
			}
			if _, end := w.target(c.of); end != nil {
				return end
			}
		}
		slices.SortFunc(w.targets, func(t, u *target) int { return t.Base - u.Base })
		return w.untied()
	}
	if w.single() {
		_, end := w.target(w.scope.sources[0])
		return end
	}
	for _, name := range w.listed {
		i := slices.IndexFunc(w.scope.sources, func(of *source) bool { return w.scope.qualifies(of, name) })
		if i < 0 {
			return refused(&sqlerr.Error{Number: 1109, State: "42S02", Message: "Unknown table '" + name.Name.String() + "' in MULTI DELETE"})
		}
		if _, end := w.target(w.scope.sources[i]); end != nil {
			return end
		}
	}
	return w.untied()
}

// target is the target that a source is; it is made when it is first asked for.
func (w *severalWriter) target(of *source) (*target, *ending) {
	if of.leaf == nil {
		return nil, refused(&sqlerr.Error{Number: 1288, State: "HY000", Message: "The target table " + of.alias + " of the " + w.Run.Kind.String() + " is not updatable"})
	}
	for _, t := range w.targets {
		if t.leaf == of.leaf {
			return t, nil
		}
	}
	table := of.leaf.table
	if table.Plain() && !strings.Contains(table.Definition, "\n) ENGINE=") {
		return nil, beyond("a statement over several tables that writes a view")
	}
	key := table.RowKey()
	if key == nil {
		return nil, beyond("a statement over several tables that writes one without a primary key (add one),")
	}
	if end := transactional(table); end != nil {
		return nil, end
	}
	t := &target{leaf: of.leaf, Target: &recipe.Target{Table: table, Base: of.leaf.base, Write: &recipe.Write{}}}
	for _, p := range key.Parts {
		t.Columns = append(t.Columns, table.Column(p.Column))
	}
	t.Keys = len(t.Columns)
	w.targets = append(w.targets, t)
	return t, nil
}

// behind are the steps behind WHERE.
func (w *severalWriter) behind() ([]recipe.Step, *ending) {
	clauses, inside, end := w.scope.clauses(&ast.Select{OrderBy: w.by, Limit: w.limit}, nil)
	if end != nil {
		return nil, end
	}
	b := *w.Builder
	b.block = w.scope
	return b.blockSteps(clauses, nil, append(w.queries, inside...))
}

// items are what the rows of the Tree are.
func (w *severalWriter) items() (items []recipe.Item, end *ending) {
	for _, t := range w.targets {
		if end := w.writeBack(t); end != nil {
			return nil, end
		}
		t.First = len(items)
		of := w.sourceOf(t.leaf)
		for _, c := range t.Columns {
			items = append(items, recipe.Item{Expr: column{of, c}.name(), Column: -1})
		}
		for i := range t.Write.Set {
			a := &t.Write.Set[i]
			at := -1
			if !a.Given {
				at = len(items)
				items = append(items, recipe.Item{Expr: a.To, Column: -1})
			}
			t.Values = append(t.Values, at)
		}
	}
	return items, nil
}

func (w *severalWriter) sourceOf(l *leaf) *source {
	i := slices.IndexFunc(w.scope.sources, func(of *source) bool { return of.leaf == l })
	return w.scope.sources[i]
}

// writeBack plans how a row of a target is written.
func (w *severalWriter) writeBack(t *target) *ending {
	b := *w.Builder
	b.scope, b.base, b.block = t.leaf.scope, 0, nil
	b.Run = &recipe.Run{Kind: w.Run.Kind, Table: t.Table, Ignore: w.Run.Ignore}
	b.table = t.leaf.entry()
	b.table.As = ast.Name("")
	if t.leaf.alias != t.Table.Name && !(w.single() && w.listed == nil && w.Run.Kind == sql.Delete) {
		b.table.As = ast.Name(t.leaf.alias)
	}
	t.Write.Stamps = b.scope.Stamps(t.set)
	b.writes(t.set)
	if end := b.holdTarget(t); end != nil {
		return end
	}
	if end := b.cascadeTarget(t); end != nil {
		return end
	}
	if end := b.computeTargetBesideStamps(t); end != nil {
		return end
	}
	t.Write.Compute(t.Table, t.set)
	for _, a := range t.Write.Set {
		t.fetches(a.Column)
	}
	for _, i := range slices.Concat(t.Write.HeldColumns(), t.Write.Stamps, t.Write.BesideColumns(), inFamilies(b.scope, t.Write)) {
		t.fetches(i)
	}
	w.reached = append(w.reached, b.reached...)
	return b.writeBack(t.Table.RowKey(), t.Write, t.set, unqualified)
}

// computeTargetBesideStamps is computeBesideStamps for a table of several, where the server is asked for no values
// that a plain column is computed from.
func (b *Builder) computeTargetBesideStamps(t *target) *ending {
	set := slices.Clone(t.set)
	if end := b.computeBesideStamps(t.Write, set); end != nil {
		return end
	}
	for n := range set {
		if a := &set[n]; a.Local && !a.Given && !t.set[n].Local {
			return beyond("a plain column that is computed where a protected one is ON UPDATE CURRENT_TIMESTAMP, in a statement over several tables,")
		}
	}
	t.set = set
	return nil
}

// fetches has a column of a target's rows be there.
func (t *target) fetches(column int) {
	if !slices.Contains(t.Columns, column) {
		t.Columns = append(t.Columns, column)
	}
}

// unqualified is what the server sets a plain column to, in a statement over its table
// alone.
func unqualified(a recipe.Assignment) (ast.Expr, *ending) {
	e := ast.Clone(a.To)
	_ = ast.Walk(func(n ast.Node) (bool, error) {
		if name, ok := n.(*ast.ColName); ok {
			name.Qualifier = ast.TableName{}
		}
		return true, nil
	}, e)
	return e, nil
}
