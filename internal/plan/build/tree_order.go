package build

import (
	"slices"

	"tunic/internal/plan/shape"
	"tunic/internal/recipe"
	"tunic/internal/sql/ast"
)

// order joins parts, one after the other, so that each has a condition with those
// before it where that is possible, and gives conditions to where they are decided.
// rest are those that are decided of no part.
func (s *scope) order(j *joined) (made recipe.From, rest []ast.Expr, end *ending) {
	var open []ast.Expr
	for _, c := range j.conditions {
		done := false
		for _, p := range j.parts {
			if s.within(c, p) {
				if done, end = s.push(p, c); end != nil {
					return nil, nil, end
				}
				break
			}
		}
		if !done {
			open = append(open, c)
		}
	}
	s.chooseApart(j.parts, open)
	parts := slices.Clone(j.parts)
	for len(parts) > 0 {
		i := s.next(made, parts, open)
		part := parts[i]
		parts = slices.Delete(parts, i, i+1)
		if made == nil {
			made = part
			continue
		}
		var merged bool
		if merged, open = s.merge(made, part, open); merged {
			continue
		}
		join := &recipe.Join{Left: made, Right: part}
		made = join
		open = slices.DeleteFunc(open, func(c ast.Expr) bool {
			if !s.within(c, join) || len(s.ownSources(c)) == 0 {
				return false
			}
			if source, ok := part.(*recipe.Source); !ok || !s.addKey(source, c) {
				join.On = shape.And(join.On, c)
			}
			return true
		})
	}
	return made, open, nil
}

// next is the part that is joined next: one that has an equality with those before;
// the first, an outer join, as no rows of one are found by keys, or one of which rows are chosen.
func (s *scope) next(made recipe.From, parts []recipe.From, open []ast.Expr) int {
	if made == nil {
		if i := slices.IndexFunc(parts, isJoin); i >= 0 {
			return i
		}
	}
	for i, p := range parts {
		if made == nil {
			if source, ok := p.(*recipe.Source); ok && s.narrowed(source) {
				return i
			}
			continue
		}
		source, ok := p.(*recipe.Source)
		for _, c := range open {
			if ok && s.within(c, &recipe.Join{Left: made, Right: p}) && s.isKey(source, c) {
				return i
			}
		}
	}
	return 0
}

func isJoin(part recipe.From) bool {
	_, ok := part.(*recipe.Join)
	return ok
}

// narrowed reports whether conditions choose among the rows of a source.
func (s *scope) narrowed(of *recipe.Source) bool {
	if of.Where != nil || len(of.Keys) > 0 {
		return true
	}
	for _, one := range s.sources {
		if one.made == of && one.leaf != nil {
			return one.leaf.where != nil
		}
	}
	return false
}

// ownSources are the sources of this block that an expression has columns of.
func (s *scope) ownSources(e ast.Expr) map[*recipe.Source]bool {
	all := map[*recipe.Source]bool{}
	_ = ast.Walk(func(n ast.Node) (bool, error) {
		if name, ok := n.(*ast.ColName); ok {
			if of := s.owns(name); of != nil {
				all[of.made] = true
			}
		}
		return true, nil
	}, e)
	return all
}

// within reports whether all sources of this block that a condition has columns of are
// in a part of FROM.
func (s *scope) within(c ast.Expr, f recipe.From) bool {
	for of := range s.ownSources(c) {
		if !contains(f, of) {
			return false
		}
	}
	return true
}

func contains(f recipe.From, of *recipe.Source) bool {
	if j, ok := f.(*recipe.Join); ok {
		return contains(j.Left, of) || contains(j.Right, of)
	}
	return f == recipe.From(of)
}

// readsOutside reports whether an expression has outer columns, or the result of a subquery.
func (s *scope) readsOutside(e ast.Expr) (found bool) {
	_ = ast.Walk(func(n ast.Node) (bool, error) {
		if name, ok := n.(*ast.ColName); ok && s.owns(name) == nil {
			found = true
		}
		return !found, nil
	}, e)
	return found
}

// push gives a condition to a part of FROM that has all of its sources; false if it
// cannot be decided there.
func (s *scope) push(f recipe.From, c ast.Expr) (bool, *ending) {
	own := s.ownSources(c)
	if len(own) == 0 {
		return false, nil
	}
	if source, ok := f.(*recipe.Source); ok {
		if s.readsOutside(c) {
			return s.addKey(source, c), nil
		}
		return true, s.narrow(source, c)
	}
	j, ok := f.(*recipe.Join)
	if !ok {
		return false, nil
	}
	if s.within(c, j.Left) {
		if done, end := s.push(j.Left, c); end != nil || done {
			return done, end
		}
	}
	if j.Outer {
		return false, nil
	}
	if s.within(c, j.Right) {
		if done, end := s.push(j.Right, c); end != nil || done {
			return done, end
		}
	}
	if source, ok := j.Right.(*recipe.Source); !ok || !s.addKey(source, c) {
		j.On = shape.And(j.On, c)
	}
	return true, nil
}

// narrow has the server decide what it can of a condition on one source.
func (s *scope) narrow(of *recipe.Source, c ast.Expr) *ending {
	if slices.ContainsFunc(s.sources, func(one *source) bool { return one.readsMerged(c) }) {
		of.Where = shape.And(of.Where, c)
		return nil
	}
	for _, one := range s.sources {
		if one.made != of || one.leaf == nil {
			continue
		}
		remote, rest, end := s.tree.within(one.leaf).conditions().condition(c)
		if end != nil {
			return end
		}
		if remote != nil {
			shape.Qualify(remote, one.unique) // the server may join the table with others
		}
		one.leaf.where = shape.And(one.leaf.where, remote)
		s.tree.missingOf(one.leaf, rest)
		of.Where = shape.And(of.Where, rest)
		return nil
	}
	of.Where = shape.And(of.Where, c)
	return nil
}

// addKey makes a condition one by which rows of a source are found.
func (s *scope) addKey(of *recipe.Source, c ast.Expr) bool {
	if !s.isKey(of, c) {
		return false
	}
	n, _ := c.(*ast.ComparisonExpr) // isKey has seen that it is
	if !s.only(n.Left, of) {
		n = &ast.ComparisonExpr{Operator: n.Operator, Left: n.Right, Right: n.Left}
	}
	of.Keys = append(of.Keys, n)
	s.tree.joinMissing(n)
	return true
}

// isKey reports whether a condition is an equality of a source and something else.
func (s *scope) isKey(of *recipe.Source, c ast.Expr) bool {
	n, ok := c.(*ast.ComparisonExpr)
	if !ok || n.Operator != ast.EqualOp && n.Operator != ast.NullSafeEqualOp || n.Modifier != ast.Missing {
		return false
	}
	for _, side := range [...][2]ast.Expr{{n.Left, n.Right}, {n.Right, n.Left}} {
		if _, row := side[0].(ast.ValTuple); row {
			return false
		}
		if s.only(side[0], of) && !s.ownSources(side[1])[of] && !namesAttached(side[1]) && shape.HasColumn(side[1]) {
			return true
		}
	}
	return false
}

// only reports whether an expression has columns of a source, and no others.
func (s *scope) only(e ast.Expr, of *recipe.Source) bool {
	own := s.ownSources(e)
	return len(own) == 1 && own[of] && !s.readsOutside(e)
}

// namesAttached reports whether an expression has the result of a subquery in it.
func namesAttached(e ast.Expr) (found bool) {
	_ = ast.Walk(func(n ast.Node) (bool, error) {
		if name, ok := n.(*ast.ColName); ok && name.Qualifier.Name.String() == recipe.Attached {
			found = true
		}
		return !found, nil
	}, e)
	return found
}
