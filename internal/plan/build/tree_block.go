package build

import (
	"tunic/internal/plan/shape"
	"tunic/internal/plan/twin"
	"tunic/internal/recipe"
	"tunic/internal/sql/ast"
)

// block plans a SELECT.
func (t *treeBuilder) block(n *ast.Select, outer *scope) (*made, *ending) {
	if end := followedInTree(n, outer == nil); end != nil {
		return nil, end
	}
	asked := n
	n, end := ownWindows(withoutAnyValue(n))
	if end != nil {
		return nil, end
	}
	s := &scope{parent: outer, tree: t, lock: n.Lock}
	if end := t.with(n.With, s); end != nil {
		return nil, end
	}
	if t.writes == nil {
		n = shape.InnerWhereDecided(n, outer.hasSource)
	}
	all, end := s.list(n.From)
	if end != nil {
		return nil, end
	}
	if end := ofFilled(asked, t.tables...); end != nil {
		return nil, end
	}
	s.visible = all.columns
	b := *t.Builder // the rules for one table's clauses, in this block
	b.block = s
	items, columns, list, end := s.items(n.SelectExprs.Exprs, &b)
	if end != nil {
		return nil, end
	}
	twin.FindDigits(&t.Run.Answer, n, items)
	t.Run.Answer.Keys = append(t.Run.Answer.Keys, twin.KeysOf(n)...)
	from, steps, end := s.where(n.Where, all)
	if end != nil {
		return nil, end
	}
	clauses, behind, end := s.clauses(n, items)
	if end != nil {
		return nil, end
	}
	rest, end := b.blockSteps(clauses, items, append(list, behind...))
	if end != nil {
		return nil, end
	}
	return &made{&recipe.Block{Outer: s.outer, From: from, Steps: append(steps, rest...), Stars: s.stars}, columns}, nil
}

// followedInTree refuses the clauses of a SELECT that are not followed.
func followedInTree(n *ast.Select, top bool) *ending {
	plain := *n
	plain.With, plain.GroupBy = nil, nil
	if n.SQLCalcFoundRows && !top {
		return beyond("SQL_CALC_FOUND_ROWS in a query inside of another")
	}
	if n.Lock == ast.ForUpdateLockSkipLocked || n.Lock == ast.ForShareLockSkipLocked {
		return beyond("SKIP LOCKED in a query over several tables")
	}
	if n.Into != nil && !top {
		return beyond("INTO in a query inside of another")
	}
	return followed(&plain)
}

// items are the columns of a block's answer, their names, and the queries in them.
func (s *scope) items(exprs []ast.SelectExpr, b *Builder) (items []recipe.Item, columns []string, inside []*recipe.Subquery, end *ending) {
	for _, e := range exprs {
		switch e := e.(type) {
		case *ast.StarExpr:
			all, end := s.star(e)
			if end != nil {
				return nil, nil, nil, end
			}
			s.stars = append(s.stars, len(all))
			for _, c := range all {
				name := c.name()
				items = append(items, recipe.Item{Expr: name, Column: b.columnOf(name)})
				columns = append(columns, c.of.columns[c.at])
			}
		case *ast.AliasedExpr:
			r := &rewriter{scope: s}
			made, end := r.rewrite(e.Expr)
			if end != nil {
				return nil, nil, nil, end
			}
			inside = append(inside, r.found...)
			items = append(items, recipe.Item{Expr: made, As: e.As, Column: b.columnOf(made)})
			columns = append(columns, shape.ItemName(e))
		default:
			return nil, nil, nil, beyond("what is selected")
		}
	}
	return items, columns, inside, nil
}

// star are the columns that * stands for.
func (s *scope) star(n *ast.StarExpr) (all []column, end *ending) {
	if n.TableName.Name.IsEmpty() {
		for _, c := range s.visible {
			if !c.isHidden() {
				all = append(all, c)
			}
		}
		if len(all) == 0 {
			return nil, unknown()
		}
		return all, nil
	}
	for _, of := range s.sources {
		if !s.qualifies(of, n.TableName) {
			continue
		}
		for i := range of.columns {
			if c := (column{of, i}); !c.isHidden() {
				all = append(all, c)
			}
		}
	}
	if len(all) == 0 {
		return nil, unknown()
	}
	return all, nil
}

// where makes one of FROM's parts and gives the conditions to where they are decided:
// steps are what is left.
func (s *scope) where(w *ast.Where, all *joined) (from recipe.From, steps []recipe.Step, end *ending) {
	r := &rewriter{scope: s}
	var behind ast.Expr
	if w != nil {
		e, end := r.rewrite(w.Expr)
		if end != nil {
			return nil, nil, end
		}
		if shape.HasAggregate(e) {
			return nil, nil, &ending{wrong: "an aggregate function in WHERE"}
		}
		for _, c := range ast.Conjuncts(e, nil) {
			if namesAttached(c) {
				behind = shape.And(behind, c)
			} else {
				all.conditions = append(all.conditions, c)
			}
		}
	}
	all.conditions = s.implied(all.conditions)
	from, rest, end := s.order(all)
	if end != nil {
		return nil, nil, end
	}
	var filter ast.Expr
	for _, c := range rest {
		filter = shape.And(filter, c)
	}
	if filter != nil {
		steps = append(steps, &recipe.Filter{Where: filter})
	}
	if behind != nil {
		steps = append(steps, &recipe.Attach{Subqueries: r.found}, &recipe.Filter{Where: behind})
	}
	return from, steps, nil
}

// clauses are GROUP BY, HAVING, ORDER BY and the rest of a SELECT, with unique names
// but for aliases, and the queries in them.
func (s *scope) clauses(n *ast.Select, items []recipe.Item) (*ast.Select, []*recipe.Subquery, *ending) {
	made := &ast.Select{Distinct: n.Distinct, Limit: n.Limit, SQLCalcFoundRows: n.SQLCalcFoundRows}
	r := &rewriter{scope: s, items: items}
	if n.GroupBy != nil {
		made.GroupBy = &ast.GroupBy{WithRollup: n.GroupBy.WithRollup}
		for _, e := range n.GroupBy.Exprs {
			key, end := r.rewrite(e)
			if end != nil {
				return nil, nil, end
			}
			made.GroupBy.Exprs = append(made.GroupBy.Exprs, key)
		}
		if len(r.found) > 0 {
			return nil, nil, beyond("a subquery in GROUP BY")
		}
	}
	if n.Having != nil {
		e, end := r.rewrite(n.Having.Expr)
		if end != nil {
			return nil, nil, end
		}
		made.Having = &ast.Where{Type: n.Having.Type, Expr: e}
	}
	for _, o := range n.OrderBy {
		e, end := r.rewrite(o.Expr)
		if end != nil {
			return nil, nil, end
		}
		made.OrderBy = append(made.OrderBy, &ast.Order{Expr: e, Direction: o.Direction})
	}
	return made, r.found, nil
}

// blockSteps are the steps behind a block's WHERE.
func (b *Builder) blockSteps(n *ast.Select, items []recipe.Item, inside []*recipe.Subquery) ([]recipe.Step, *ending) {
	group, end := b.groupOf(n, items)
	if end != nil {
		return nil, end
	}
	if end := b.block.ownAggregates(outputNodes(n, items)); end != nil {
		return nil, end
	}
	b.rest = nil
	steps, end := b.steps(n, items, group)
	if end != nil || len(inside) == 0 {
		return steps, end
	}
	attach := &recipe.Attach{Subqueries: inside}
	if group == nil {
		return append([]recipe.Step{attach}, steps...), nil
	}
	return append([]recipe.Step{steps[0], attach}, steps[1:]...), nil
}

// ownAggregates refuses aggregate functions of outer columns alone, which are those of
// the block around (MySQL manual, "Correlated Subqueries").
func (s *scope) ownAggregates(nodes []ast.Node) *ending {
	for _, a := range shape.Aggregates(nodes...) {
		if shape.HasColumn(a) && len(s.ownSources(a)) == 0 {
			return beyond("an aggregate function of an outer query")
		}
	}
	return nil
}
