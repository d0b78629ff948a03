package plan

import (
	"slices"
	"strings"

	"tunic/internal/resolve"
	"tunic/internal/sql/ast"
)

// joined are entries of FROM that are joined without an outer join, in any order.
type joined struct {
	parts      []From
	columns    []column   // in the order of *
	conditions []ast.Expr // of ON and USING
}

// from plans an entry of FROM into the scope.
func (s *scope) from(e ast.TableExpr) (*joined, error) {
	switch e := e.(type) {
	case *ast.AliasedTableExpr:
		return s.entry(e)
	case *ast.ParenTableExpr:
		return s.list(e.Exprs)
	case *ast.JoinTableExpr:
		return s.join(e)
	}
	return nil, &resolve.Beyond{What: "such an entry of FROM"}
}

// list plans entries that commas separate.
func (s *scope) list(all []ast.TableExpr) (*joined, error) {
	j := &joined{}
	for _, e := range all {
		one, err := s.from(e)
		if err != nil {
			return nil, err
		}
		j.add(one)
	}
	return j, nil
}

func (j *joined) add(one *joined) {
	j.parts = append(j.parts, one.parts...)
	j.columns = append(j.columns, one.columns...)
	j.conditions = append(j.conditions, one.conditions...)
}

// entry plans a table or a query with a name.
func (s *scope) entry(n *ast.AliasedTableExpr) (*joined, error) {
	t := s.tree
	name, isTable := n.Expr.(ast.TableName)
	if isTable && isDual(name) {
		return &joined{}, nil
	}
	of := &source{alias: n.As.String(), block: s}
	var relation Relation
	var rows *fetched // of a table
	switch shared := s.allShared()[strings.ToLower(name.Name.String())]; {
	case !isTable:
		d, ok := n.Expr.(*ast.DerivedTable)
		if !ok {
			return nil, &resolve.Beyond{What: "such an entry of FROM"}
		}
		inside := &scope{shared: s.allShared(), tree: t}
		if d.Lateral {
			inside = &scope{parent: s, tree: t}
		}
		query, err := t.relation(d.Select, inside)
		if err != nil {
			return nil, err
		}
		if of.columns = query.columns; len(n.Columns) > 0 {
			if of.columns, err = renamed(n.Columns, of.columns); err != nil {
				return nil, err
			}
		}
		relation = query.relation
	case shared != nil && name.Qualifier.IsEmpty():
		relation, of.columns = shared.relation, shared.columns
	default:
		table, err := t.tableOf(n, nil)
		if err != nil {
			return nil, err
		}
		if of.alias == "" {
			of.alias, of.schema = table.Name, table.Schema
		}
		of.unique = t.unique(of.alias)
		rows = t.addLeaf(table, of.unique)
		of.leaf, relation = rows.leaves[0], rows.scan
		for i := range table.Columns {
			of.columns = append(of.columns, table.Columns[i].Name)
			of.hidden = append(of.hidden, table.Columns[i].Invisible)
		}
	}
	if of.alias == "" {
		of.alias = name.Name.String()
	}
	if of.unique == "" {
		of.unique = t.unique(of.alias)
	}
	for _, other := range s.sources {
		if t.catalog.SameName(other.alias, of.alias) && other.schema == of.schema {
			return nil, &Wrong{"two tables with one name"}
		}
	}
	of.made = &Source{Name: of.unique, Columns: of.columns, Of: relation, Lateral: len(outerOf(relation)) > 0}
	if rows != nil {
		rows.source, rows.lock = of.made, s.lock
	}
	s.sources = append(s.sources, of)
	j := &joined{parts: []From{of.made}}
	for i := range of.columns {
		j.columns = append(j.columns, column{of, i})
	}
	s.visible = append(s.visible, j.columns...)
	return j, nil
}

// outerOf are the outer columns that a relation reads.
func outerOf(r Relation) []*ast.ColName {
	switch r := r.(type) {
	case *Block:
		return r.Outer
	case *Set:
		return r.Outer
	}
	return nil
}

// join plans a JOIN.
func (s *scope) join(n *ast.JoinTableExpr) (*joined, error) {
	left, err := s.from(n.LeftExpr)
	if err != nil {
		return nil, err
	}
	right, err := s.from(n.RightExpr)
	if err != nil {
		return nil, err
	}
	both := &joined{columns: slices.Concat(left.columns, right.columns)}
	conditions, err := s.on(n, left, right, both)
	if err != nil {
		return nil, err
	}
	switch n.Join {
	case ast.NormalJoinType, ast.StraightJoinType, ast.NaturalJoinType:
		both.parts = slices.Concat(left.parts, right.parts)
		both.conditions = slices.Concat(left.conditions, right.conditions, conditions)
		return both, nil
	case ast.RightJoinType:
		left, right = right, left
	case ast.LeftJoinType, ast.NaturalLeftJoinType:
	default:
		return nil, &resolve.Beyond{What: "NATURAL RIGHT JOIN"}
	}
	outer, err := s.outerJoin(left, right, conditions)
	if err != nil {
		return nil, err
	}
	both.parts = []From{outer}
	return both, nil
}

// outerJoin makes one part of two of which the right one may have no row.
func (s *scope) outerJoin(left, right *joined, conditions []ast.Expr) (From, error) {
	l, rest, err := s.order(left)
	if err != nil {
		return nil, err
	}
	r, more, err := s.order(right)
	if err != nil {
		return nil, err
	}
	if l == nil || r == nil || len(rest)+len(more) > 0 {
		return nil, &resolve.Beyond{What: "an outer join of this form"}
	}
	j := &Join{Left: l, Right: r, Outer: true}
	for _, c := range conditions {
		done := false
		if s.within(c, r) {
			if done, err = s.push(r, c); err != nil {
				return nil, err
			}
		} else if source, ok := r.(*Source); ok {
			done = s.addKey(source, c)
		}
		if !done {
			j.On = and(j.On, c)
		}
	}
	return j, nil
}

// on are the conditions of a join. What it is USING is there once in its columns.
func (s *scope) on(n *ast.JoinTableExpr, left, right, both *joined) ([]ast.Expr, error) {
	var using []string
	switch n.Join {
	case ast.NaturalJoinType, ast.NaturalLeftJoinType:
		for _, c := range left.columns {
			if _, err := found(right.columns, c.of.columns[c.at]); err != nil {
				return nil, err
			} else if other, _ := found(right.columns, c.of.columns[c.at]); other != nil && !c.isHidden() && !other.isHidden() {
				using = append(using, c.of.columns[c.at])
			}
		}
	case ast.NaturalRightJoinType:
		return nil, &resolve.Beyond{What: "NATURAL RIGHT JOIN"}
	default:
	}
	if n.Condition != nil {
		for _, c := range n.Condition.Using {
			using = append(using, c.String())
		}
	}
	if len(using) > 0 {
		if n.Join == ast.RightJoinType {
			return nil, &resolve.Beyond{What: "RIGHT JOIN with USING"}
		}
		return s.using(using, left, right, both)
	}
	if n.Condition == nil || n.Condition.On == nil {
		return nil, nil
	}
	all := s.visible
	s.visible = both.columns
	r := &rewriter{scope: s}
	e, err := r.rewrite(n.Condition.On)
	s.visible = all
	if err != nil {
		return nil, err
	}
	if len(r.found) > 0 {
		return nil, &resolve.Beyond{What: "a subquery in ON"}
	}
	return conjuncts(e, nil), nil
}

func (c column) isHidden() bool { return c.of.hidden != nil && c.of.hidden[c.at] }

// using are the conditions of USING. The columns are those that both have, and then
// the others.
func (s *scope) using(names []string, left, right, both *joined) ([]ast.Expr, error) {
	var conditions []ast.Expr
	var merged, gone []column
	for _, name := range names {
		l, err := found(left.columns, name)
		if err != nil {
			return nil, err
		}
		r, err := found(right.columns, name)
		if err != nil {
			return nil, err
		}
		if l == nil || r == nil {
			return nil, errUnknown
		}
		conditions = append(conditions, &ast.ComparisonExpr{Operator: ast.EqualOp, Left: l.name(), Right: r.name()})
		merged, gone = append(merged, *l), append(gone, *l, *r)
	}
	columns := merged
	for _, c := range both.columns {
		if !slices.Contains(gone, c) {
			columns = append(columns, c)
		}
	}
	both.columns = columns
	return conditions, nil
}

// order joins parts, one after the other, so that each has a condition with those
// before it where that is possible, and gives conditions to where they are decided.
// rest are those that are decided of no part.
func (s *scope) order(j *joined) (made From, rest []ast.Expr, err error) {
	var open []ast.Expr
	for _, c := range j.conditions {
		done := false
		for _, p := range j.parts {
			if s.within(c, p) {
				if done, err = s.push(p, c); err != nil {
					return nil, nil, err
				}
				break
			}
		}
		if !done {
			open = append(open, c)
		}
	}
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
		join := &Join{Left: made, Right: part}
		made = join
		open = slices.DeleteFunc(open, func(c ast.Expr) bool {
			if !s.within(c, join) || len(s.ownSources(c)) == 0 {
				return false
			}
			if source, ok := part.(*Source); !ok || !s.addKey(source, c) {
				join.On = and(join.On, c)
			}
			return true
		})
	}
	return made, open, nil
}

// next is the part that is joined next: one that has an equality with those before;
// the first, one of which rows are chosen.
func (s *scope) next(made From, parts []From, open []ast.Expr) int {
	for i, p := range parts {
		if made == nil {
			if source, ok := p.(*Source); ok && s.narrowed(source) {
				return i
			}
			continue
		}
		source, ok := p.(*Source)
		for _, c := range open {
			if ok && s.within(c, &Join{Left: made, Right: p}) && s.isKey(source, c) {
				return i
			}
		}
	}
	return 0
}

// narrowed reports whether conditions choose among the rows of a source.
func (s *scope) narrowed(of *Source) bool {
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
func (s *scope) ownSources(e ast.Expr) map[*Source]bool {
	all := map[*Source]bool{}
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
func (s *scope) within(c ast.Expr, f From) bool {
	for of := range s.ownSources(c) {
		if !contains(f, of) {
			return false
		}
	}
	return true
}

func contains(f From, of *Source) bool {
	if j, ok := f.(*Join); ok {
		return contains(j.Left, of) || contains(j.Right, of)
	}
	return f == From(of)
}

// reads reports whether an expression has outer columns, or the result of a subquery.
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
func (s *scope) push(f From, c ast.Expr) (bool, error) {
	own := s.ownSources(c)
	if len(own) == 0 {
		return false, nil
	}
	if source, ok := f.(*Source); ok {
		if s.readsOutside(c) {
			return s.addKey(source, c), nil
		}
		return true, s.narrow(source, c)
	}
	j, ok := f.(*Join)
	if !ok {
		return false, nil
	}
	if s.within(c, j.Left) {
		if done, err := s.push(j.Left, c); err != nil || done {
			return done, err
		}
	}
	if j.Outer {
		return false, nil
	}
	if s.within(c, j.Right) {
		if done, err := s.push(j.Right, c); err != nil || done {
			return done, err
		}
	}
	if source, ok := j.Right.(*Source); !ok || !s.addKey(source, c) {
		j.On = and(j.On, c)
	}
	return true, nil
}

// narrow has the server decide what it can of a condition on one source.
func (s *scope) narrow(of *Source, c ast.Expr) error {
	for _, one := range s.sources {
		if one.made != of || one.leaf == nil {
			continue
		}
		remote, rest, err := s.tree.within(one.leaf).condition(c)
		if err != nil {
			return err
		}
		if remote != nil {
			qualify(remote, one.unique) // the server may join the table with others
		}
		one.leaf.where = and(one.leaf.where, remote)
		of.Where = and(of.Where, rest)
		return nil
	}
	of.Where = and(of.Where, c)
	return nil
}

// addKey makes a condition one by which rows of a source are found.
func (s *scope) addKey(of *Source, c ast.Expr) bool {
	if !s.isKey(of, c) {
		return false
	}
	n, _ := c.(*ast.ComparisonExpr) // isKey has seen that it is
	if !s.only(n.Left, of) {
		n = &ast.ComparisonExpr{Operator: ast.EqualOp, Left: n.Right, Right: n.Left}
	}
	of.Keys = append(of.Keys, n)
	return true
}

// isKey reports whether a condition is an equality of a source and something else.
func (s *scope) isKey(of *Source, c ast.Expr) bool {
	n, ok := c.(*ast.ComparisonExpr)
	if !ok || n.Operator != ast.EqualOp || n.Modifier != ast.Missing {
		return false
	}
	for _, side := range [...][2]ast.Expr{{n.Left, n.Right}, {n.Right, n.Left}} {
		if _, row := side[0].(ast.ValTuple); row {
			return false
		}
		if s.only(side[0], of) && !s.ownSources(side[1])[of] && !namesAttached(side[1]) && hasColumn(side[1]) {
			return true
		}
	}
	return false
}

// only reports whether an expression has columns of a source, and no others.
func (s *scope) only(e ast.Expr, of *Source) bool {
	own := s.ownSources(e)
	return len(own) == 1 && own[of] && !s.readsOutside(e)
}

func hasColumn(e ast.Expr) (found bool) {
	_ = ast.Walk(func(n ast.Node) (bool, error) {
		_, is := n.(*ast.ColName)
		found = found || is
		return !found, nil
	}, e)
	return found
}

// namesAttached reports whether an expression has the result of a subquery in it.
func namesAttached(e ast.Expr) (found bool) {
	_ = ast.Walk(func(n ast.Node) (bool, error) {
		if name, ok := n.(*ast.ColName); ok && name.Qualifier.Name.String() == Attached {
			found = true
		}
		return !found, nil
	}, e)
	return found
}
