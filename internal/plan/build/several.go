package build

import (
	"slices"
	"strings"

	"tunic/internal/plan/shape"
	"tunic/internal/recipe"
	"tunic/internal/resolve"
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
	found, err := b.lookUp(one, nil)
	table := found.table
	return err == nil && found.unknown || table != nil && table.View == nil && table.Plain()
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
func (b *Builder) several(root ast.Statement) error {
	c := changesOf(root)
	if err := b.followedChanges(root, c); err != nil {
		return err
	}
	var err error
	if b.Run.Describe, err = b.describedChange(b.Asked.Root()); err != nil { // what is wrong with it the server says
		return err
	}
	b.Run.Ignore = c.ignore
	w := &severalWriter{changes: c, treeBuilder: &treeBuilder{Builder: b, numbers: map[string]int{}}}
	w.scope = &scope{tree: w.treeBuilder}
	if err := w.plan(root); err != nil {
		return err
	}
	switch {
	case w.doubted:
		b.Run.Describe, err = b.describedTree(b.Asked.Root())
	case w.writesPlain():
		b.Run.Describe, err = b.describedReads(b.Asked.Root())
	}
	return err
}

// writesPlain reports whether a plain table is among those that are written.
func (w *severalWriter) writesPlain() bool {
	return slices.ContainsFunc(w.targets, func(t *target) bool { return t.Table.Plain() })
}

// describedChange is what the server describes of such a statement. MySQL, which is the
// one that tells the types of parameters, looks at all of an UPDATE when it prepares it.
// Otherwise it is a query of what the statement reads, unless a name is wrong that it
// only sets.
func (b *Builder) describedChange(root ast.Statement) (*sql.Printed, error) {
	if _, updates := root.(*ast.Update); updates && (b.Modes&sql.MariaDB == 0 || b.misnamed) {
		return b.describedTree(root)
	}
	return b.describedReads(root)
}

// describedReads is a query of what such a statement reads: tunic's service account need
// not be able to write plain tables.
func (b *Builder) describedReads(root ast.Statement) (*sql.Printed, error) {
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
func (b *Builder) followedChanges(root ast.Statement, c *changes) error {
	switch n, deletes := root.(*ast.Delete); {
	case deletes && len(n.Partitions) > 0:
		return &resolve.Beyond{What: "PARTITION"}
	case c.with != nil && b.Modes&sql.MariaDB != 0:
		return &resolve.Beyond{What: "WITH"}
	case b.Tree.Returning() != nil:
		return &resolve.Beyond{What: "RETURNING of rows that tunic has to read first"}
	case !c.single() && (c.by != nil || c.limit != nil):
		return &resolve.Beyond{What: "ORDER BY or LIMIT in a statement that writes several tables"}
	}
	if err := b.nameable(root); err != nil {
		return err
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

func (w *severalWriter) plan(root ast.Statement) error {
	s := w.scope
	if err := w.treeBuilder.with(w.changes.with, s); err != nil {
		return err
	}
	all, err := s.list(w.from)
	if err != nil {
		return err
	}
	s.visible = all.columns
	if err := w.findTargets(); err != nil {
		return err
	}
	if err := w.assign(); err != nil {
		return err
	}
	from, steps, err := s.where(w.changes.where, all)
	if err != nil {
		return err
	}
	if err := w.certain(); err != nil {
		return err
	}
	rest, err := w.behind()
	if err != nil {
		return err
	}
	if err := w.rereads(root, steps); err != nil {
		return err
	}
	items, err := w.items()
	if err != nil {
		return err
	}
	for _, step := range rest {
		if p, ok := step.(*recipe.Project); ok {
			p.Items = items
		}
	}
	w.Run.Tree = &recipe.Tree{Root: &recipe.Block{From: from, Steps: append(steps, rest...)}}
	w.writes = map[*leaf]bool{}
	for _, t := range w.targets {
		w.writes[t.leaf] = true
		w.Run.Targets = append(w.Run.Targets, t.Target)
	}
	if err := w.remote(); err != nil {
		return err
	}
	return w.flows()
}

// findTargets finds the tables that are written: those that a DELETE lists, and those of
// columns that are set.
func (w *severalWriter) findTargets() error {
	if w.Run.Kind != sql.Delete {
		for _, e := range w.changes.set {
			c, err := w.scope.find(e.Name)
			w.misnamed = c == nil
			if err != nil {
				return err
			}
			if c == nil {
				return errUnknown
			}
			if _, err := w.target(c.of); err != nil {
				return err
			}
		}
		slices.SortFunc(w.targets, func(t, u *target) int { return t.Base - u.Base })
		return w.untied()
	}
	if w.single() {
		_, err := w.target(w.scope.sources[0])
		return err
	}
	for _, name := range w.listed {
		i := slices.IndexFunc(w.scope.sources, func(of *source) bool { return w.scope.qualifies(of, name) })
		if i < 0 {
			return &sqlerr.Error{Number: 1109, State: "42S02", Message: "Unknown table '" + name.Name.String() + "' in MULTI DELETE"}
		}
		if _, err := w.target(w.scope.sources[i]); err != nil {
			return err
		}
	}
	return w.untied()
}

// target is the target that a source is; it is made when it is first asked for.
func (w *severalWriter) target(of *source) (*target, error) {
	if of.leaf == nil {
		return nil, &sqlerr.Error{Number: 1288, State: "HY000", Message: "The target table " + of.alias + " of the " + w.Run.Kind.String() + " is not updatable"}
	}
	for _, t := range w.targets {
		if t.leaf == of.leaf {
			return t, nil
		}
	}
	table := of.leaf.table
	if table.Plain() && !strings.Contains(table.Definition, "\n) ENGINE=") {
		return nil, &resolve.Beyond{What: "a statement over several tables that writes a view"}
	}
	key := table.RowKey()
	if key == nil {
		return nil, &resolve.Beyond{What: "a statement over several tables that writes one without a primary key,"}
	}
	if err := transactional(table); err != nil {
		return nil, err
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
func (w *severalWriter) behind() ([]recipe.Step, error) {
	clauses, inside, err := w.scope.clauses(&ast.Select{OrderBy: w.by, Limit: w.limit}, nil)
	if err != nil {
		return nil, err
	}
	b := *w.Builder
	b.block = w.scope
	return b.blockSteps(clauses, nil, append(w.queries, inside...))
}

// items are what the rows of the Tree are.
func (w *severalWriter) items() (items []recipe.Item, err error) {
	for _, t := range w.targets {
		if err := w.writeBack(t); err != nil {
			return nil, err
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
func (w *severalWriter) writeBack(t *target) error {
	b := *w.Builder
	b.scope, b.base, b.block = t.leaf.scope, 0, nil
	b.Run = &recipe.Run{Kind: w.Run.Kind, Table: t.Table, Ignore: w.Run.Ignore}
	b.table = t.leaf.entry()
	b.table.As = ast.Name("")
	if t.leaf.alias != t.Table.Name && !(w.single() && w.listed == nil && w.Run.Kind == sql.Delete) {
		b.table.As = ast.Name(t.leaf.alias)
	}
	t.Write.Stamps = b.stamps(t.set)
	if err := b.holdTarget(t); err != nil {
		return err
	}
	if err := b.cascadeTarget(t); err != nil {
		return err
	}
	if err := b.computeTargetBesideStamps(t); err != nil {
		return err
	}
	t.Write.Compute(t.Table, t.set)
	for _, a := range t.Write.Set {
		t.fetches(a.Column)
	}
	for _, i := range slices.Concat(t.Write.HeldColumns(), t.Write.Stamps, t.Write.BesideColumns()) {
		t.fetches(i)
	}
	w.reached = append(w.reached, b.reached...)
	return b.writeBack(t.Table.RowKey(), t.Write, t.set, unqualified)
}

// computeTargetBesideStamps is computeBesideStamps for a table of several, where the server is asked for no values
// that a plain column is computed from.
func (b *Builder) computeTargetBesideStamps(t *target) error {
	set := slices.Clone(t.set)
	if err := b.computeBesideStamps(t.Write, set); err != nil {
		return err
	}
	for n := range set {
		if a := &set[n]; a.Local && !a.Given && !t.set[n].Local {
			return &resolve.Beyond{What: "a plain column that is computed where a protected one is ON UPDATE CURRENT_TIMESTAMP, in a statement over several tables,"}
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
func unqualified(a recipe.Assignment) (ast.Expr, error) {
	e := ast.Clone(a.To)
	_ = ast.Walk(func(n ast.Node) (bool, error) {
		if name, ok := n.(*ast.ColName); ok {
			name.Qualifier = ast.TableName{}
		}
		return true, nil
	}, e)
	return e, nil
}
