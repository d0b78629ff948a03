package build

import (
	"tunic/internal/plan/shape"
	"tunic/internal/plan/twin"
	"tunic/internal/recipe"
	"tunic/internal/resolve"
	"tunic/internal/sql/ast"
)

// block plans a SELECT.
func (t *treeBuilder) block(n *ast.Select, outer *scope) (*made, error) {
	if err := followedInTree(n, outer == nil); err != nil {
		return nil, err
	}
	asked := n
	n, err := ownWindows(withoutAnyValue(n))
	if err != nil {
		return nil, err
	}
	s := &scope{parent: outer, tree: t, lock: n.Lock}
	if err := t.with(n.With, s); err != nil {
		return nil, err
	}
	all, err := s.list(n.From)
	if err != nil {
		return nil, err
	}
	if err := ofFilled(asked, t.tables...); err != nil {
		return nil, err
	}
	s.visible = all.columns
	b := *t.Builder // the rules for one table's clauses, in this block
	b.block = s
	items, columns, list, err := s.items(n.SelectExprs.Exprs, &b)
	if err != nil {
		return nil, err
	}
	twin.FindDigits(t.Run, n, items)
	t.Run.Keys = append(t.Run.Keys, twin.KeysOf(n)...)
	from, steps, err := s.where(n.Where, all)
	if err != nil {
		return nil, err
	}
	clauses, behind, err := s.clauses(n, items)
	if err != nil {
		return nil, err
	}
	rest, err := b.blockSteps(clauses, items, append(list, behind...))
	if err != nil {
		return nil, err
	}
	return &made{&recipe.Block{Outer: s.outer, From: from, Steps: append(steps, rest...), Stars: s.stars}, columns}, nil
}

// followedInTree refuses the clauses of a SELECT that are not followed.
func followedInTree(n *ast.Select, top bool) error {
	plain := *n
	plain.With, plain.GroupBy = nil, nil
	if n.SQLCalcFoundRows && !top {
		return &resolve.Beyond{What: "SQL_CALC_FOUND_ROWS in a query inside of another"}
	}
	if n.Lock == ast.ForUpdateLockSkipLocked || n.Lock == ast.ForShareLockSkipLocked {
		return &resolve.Beyond{What: "SKIP LOCKED in a query over several tables"}
	}
	if n.Into != nil && !top {
		return &resolve.Beyond{What: "INTO in a query inside of another"}
	}
	return followed(&plain)
}

// items are the columns of a block's answer, their names, and the queries in them.
func (s *scope) items(exprs []ast.SelectExpr, b *Builder) (items []recipe.Item, columns []string, inside []*recipe.Subquery, err error) {
	for _, e := range exprs {
		switch e := e.(type) {
		case *ast.StarExpr:
			all, err := s.star(e)
			if err != nil {
				return nil, nil, nil, err
			}
			s.stars = append(s.stars, len(all))
			for _, c := range all {
				name := c.name()
				items = append(items, recipe.Item{Expr: name, Column: b.columnOf(name)})
				columns = append(columns, c.of.columns[c.at])
			}
		case *ast.AliasedExpr:
			r := &rewriter{scope: s}
			made, err := r.rewrite(e.Expr)
			if err != nil {
				return nil, nil, nil, err
			}
			inside = append(inside, r.found...)
			items = append(items, recipe.Item{Expr: made, As: e.As, Column: b.columnOf(made)})
			columns = append(columns, shape.ItemName(e))
		default:
			return nil, nil, nil, &resolve.Beyond{What: "what is selected"}
		}
	}
	return items, columns, inside, nil
}

// star are the columns that * stands for.
func (s *scope) star(n *ast.StarExpr) (all []column, err error) {
	if n.TableName.Name.IsEmpty() {
		for _, c := range s.visible {
			if !c.isHidden() {
				all = append(all, c)
			}
		}
		if len(all) == 0 {
			return nil, errUnknown
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
		return nil, errUnknown
	}
	return all, nil
}

// where makes one of FROM's parts and gives the conditions to where they are decided:
// steps are what is left.
func (s *scope) where(w *ast.Where, all *joined) (from recipe.From, steps []recipe.Step, err error) {
	r := &rewriter{scope: s}
	var behind ast.Expr
	if w != nil {
		e, err := r.rewrite(w.Expr)
		if err != nil {
			return nil, nil, err
		}
		if shape.HasAggregate(e) {
			return nil, nil, &Wrong{"an aggregate function in WHERE"}
		}
		for _, c := range conjuncts(e, nil) {
			if namesAttached(c) {
				behind = shape.And(behind, c)
			} else {
				all.conditions = append(all.conditions, c)
			}
		}
	}
	all.conditions = s.implied(all.conditions)
	from, rest, err := s.order(all)
	if err != nil {
		return nil, nil, err
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
func (s *scope) clauses(n *ast.Select, items []recipe.Item) (*ast.Select, []*recipe.Subquery, error) {
	made := &ast.Select{Distinct: n.Distinct, Limit: n.Limit, SQLCalcFoundRows: n.SQLCalcFoundRows}
	r := &rewriter{scope: s, items: items}
	if n.GroupBy != nil {
		made.GroupBy = &ast.GroupBy{WithRollup: n.GroupBy.WithRollup}
		for _, e := range n.GroupBy.Exprs {
			key, err := r.rewrite(e)
			if err != nil {
				return nil, nil, err
			}
			made.GroupBy.Exprs = append(made.GroupBy.Exprs, key)
		}
		if len(r.found) > 0 {
			return nil, nil, &resolve.Beyond{What: "a subquery in GROUP BY"}
		}
	}
	if n.Having != nil {
		e, err := r.rewrite(n.Having.Expr)
		if err != nil {
			return nil, nil, err
		}
		made.Having = &ast.Where{Type: n.Having.Type, Expr: e}
	}
	for _, o := range n.OrderBy {
		e, err := r.rewrite(o.Expr)
		if err != nil {
			return nil, nil, err
		}
		made.OrderBy = append(made.OrderBy, &ast.Order{Expr: e, Direction: o.Direction})
	}
	return made, r.found, nil
}

// blockSteps are the steps behind a block's WHERE.
func (b *Builder) blockSteps(n *ast.Select, items []recipe.Item, inside []*recipe.Subquery) ([]recipe.Step, error) {
	group, err := b.groupOf(n, items)
	if err != nil {
		return nil, err
	}
	if err := b.block.ownAggregates(outputNodes(n, items)); err != nil {
		return nil, err
	}
	b.rest = nil
	steps, err := b.steps(n, items, group)
	if err != nil || len(inside) == 0 {
		return steps, err
	}
	attach := &recipe.Attach{Subqueries: inside}
	if group == nil {
		return append([]recipe.Step{attach}, steps...), nil
	}
	return append([]recipe.Step{steps[0], attach}, steps[1:]...), nil
}

// ownAggregates refuses aggregate functions of outer columns alone, which are those of
// the block around (MySQL manual, "Correlated Subqueries").
func (s *scope) ownAggregates(nodes []ast.Node) error {
	for _, a := range shape.Aggregates(nodes...) {
		if shape.HasColumn(a) && len(s.ownSources(a)) == 0 {
			return &resolve.Beyond{What: "an aggregate function of an outer query"}
		}
	}
	return nil
}
