package build

import (
	"slices"

	"tunic/internal/catalog"
	"tunic/internal/plan/information"
	"tunic/internal/plan/shape"
	"tunic/internal/recipe"
	"tunic/internal/sql/ast"
)

// The rows of a table are only of use to a query if they meet rows of the tables that they are joined with, or that a
// subquery is compared with. So where few rows of such a table are fetched, the server is asked for no more of this one than
// meet them (a semi-join; docs/local.md, "Rows that meet others"):
//
//	SELECT … FROM post LEFT JOIN person ON person.id = post.author WHERE post.id = 7
//
//	remote   select … from post where post.id$eq = :s0
//	         union all select … from person where person.id$eq in (select post.author$eq from post where post.id$eq = :s0)
//
// Rows that are left out would have met none. Whatever else decides, the tree still does: a semi-join may let too many through.

// semijoin has the server leave out rows that meet none of by: their columns of equal are to equal those of one of its rows.
type semijoin struct {
	by    *fetched
	equal []storedPair
}

// meeting is something that rows of a leaf have to meet in rows of another one.
type meeting struct {
	of, by   *fetched
	pair     storedPair
	backward bool // as that of a recipe.Meeting; it is of use only where nothing else chooses the rows
	done     bool
	// ofLeaf and byLeaf are the tables among them, with the numbers of the columns there.
	ofLeaf, byLeaf     *leaf
	ofColumn, byColumn int
}

// semijoinsMax bounds how many tables the semi-joins of a leaf name, with those by which their rows are left out in turn: a server
// that joins them all may think about their order for longer than it reads them.
const semijoinsMax = 4

// reduce finds the semi-joins of all leaves.
func (t *treeBuilder) reduce(all []meeting) {
	locks := func(f *fetched) bool { return f.lock != ast.NoLock } // and reads rows as others do not see them
	if t.namedOnce || t.withoutTokens || t.secret || t.writes != nil || t.inserted || slices.ContainsFunc(t.fetched, locks) {
		return
	}
	for more := true; more; { // what is left out may choose the rows that others have to meet
		more = false
		for i := range all {
			more = all[i].leaveOut() || more
		}
	}
	t.Run.Tree.NamesTwice = slices.ContainsFunc(t.fetched, func(f *fetched) bool { return len(f.semijoins) > 0 })
}

// nameOnce plans the statement once more so that it names no table twice, if it does.
func (b *Builder) nameOnce() {
	if b.Run.Tree == nil || !b.Run.Tree.NamesTwice {
		return
	}
	other := *b
	other.namedOnce, other.Run, other.scope = true, b.fresh(), nil
	if other.build(b.Tree.Root()) == nil {
		b.Run.Alternatives[recipe.NamedOnce] = other.Run
	}
}

// leaveOut makes a semi-join of a meeting, if the rows that are met are chosen themselves.
func (m *meeting) leaveOut() bool {
	at := slices.IndexFunc(m.of.semijoins, func(j semijoin) bool { return j.by == m.by })
	switch {
	case m.done || !m.by.chosen() || m.by.hangsOn(m.of) || m.backward && m.of.chosen() && at < 0 || !m.by.asksTwice():
		return false
	case at < 0 && (m.of.meets()+len(m.by.met()) > semijoinsMax || !m.by.foundByKeys()):
		return false
	case at < 0:
		m.of.semijoins = append(m.of.semijoins, semijoin{m.by, []storedPair{m.pair}})
	default:
		m.of.semijoins[at].equal = append(m.of.semijoins[at].equal, m.pair)
	}
	m.done = true
	return true
}

// chosen reports whether conditions choose among the rows.
func (f *fetched) chosen() bool {
	return len(f.semijoins) > 0 || f.limited != nil || slices.ContainsFunc(f.leaves, func(l *leaf) bool { return l.where != nil })
}

// hangsOn reports whether which rows are fetched hangs on those of another leaf.
func (f *fetched) hangsOn(other *fetched) bool {
	for i := range f.semijoins {
		if by := f.semijoins[i].by; by == other || by.hangsOn(other) {
			return true
		}
	}
	return false
}

// asksTwice reports whether the same rows can be chosen a second time in a statement. What stands for a table of
// information_schema has one place, and a view of the server's own may have other rows each time, as with RAND() in it.
func (f *fetched) asksTwice() bool {
	if f.limited != nil && !f.limited.same {
		return false
	}
	return !slices.ContainsFunc(f.leaves, func(l *leaf) bool { return information.IsTold(l.table) || l.table.MayBeView() || !asksTheSame(l.where) })
}

// askedMost bounds the parts of a condition that is asked twice, so that a statement that can be read becomes none that cannot.
const askedMost = 2000

// asksTheSame reports whether a condition is the same one each time it is asked, and the server says nothing of it: it compares
// columns with values.
func asksTheSame(where ast.Expr) bool {
	if where == nil {
		return true
	}
	parts := 0
	return walk(func(n ast.Node) (bool, *ending) {
		switch n.(type) {
		case *ast.AndExpr, *ast.OrExpr, *ast.NotExpr, *ast.ComparisonExpr, *ast.BetweenExpr, *ast.IsExpr, ast.ValTuple, ast.ListArg,
			*ast.ColName, ast.TableName, ast.IdentifierCI, ast.IdentifierCS, *ast.Argument, *ast.Literal, *ast.NullVal, ast.BoolVal:
			if parts++; parts <= askedMost {
				return true, nil
			}
		}
		return false, unknown()
	}, where) == nil
}

// condition is a semi-join as the server gets it.
func (j *semijoin) condition() ast.Expr {
	n := &ast.Select{SelectExprs: &ast.SelectExprs{}}
	var left ast.ValTuple
	for _, p := range j.equal {
		left = append(left, ast.Clone(p.of))
		n.SelectExprs.Exprs = append(n.SelectExprs.Exprs, &ast.AliasedExpr{Expr: ast.Clone(p.by)})
	}
	met := j.by.met()
	var where ast.Expr
	on := among(met)
	for _, f := range met {
		if f.limited != nil {
			n.From = append(n.From, f.derived(columnsNamed(f.leaves[0].unique, n.SelectExprs, on)))
			continue
		}
		n.From = append(n.From, ast.Clone(f.entry()))
		for _, l := range f.leaves {
			where = shape.And(where, l.chosenBy())
		}
	}
	n.Where = shape.Where(shape.And(where, on))
	c := &ast.ComparisonExpr{Operator: ast.InOp, Left: left, Right: &ast.Subquery{Select: n}}
	if len(left) == 1 {
		c.Left = left[0]
	}
	return c
}

// columnsNamed are the columns of a table that are named.
func columnsNamed(unique string, nodes ...ast.Node) (names []string) {
	_ = ast.Walk(func(n ast.Node) (bool, error) {
		name, ok := n.(*ast.ColName)
		if ok && name.Qualifier.Name.String() == unique && !slices.Contains(names, name.Name.String()) {
			names = append(names, name.Name.String())
		}
		return true, nil
	}, nodes...)
	return names
}

// foundByKeys reports whether the server has keys for the joins in a semi-join by these rows: without them MariaDB compares all
// rows of two tables, where tunic would have looked them up.
func (f *fetched) foundByKeys() bool {
	return !slices.ContainsFunc(f.semijoins, func(j semijoin) bool {
		byKey := func(p storedPair) bool { return f.leadsKey(p.of) || j.by.leadsKey(p.by) }
		return j.by.limited == nil && !j.by.isOneRow() && !slices.ContainsFunc(j.equal, byKey) || !j.by.foundByKeys()
	})
}

// isOneRow reports whether the rows are one at most: the columns of the primary key are compared with values.
func (f *fetched) isOneRow() bool {
	if len(f.leaves) > 1 || f.leaves[0].where == nil {
		return false
	}
	l := f.leaves[0]
	given := map[string]bool{}
	for _, c := range ast.Conjuncts(l.where, nil) {
		if n, ok := c.(*ast.ComparisonExpr); ok && n.Operator == ast.EqualOp && n.Modifier == ast.Missing {
			if name, ok := n.Left.(*ast.ColName); ok {
				given[name.Name.String()] = true
			}
		}
	}
	return slices.ContainsFunc(l.table.Keys, func(k catalog.Key) bool {
		parts := storedParts(l.table, &k)
		return k.Kind == catalog.Primary && len(parts) == len(k.Parts) && !slices.ContainsFunc(parts, func(name string) bool { return !given[name] })
	})
}

// leadsKey reports whether a stored column is the first one of a key that tunic knows of.
func (f *fetched) leadsKey(e ast.Expr) bool {
	name, ok := e.(*ast.ColName)
	return ok && slices.ContainsFunc(f.leaves, func(l *leaf) bool {
		return l.unique == name.Qualifier.Name.String() && slices.ContainsFunc(l.table.Keys, func(k catalog.Key) bool {
			parts := storedParts(l.table, &k)
			return len(parts) == len(k.Parts) && parts[0] == name.Name.String()
		})
	})
}

// meets counts the tables of semi-joins.
func (f *fetched) meets() (n int) {
	for i := range f.semijoins {
		n += len(f.semijoins[i].by.met())
	}
	return n
}

// met are the tables of a semi-join by these rows: they and, behind them, those that they have to meet in turn.
func (f *fetched) met() []*fetched {
	all := []*fetched{f}
	for at := 0; at < len(all); at++ {
		for i := range all[at].semijoins {
			if by := all[at].semijoins[i].by; !slices.Contains(all, by) && len(all) < semijoinsMax {
				all = append(all, by)
			}
		}
	}
	return all
}

// among are the conditions between the tables of a semi-join.
func among(all []*fetched) (on ast.Expr) {
	for _, f := range all {
		for i := range f.semijoins {
			if !slices.Contains(all, f.semijoins[i].by) {
				continue
			}
			for _, p := range f.semijoins[i].equal {
				on = shape.And(on, &ast.ComparisonExpr{Operator: ast.EqualOp, Left: ast.Clone(p.of), Right: ast.Clone(p.by)})
			}
		}
	}
	return on
}

// all are the leaves that the query of these rows names: those of the rows, and those of semi-joins.
func (f *fetched) all() []*leaf {
	all := f.leaves
	for i := range f.semijoins {
		for _, of := range f.semijoins[i].by.met() {
			all = append(all[:len(all):len(all)], of.leaves...)
		}
	}
	return all
}

// qualified reports whether the stored query has columns of several tables.
func (f *fetched) qualified() bool { return len(f.leaves) > 1 || len(f.semijoins) > 0 }

// fetchedAs are the rows that a unique name is of, and the leaf among them.
func (t *treeBuilder) fetchedAs(unique string) (*fetched, *leaf) {
	for _, f := range t.fetched {
		for _, l := range f.leaves {
			if l.unique == unique {
				return f, l
			}
		}
	}
	return nil, nil
}

// column is the leaf and the number of the column in it that an expression is; the leaf is nil if it is none.
func (t *treeBuilder) column(e ast.Expr) (*leaf, int) {
	name, ok := e.(*ast.ColName)
	if !ok {
		return nil, -1
	}
	_, l := t.fetchedAs(name.Qualifier.Name.String())
	if l == nil {
		return nil, -1
	}
	at := l.table.Column(name.Name.String())
	if at < 0 {
		return nil, -1
	}
	return l, at
}

// meetings are those of rows whose columns the server can compare. It notes the others where a column is plain.
func (t *treeBuilder) meetings() (all []meeting) {
	named := func(part recipe.From) (names []string) {
		if f := t.fetchedOf(part); f != nil {
			for _, l := range f.leaves {
				names = append(names, l.unique)
			}
		}
		return names
	}
	for _, m := range t.Run.Tree.Meetings(named) {
		f, l := t.fetchedAs(m.Of.Qualifier.Name.String())
		g, k := t.fetchedAs(m.By.Qualifier.Name.String())
		if f == nil || g == nil || f == g {
			continue
		}
		if pair := storedEqual(l, m.Of, k, m.By); pair != nil {
			i, j := l.table.Column(m.Of.Name.String()), k.table.Column(m.By.Name.String())
			all = append(all, meeting{of: f, by: g, pair: *pair, backward: m.Backward, ofLeaf: l, byLeaf: k, ofColumn: i, byColumn: j})
		} else {
			t.noteMixed(l, m.Of, k, m.By)
		}
	}
	return all
}

// noteMixed notes that two columns are compared of which one is plain, for EXPLAIN.
func (t *treeBuilder) noteMixed(l *leaf, a *ast.ColName, k *leaf, b *ast.ColName) {
	left, _ := l.equality(a)
	right, _ := k.equality(b)
	if left == nil || right == nil || left.Protected() == right.Protected() {
		return
	}
	m := recipe.Mixed{Protected: recipe.NamedColumn{Table: l.table.Name, Column: left.Name}, Plain: recipe.NamedColumn{Table: k.table.Name, Column: right.Name}}
	if right.Protected() {
		m.Protected, m.Plain = m.Plain, m.Protected
	}
	if tree := t.Run.Tree; !slices.Contains(tree.Mixed, m) {
		tree.Mixed = append(tree.Mixed, m)
	}
}
