package build

import (
	"slices"
	"strings"

	"tunic/internal/plan/shape"
	"tunic/internal/recipe"
	"tunic/internal/sql/ast"
)

// joined are entries of FROM that are joined without an outer join, in any order.
type joined struct {
	parts      []recipe.From
	columns    []column   // in the order of *
	conditions []ast.Expr // of ON and USING
}

// from plans an entry of FROM into the scope.
func (s *scope) from(e ast.TableExpr) (*joined, *ending) {
	switch e := e.(type) {
	case *ast.AliasedTableExpr:
		return s.entry(e)
	case *ast.ParenTableExpr:
		return s.list(e.Exprs)
	case *ast.JoinTableExpr:
		return s.join(e)
	}
	return nil, beyond("such an entry of FROM")
}

// list plans entries that commas separate.
func (s *scope) list(all []ast.TableExpr) (*joined, *ending) {
	j := &joined{}
	for _, e := range all {
		one, end := s.from(e)
		if end != nil {
			return nil, end
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
func (s *scope) entry(n *ast.AliasedTableExpr) (*joined, *ending) {
	name, isTable := n.Expr.(ast.TableName)
	if isTable && shape.IsDual(name) {
		return &joined{}, nil
	}
	of := &source{alias: n.As.String()}
	if of.alias == "" {
		of.alias = name.Name.String()
	}
	var rows *fetched // of a table
	var relation recipe.Relation
	var end *ending
	shared := s.allShared()[strings.ToLower(name.Name.String())]
	switch {
	case !isTable:
		relation, end = s.derived(n, of)
	case shared != nil && name.Qualifier.IsEmpty():
		relation, of.columns = shared.relation, shared.columns
	default:
		if rows, end = s.table(n, of); end == nil {
			relation = rows.scan
		}
	}
	if end != nil {
		return nil, end
	}
	if of.unique == "" {
		of.unique = s.tree.unique(of.alias)
	}
	of.made = &recipe.Source{Name: of.unique, Columns: of.columns, Of: relation, Lateral: len(recipe.OuterOf(relation)) > 0}
	if rows != nil {
		rows.source, rows.lock = of.made, s.lock
	}
	return s.add(of)
}

// derived plans a query in FROM.
func (s *scope) derived(n *ast.AliasedTableExpr, of *source) (recipe.Relation, *ending) {
	d, ok := n.Expr.(*ast.DerivedTable)
	if !ok {
		return nil, beyond("such an entry of FROM")
	}
	inside := &scope{shared: s.allShared(), tree: s.tree}
	if d.Lateral {
		inside = &scope{parent: s, tree: s.tree}
	}
	query, end := s.tree.relation(d.Select, inside)
	if end != nil {
		return nil, end
	}
	if of.columns = query.columns; len(n.Columns) > 0 {
		of.columns, end = renamed(n.Columns, of.columns)
	}
	return query.relation, end
}

// table plans the rows of a table.
func (s *scope) table(n *ast.AliasedTableExpr, of *source) (*fetched, *ending) {
	table, end := s.tree.tableOf(n, nil)
	if end != nil {
		return nil, end
	}
	if n.As.IsEmpty() {
		of.alias, of.schema = table.Name, table.Schema
	}
	of.unique = s.tree.unique(of.alias)
	rows := s.tree.addLeaf(table, of.unique, of.alias)
	of.leaf = rows.leaves[0]
	for i := range table.Columns {
		of.columns = append(of.columns, table.Columns[i].Name)
		of.hidden = append(of.hidden, table.Columns[i].Invisible)
	}
	return rows, nil
}

// add adds a source to the block.
func (s *scope) add(of *source) (*joined, *ending) {
	for _, other := range s.sources {
		if s.tree.Catalog.SameName(other.alias, of.alias) && other.schema == of.schema {
			return nil, &ending{wrong: "two tables with one name"}
		}
	}
	s.sources = append(s.sources, of)
	j := &joined{parts: []recipe.From{of.made}}
	for i := range of.columns {
		j.columns = append(j.columns, column{of, i})
	}
	s.visible = append(s.visible, j.columns...)
	return j, nil
}

// join plans a JOIN.
func (s *scope) join(n *ast.JoinTableExpr) (*joined, *ending) {
	left, end := s.from(n.LeftExpr)
	if end != nil {
		return nil, end
	}
	right, end := s.from(n.RightExpr)
	if end != nil {
		return nil, end
	}
	both := &joined{columns: slices.Concat(left.columns, right.columns)}
	conditions, end := s.on(n, left, right, both)
	if end != nil {
		return nil, end
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
		return nil, beyond("NATURAL RIGHT JOIN")
	}
	outer, end := s.outerJoin(left, right, conditions)
	if end != nil {
		return nil, end
	}
	both.parts = []recipe.From{outer}
	return both, nil
}

// outerJoin makes one part of two of which the right one may have no row.
func (s *scope) outerJoin(left, right *joined, conditions []ast.Expr) (recipe.From, *ending) {
	l, rest, end := s.order(left)
	if end != nil {
		return nil, end
	}
	r, more, end := s.order(right)
	if end != nil {
		return nil, end
	}
	if l == nil || r == nil || len(rest)+len(more) > 0 {
		return nil, beyond("an outer join of this form")
	}
	j := &recipe.Join{Left: l, Right: r, Outer: true}
	for _, c := range conditions {
		done := false
		if s.within(c, r) {
			if done, end = s.push(r, c); end != nil {
				return nil, end
			}
		} else if source, ok := r.(*recipe.Source); ok {
			done = s.addKey(source, c)
		}
		if !done {
			j.On = shape.And(j.On, c)
		}
	}
	return j, nil
}

// on are the conditions of a join. What it is USING is there once in its columns.
func (s *scope) on(n *ast.JoinTableExpr, left, right, both *joined) ([]ast.Expr, *ending) {
	var using []string
	switch n.Join {
	case ast.NaturalJoinType, ast.NaturalLeftJoinType:
		for _, c := range left.columns {
			if _, end := found(right.columns, c.of.columns[c.at]); end != nil {
				return nil, end
			} else if other, _ := found(right.columns, c.of.columns[c.at]); other != nil && !c.isHidden() && !other.isHidden() {
				using = append(using, c.of.columns[c.at])
			}
		}
	case ast.NaturalRightJoinType:
		return nil, beyond("NATURAL RIGHT JOIN")
	default:
	}
	if n.Condition != nil {
		for _, c := range n.Condition.Using {
			using = append(using, c.String())
		}
	}
	if len(using) > 0 {
		if n.Join == ast.RightJoinType {
			return nil, beyond("RIGHT JOIN with USING")
		}
		return s.using(using, left, right, both)
	}
	if n.Condition == nil || n.Condition.On == nil {
		return nil, nil
	}
	all := s.visible
	s.visible = both.columns
	r := &rewriter{scope: s}
	e, end := r.rewrite(n.Condition.On)
	s.visible = all
	if end != nil {
		return nil, end
	}
	if len(r.found) > 0 {
		return nil, beyond("a subquery in ON")
	}
	return ast.Conjuncts(e, nil), nil
}

func (c column) isHidden() bool { return c.of.hidden != nil && c.of.hidden[c.at] }

// using are the conditions of USING. The columns are those that both have, and then
// the others.
func (s *scope) using(names []string, left, right, both *joined) ([]ast.Expr, *ending) {
	var conditions []ast.Expr
	var merged, gone []column
	for _, name := range names {
		l, end := found(left.columns, name)
		if end != nil {
			return nil, end
		}
		r, end := found(right.columns, name)
		if end != nil {
			return nil, end
		}
		if l == nil || r == nil {
			return nil, unknown()
		}
		l.merge(*r)
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

// merge notes that a column is one with another one in the columns of a join.
func (c column) merge(other column) {
	if c.isPlain() == other.isPlain() {
		return
	}
	for _, one := range [...]column{c, other} {
		if one.of.merged == nil {
			one.of.merged = map[int]bool{}
		}
		one.of.merged[one.at] = one.isPlain() || one.of.merged[one.at]
	}
}

// isPlain reports whether a column is a plain one of a table, that is not one with what may
// be protected.
func (c column) isPlain() bool {
	if c.of.leaf == nil || c.of.merged[c.at] {
		return false
	}
	i := c.of.leaf.table.Column(c.of.columns[c.at])
	return i >= 0 && !c.of.leaf.table.Columns[i].Protected()
}

// readsMerged reports whether a condition has a plain column of a table that a join is
// USING together with what may be protected.
func (of *source) readsMerged(e ast.Expr) (found bool) {
	_ = ast.Walk(func(n ast.Node) (bool, error) {
		if name, ok := n.(*ast.ColName); ok && name.Qualifier.Name.String() == of.unique {
			for at, merged := range of.merged {
				found = found || merged && name.Name.EqualString(of.columns[at])
			}
		}
		return !found, nil
	}, e)
	return found
}
