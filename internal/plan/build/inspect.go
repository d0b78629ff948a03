package build

import (
	"slices"

	"tunic/internal/identifier"
	"tunic/internal/plan/explanation"
	"tunic/internal/plan/shape"
	"tunic/internal/recipe"
	"tunic/internal/resolve"
	"tunic/internal/sql/ast"
)

// inspector finds the parts of a statement and who does them: it asks the rules that
// have made the run, each for itself. What is said of them package explanation knows.
type inspector struct {
	b      *Builder
	run    *recipe.Run
	parts  []explanation.Part
	advice []explanation.Advice
	// missing are what the advice is for; unserved are the clauses of which no layer serves
	// some part.
	missing  []recipe.MissingLayer
	unserved map[explanation.Clause]bool
}

func (i *inspector) inspect(root ast.Statement) {
	switch n := root.(type) {
	case *ast.Select:
		if i.b.over(n.From...) == nil {
			i.query(n)
		}
	case *ast.Insert:
		if i.b.over(n.Table) == nil {
			i.stored(i.inserted(n.Columns))
		}
	case *ast.Update:
		if i.b.over(n.TableExprs...) == nil {
			i.where(n.Where)
			i.sorted(&ast.Select{SelectExprs: &ast.SelectExprs{}, OrderBy: n.OrderBy})
			i.set(n.Exprs)
		}
	case *ast.Delete:
		if i.b.over(n.TableExprs...) == nil {
			i.where(n.Where)
			i.sorted(&ast.Select{SelectExprs: &ast.SelectExprs{}, OrderBy: n.OrderBy})
		}
	}
}

func (i *inspector) query(n *ast.Select) {
	items, end := i.b.items(n.SelectExprs.Exprs)
	if end != nil {
		return
	}
	i.where(n.Where)
	i.grouped(n, items)
	if n.Having != nil {
		use, err := i.b.scope.UseOf(n.Having.Expr)
		nothing := func(*Builder) bool { return false }
		i.add(explanation.Having, n.Having.Expr, i.does(isGroup), err == nil && use != resolve.Protected, n.Having.Expr, nothing)
	}
	i.sorted(n)
	i.computed(items)
}

// where tells of each condition of a WHERE that has to hold.
func (i *inspector) where(w *ast.Where) {
	if w == nil {
		return
	}
	for _, e := range ast.Conjuncts(w.Expr, nil) {
		stored, ok := predicateOf(i.b, e)
		i.add(explanation.Where, e, true, ok, stored, func(b *Builder) bool { _, ok := predicateOf(b, e); return ok })
		if near, end := i.b.conditions().around(e); !ok && end == nil && near != nil {
			i.near(i.sent(e, near))
		}
	}
}

func predicateOf(b *Builder, e ast.Expr) (ast.Expr, bool) {
	stored, ok, end := b.conditions().predicate(e)
	return stored, ok && end == nil
}

// grouped tells of the keys of a GROUP BY, or of what DISTINCT makes keys.
func (i *inspector) grouped(n *ast.Select, items []recipe.Item) {
	g := groupsOf(n, items)
	clause := explanation.GroupBy
	if n.Distinct {
		clause = explanation.Distinct
	}
	for _, e := range g.by {
		key := e
		if n.GroupBy != nil {
			if meant, end := i.b.groupKey(e, items); end == nil {
				key = meant
			}
		}
		stored, ok := i.b.keyOf(key)
		i.add(clause, key, i.does(isGroup), ok, stored, func(b *Builder) bool { _, ok := b.keyOf(key); return ok })
	}
}

// sorted tells of the keys of an ORDER BY.
func (i *inspector) sorted(n *ast.Select) {
	around := false // of the keys behind, the server knows nothing
	for _, o := range n.OrderBy {
		stored, ok := sortKeyOf(i.b, o.Expr, n)
		e := o.Expr
		if aliased := aliasedBy(e, n); aliased != nil {
			e = aliased
		}
		i.add(explanation.OrderBy, e, i.does(isSort), ok, stored, func(b *Builder) bool { _, ok := sortKeyOf(b, o.Expr, n); return ok })
		if near, _ := i.b.sortsAround(e, n); !ok && near != nil && !around && i.asksFirst() {
			i.near(i.sent(e, shape.Column(near.Stored)))
		}
		around = around || !ok
	}
}

// asksFirst reports whether the server is asked for first rows.
func (i *inspector) asksFirst() bool {
	q, ok := i.run.Does.(*recipe.Query)
	return ok && q.First != nil
}

func sortKeyOf(b *Builder, e ast.Expr, n *ast.Select) (ast.Expr, bool) {
	stored, ok, end := b.sortKey(e, n)
	return stored, ok && end == nil
}

// computed tells of what is selected that is more than a column.
func (i *inspector) computed(items []recipe.Item) {
	for _, it := range items {
		use, err := i.b.scope.UseOf(it.Expr)
		if err != nil || it.Column >= 0 || use != resolve.Protected {
			continue
		}
		count := i.b.counts(it.Expr)
		i.add(explanation.Select, it.Expr, !i.local(), count != nil, count, func(b *Builder) bool { return b.counts(it.Expr) != nil })
	}
}

// set tells of the columns of an UPDATE's SET.
func (i *inspector) set(exprs ast.UpdateExprs) {
	set, end := i.b.assignments(exprs)
	if end != nil {
		return
	}
	var given []int
	for _, a := range set {
		c := i.b.scope.At(a.Column)
		if !c.Protected() {
			continue
		}
		given = append(given, a.Column)
		if !a.Given {
			text := identifier.Quoted(c.Name) + " = " + recipe.Phrase(a.To)
			i.parts = append(i.parts, explanation.Part{Clause: explanation.Set, Text: text, Does: explanation.Does{Way: explanation.Computed}})
		}
	}
	i.stored(given)
}

// inserted are the columns that an INSERT stores.
func (i *inspector) inserted(names ast.Columns) []int {
	named, end := i.b.insertColumns(names)
	if end != nil {
		return nil
	}
	return append(named, i.b.leftOut(named)...)
}

// stored tells in which forms values of protected columns are written.
func (i *inspector) stored(columns []int) {
	for _, at := range columns {
		c := i.b.scope.At(at)
		if c.Protected() {
			i.parts = append(i.parts, explanation.Written(c))
		}
	}
}

// add adds a part. where says that the run leaves such parts to the server; ok is
// what the rules say of this one, and does what they would say over another table.
func (i *inspector) add(clause explanation.Clause, e ast.Expr, where, ok bool, stored ast.Expr, does func(*Builder) bool) {
	p := explanation.Part{Clause: clause, Text: recipe.Phrase(e), Remote: where && ok}
	switch {
	case p.Remote:
		p.Does = i.sent(e, stored)
	case ok:
		p.Does.Way = explanation.LeftHere
	default:
		p.Does = i.without(clause, e, does)
	}
	i.parts = append(i.parts, p)
}

// sent is with what the server does a part.
func (i *inspector) sent(e, stored ast.Expr) explanation.Does {
	return explanation.Sent(stored, i.b.scope.Table, len(i.b.scope.ProtectedIn(e)) > 0)
}

// near notes that the server narrows or sorts rows for the part that was added last.
func (i *inspector) near(does explanation.Does) { i.parts[len(i.parts)-1].Near = &does }

// without is what the server lacks for a part of a clause, and notes the advice.
func (i *inspector) without(clause explanation.Clause, e ast.Expr, does func(*Builder) bool) explanation.Does {
	if i.b.withoutTokens && len(i.b.scope.ProtectedIn(e)) > 0 && does(i.b.withTokens()) {
		i.unservedBy(clause)
		return explanation.Does{Way: explanation.Tokenless}
	}
	advice := i.b.advise(e, does)
	if len(advice) == 0 {
		i.unservedBy(clause)
		return explanation.Does{Way: explanation.Unserved}
	}
	for _, a := range advice {
		a.ByItself = i.b.scope.At(a.Column).Family != "" && isNullTest(e)
		i.noteMissing(clause, a)
		if !slices.Contains(i.advice, a) {
			i.advice = append(i.advice, a)
		}
	}
	return explanation.Missing(advice, i.b.scope.Table)
}

// isNullTest reports whether a condition asks for NULL.
func isNullTest(e ast.Expr) bool {
	n, ok := e.(*ast.IsExpr)
	return ok && (n.Right == ast.IsNullOp || n.Right == ast.IsNotNullOp)
}

// withTokens is the builder as it is for values that have tokens.
func (b *Builder) withTokens() *Builder {
	other := b.supposing(nil)
	other.withoutTokens = false
	return other
}

// local reports whether the run finishes rows here.
func (i *inspector) local() bool { return len(i.run.Local) > 0 }

// does reports whether the run leaves what a kind of step would do to the server.
func (i *inspector) does(step func(recipe.Step) bool) bool {
	return !slices.ContainsFunc(i.run.Local, step)
}

func isGroup(s recipe.Step) bool {
	switch s.(type) {
	case *recipe.Group, *recipe.Distinct:
		return true
	}
	return false
}

func isSort(s recipe.Step) bool {
	_, ok := s.(*recipe.Sort)
	return ok
}
