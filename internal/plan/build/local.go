package build

import (
	"tunic/internal/plan/shape"
	"tunic/internal/recipe"
	"tunic/internal/sql/ast"
	"tunic/internal/value"
)

// localQuery plans the query as rows that are fetched and steps that finish them.
func (b *Builder) localQuery(n *ast.Select, items []recipe.Item, where ast.Expr, exact bool) *ending {
	stored := &ast.Select{
		Cache: n.Cache, HighPriority: n.HighPriority, StraightJoinHint: n.StraightJoinHint,
		Comments: n.Comments, SelectExprs: &ast.SelectExprs{}, From: ast.TableExprs{ast.Clone(b.table)},
		Where: shape.Where(where), Lock: n.Lock,
	}
	group, end := b.groupOf(n, items)
	if end != nil {
		return end
	}
	rest := *n
	if end := b.leaveToServer(&rest, stored, exact, group != nil); end != nil {
		return end
	}
	first, end := b.firstRows(&rest, stored, group != nil)
	if end != nil {
		return end
	}
	if b.Run.Local, end = b.steps(&rest, items, group); end != nil {
		return end
	}
	if end := b.fetch(stored, nil); end != nil {
		return end
	}
	if end := first.tell(b, stored); end != nil {
		return end
	}
	b.Run.Remote, end = b.store(stored)
	return end
}

// leaveToServer leaves sorting, and stopping after it, to the server where every row that
// it returns is a row of the answer and it can sort them.
func (b *Builder) leaveToServer(n, stored *ast.Select, exact, grouped bool) *ending {
	if !exact || !b.cuts(n, grouped) {
		return nil
	}
	order, ok, end := b.remoteOrder(n)
	if end != nil || !ok {
		return end
	}
	stored.OrderBy, stored.Limit = order, n.Limit
	n.OrderBy, n.Limit = nil, nil
	return nil
}

// cuts reports whether the rows of a query are the table's, in an order, up to a LIMIT.
func (b *Builder) cuts(n *ast.Select, grouped bool) bool {
	return !grouped && !n.Distinct && !b.tellsVariable(n) && !n.SQLCalcFoundRows && n.Having == nil && len(shape.Windows(n.SelectExprs, n.OrderBy)) == 0
}

// allRows as a LIMIT lifts the one that sql_select_limit sets for a SELECT, and not
// for what is done with its rows (MySQL manual, "SELECT Statement").
const allRows = "18446744073709551615"

// fetch has the stored query return the columns that the steps and others read, in
// the order of the table, and all rows unless the server may stop.
func (b *Builder) fetch(stored *ast.Select, others []recipe.Item) *ending {
	need, end := b.needed(b.Run.Local, others)
	if end != nil {
		return end
	}
	if stored.Limit == nil {
		stored.Limit = &ast.Limit{Rowcount: &ast.Literal{Type: ast.IntVal, Val: allRows}}
	}
	for _, i := range need {
		of, f := recipe.CellOf(b.scope.Table, i), recipe.Fetch{Column: i}
		if b.Run.ShareCell(of, f) {
			continue
		}
		stored.SelectExprs.Exprs = append(stored.SelectExprs.Exprs, &ast.AliasedExpr{Expr: b.fetched(i)})
		b.Run.AddFetch(of, f)
	}
	b.fetchRowTokens(stored.SelectExprs)
	if len(need) == 0 { // COUNT(*): the rows are counted, and nothing of them is needed
		one := &ast.Literal{Type: ast.IntVal, Val: "1"}
		stored.SelectExprs.Exprs = []ast.SelectExpr{&ast.AliasedExpr{Expr: one}}
		b.Run.AddFetch(recipe.Cell{Column: -1}, recipe.Fetch{Column: -1})
	}
	return nil
}

// fetched is how a column is fetched. What the server would send of a plain column
// has to say all of its value: text in the column's character set, and not in that
// of results; numbers without rounding; labels by their numbers; and a TIMESTAMP in
// no time zone.
func (b *Builder) fetched(i int) ast.Expr {
	c := b.scope.At(i)
	name := shape.Column(c.Stored())
	if c.Protected() {
		return name
	}
	switch k := c.Type.Kind; {
	case k.IsText(), k == value.JSON:
		return &ast.CastExpr{Expr: name, Type: &ast.ConvertType{Type: "binary"}}
	case k == value.Float, k == value.Double:
		// a sum with 0 would be 0 of -0
		return &ast.BinaryExpr{Operator: ast.MultOp, Left: name, Right: &ast.Literal{Type: ast.FloatVal, Val: "1e0"}}
	case k == value.Bit, k == value.Enum, k == value.Set:
		return &ast.CastExpr{Expr: name, Type: &ast.ConvertType{Type: "unsigned"}}
	case k == value.Timestamp:
		return call("unix_timestamp", name)
	}
	return name
}

// needed are the columns that steps and others read, in the order of the table.
func (b *Builder) needed(steps []recipe.Step, others []recipe.Item) ([]int, *ending) {
	used := make([]bool, len(b.scope.Table.Columns))
	nodes := recipe.Expressions(steps)
	for _, it := range others {
		nodes = append(nodes, it.Expr)
	}
	end := walk(func(node ast.Node) (bool, *ending) {
		switch node := node.(type) {
		case *ast.Subquery:
			return false, beyond("a subquery")
		case *ast.ColName:
			if i, ok := b.scope.Column(node); ok {
				used[i] = true
			}
		case *ast.Default: // who may not read a column may not read its default
			if i := b.scope.Table.Column(node.ColName); i >= 0 {
				used[i] = true
			}
		}
		return true, nil
	}, nodes...)
	var need []int
	for i, u := range used {
		if u {
			need = append(need, i)
		}
	}
	return need, end
}

// steps are what finishes the rows of a query, in SQL's order.
func (b *Builder) steps(n *ast.Select, items []recipe.Item, group *recipe.Group) (all []recipe.Step, end *ending) {
	if b.rest != nil {
		all = append(all, &recipe.Filter{Where: b.rest})
	}
	if group != nil {
		all = append(all, group)
	}
	if n.Having != nil {
		where, end := b.meant(n.Having.Expr, items)
		if end != nil {
			return nil, end
		}
		if len(shape.Windows(where)) > 0 {
			return nil, &ending{wrong: "a window function in HAVING"}
		}
		all = append(all, &recipe.Having{Where: where})
	}
	sort, end := b.sort(n.OrderBy, items)
	if end != nil {
		return nil, end
	}
	if w := windowed(items, sort); w != nil {
		all = append(all, w)
	}
	if sort != nil && !n.Distinct {
		all = append(all, sort)
	}
	all = append(all, &recipe.Project{Items: items})
	if n.Distinct {
		all = append(all, &recipe.Distinct{})
	}
	if sort != nil && n.Distinct {
		if !sort.OfItems() {
			return nil, beyond("DISTINCT, with an ORDER BY of what is not selected,")
		}
		all = append(all, sort)
	}
	if n.SQLCalcFoundRows {
		b.asQuery().Counts = true
	}
	if n.Limit != nil {
		all = append(all, &recipe.Limit{Of: n.Limit, All: n.SQLCalcFoundRows})
	}
	return all, nil
}

// groupOf is the step that groups, nil if the query has no groups.
func (b *Builder) groupOf(n *ast.Select, items []recipe.Item) (*recipe.Group, *ending) {
	g := &recipe.Group{}
	var end *ending
	if n.GroupBy != nil {
		for _, e := range n.GroupBy.Exprs {
			if e, end = b.groupKey(e, items); end != nil {
				return nil, end
			}
			if len(shape.Windows(e)) > 0 {
				return nil, &ending{wrong: "a window function in GROUP BY"}
			}
			g.By = append(g.By, e)
		}
	}
	for _, it := range items {
		addAggregates(g, it.Expr)
	}
	if n.Having != nil {
		addAggregates(g, n.Having.Expr)
	}
	for _, o := range n.OrderBy {
		addAggregates(g, o.Expr)
	}
	if len(g.Aggregates) == 0 && n.GroupBy == nil {
		return nil, nil //nolint:nilnil // a query without groups has no such step
	}
	if g.Rollup = rolledUp(n); g.Rollup {
		return g, b.rollup(g, n, items)
	}
	return g, nil
}

// groupKey is a key of GROUP BY: what the position or the alias stands for, if it
// is one.
func (b *Builder) groupKey(e ast.Expr, items []recipe.Item) (ast.Expr, *ending) {
	if l, ok := e.(*ast.Literal); ok {
		i, end := position(l, items)
		if end != nil {
			return nil, end
		}
		return items[i].Expr, nil
	}
	return b.meant(e, items)
}

// addAggregates adds the aggregate functions of an expression that a step does not
// have yet.
func addAggregates(g *recipe.Group, e ast.Expr) {
	for _, a := range shape.Aggregates(e) {
		if g.Aggregate(a) < 0 {
			g.Aggregates = append(g.Aggregates, a)
		}
	}
}

// outputNodes are what a query computes of its groups, or of its rows where it has none: the select
// list, HAVING and ORDER BY.
func outputNodes(n *ast.Select, items []recipe.Item) []ast.Node {
	nodes := make([]ast.Node, 0, len(items)+len(n.OrderBy)+1)
	for _, it := range items {
		nodes = append(nodes, it.Expr)
	}
	if n.Having != nil {
		nodes = append(nodes, n.Having.Expr)
	}
	for _, o := range n.OrderBy {
		nodes = append(nodes, o.Expr)
	}
	return nodes
}
