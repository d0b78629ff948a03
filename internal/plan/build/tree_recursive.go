package build

import (
	"strings"

	"tunic/internal/plan/shape"
	"tunic/internal/recipe"
	"tunic/internal/sql"
	"tunic/internal/sql/ast"
)

// recursive plans a common table expression that names itself. Both servers want the
// members that do to come last, and to name it once, in FROM, not where an outer join
// makes NULLs, and without what needs all rows.
func (t *treeBuilder) recursive(c *ast.CommonTableExpr, into *scope) (*made, *ending) {
	name := c.ID.String()
	u, ok := c.Subquery.(*ast.Union)
	if !ok || u.With != nil || u.OrderBy != nil || u.Into != nil || u.Limit != nil && (u.Limit.Offset != nil || t.Modes&sql.MariaDB != 0) {
		return nil, beyond("a recursive common table expression of this form")
	}
	seed, members, distinct, end := membersOf(u, name)
	if end != nil {
		return nil, end
	}
	first, end := t.relation(seed, &scope{shared: into.allShared(), tree: t})
	if end != nil {
		return nil, end
	}
	columns := first.columns
	if len(c.Columns) > 0 {
		if columns, end = renamed(c.Columns, columns); end != nil {
			return nil, end
		}
	}
	r := &recipe.Recursive{Seed: first.relation, Distinct: distinct, Limit: u.Limit}
	within := &scope{shared: into.allShared(), tree: t}
	within.shared[strings.ToLower(name)] = &shared{relation: &recipe.Working{Of: r}, columns: columns}
	for _, m := range members {
		step, end := t.relation(m, within)
		if end != nil {
			return nil, end
		}
		if len(step.columns) != len(columns) {
			return nil, &ending{wrong: "a recursive member with another number of columns"}
		}
		r.Steps = append(r.Steps, step.relation)
	}
	return &made{r, columns}, nil
}

// membersOf divides the members of a recursive common table expression: what its rows
// begin with, and those that name it, which are joined by operators of one kind.
func membersOf(u *ast.Union, name string) (seed ast.TableStatement, members []*ast.Select, distinct bool, end *ending) {
	left := beyond("a recursive common table expression of this form")
	distinct = u.Distinct
	var at ast.TableStatement = u
	for {
		n, ok := at.(*ast.Union)
		if !ok || !namesTable(n, name) {
			break
		}
		member, ok := n.Right.(*ast.Select)
		if _, sifts := ast.SetOf(n); sifts || !ok || n.Distinct != distinct || n.Lock != ast.NoLock || at != ast.TableStatement(u) && ordered(n) {
			return nil, nil, false, left
		}
		if end := namesOnce(member, name); end != nil {
			return nil, nil, false, end
		}
		members = append([]*ast.Select{member}, members...)
		at = n.Left
	}
	if namesTable(at, name) {
		return nil, nil, false, left
	}
	return at, members, distinct, nil
}

// ordered reports whether a set in another is sorted or limited.
func ordered(n *ast.Union) bool { return n.OrderBy != nil || n.Limit != nil || n.With != nil }

// namesOnce refuses a member that does not name the expression once, in its FROM, or has
// what needs all rows.
func namesOnce(n *ast.Select, name string) *ending {
	left := beyond("a recursive member of this form")
	if n.Distinct || n.GroupBy != nil || n.Having != nil || n.OrderBy != nil || n.Limit != nil || n.With != nil || n.Lock != ast.NoLock ||
		len(shape.Windows(n.SelectExprs)) > 0 || len(shape.Aggregates(n.SelectExprs)) > 0 {
		return left
	}
	inFrom := 0
	for _, e := range n.From {
		of, free := namedIn(e, name)
		if inFrom += of; !free {
			return left
		}
	}
	all := 0
	_ = ast.Walk(func(n ast.Node) (bool, error) {
		if t, ok := n.(*ast.AliasedTableExpr); ok && isNamed(t, name) {
			all++
		}
		return true, nil
	}, n)
	if inFrom != 1 || all != 1 {
		return left
	}
	return nil
}

func isNamed(n *ast.AliasedTableExpr, name string) bool {
	t, ok := n.Expr.(ast.TableName)
	return ok && t.Qualifier.IsEmpty() && strings.EqualFold(t.Name.String(), name)
}

// namedIn is how often an entry of FROM has the name; free says that none of them is
// where an outer join makes NULLs.
func namedIn(e ast.TableExpr, name string) (found int, free bool) {
	switch e := e.(type) {
	case *ast.AliasedTableExpr:
		if isNamed(e, name) {
			found++
		}
		return found, true
	case *ast.ParenTableExpr:
		free = true
		for _, inner := range e.Exprs {
			n, ok := namedIn(inner, name)
			found, free = found+n, free && ok
		}
		return found, free
	case *ast.JoinTableExpr:
		left, freeLeft := namedIn(e.LeftExpr, name)
		right, freeRight := namedIn(e.RightExpr, name)
		free = freeLeft && freeRight
		switch e.Join {
		case ast.LeftJoinType, ast.NaturalLeftJoinType:
			free = free && right == 0
		case ast.RightJoinType, ast.NaturalRightJoinType:
			free = free && left == 0
		default:
		}
		return left + right, free
	}
	return 0, true
}
