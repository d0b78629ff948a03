package shape

import (
	"slices"

	"tunic/internal/sql/ast"
)

// InnerWhereDecided is a SELECT with its outer joins as inner ones, where WHERE drops the rows that have NULLs for a table: the
// server can do those, and the conditions on the table choose among the rows of the other one.
//
//	a LEFT JOIN b ON b.k = a.k WHERE b.x = 1    is    a JOIN b ON b.k = a.k WHERE b.x = 1
//
// It stays as it is if b.x may be of another b: of two schemas, or of a query around, which around tells of a name.
func InnerWhereDecided(n *ast.Select, around func(name string) bool) *ast.Select {
	if n.Where == nil || !slices.ContainsFunc(n.From, hasOuterJoin) {
		return n
	}
	known := map[string]bool{}
	for _, name := range entryNames(n.From...) {
		if known[name] || around(name) {
			return n
		}
		known[name] = true
	}
	needed := map[string]bool{}
	for _, c := range ast.Conjuncts(n.Where.Expr, nil) {
		needsRow(c, needed)
	}
	if len(needed) == 0 {
		return n
	}
	made := *n
	made.From = slices.Clone(n.From)
	for known := 0; known < len(needed); {
		known = len(needed)
		for i := range made.From {
			made.From[i] = innerOf(made.From[i], needed)
			decidedIn(made.From[i], needed)
		}
	}
	return &made
}

// decidedIn notes the tables that the conditions of inner joins need a row of, in an entry of FROM whose rows all have to be there.
func decidedIn(e ast.TableExpr, needed map[string]bool) {
	switch e := e.(type) {
	case *ast.ParenTableExpr:
		for _, one := range e.Exprs {
			decidedIn(one, needed)
		}
	case *ast.JoinTableExpr:
		inner := e.Join == ast.NormalJoinType || e.Join == ast.StraightJoinType
		if inner && e.Condition != nil && e.Condition.On != nil {
			for _, c := range ast.Conjuncts(e.Condition.On, nil) {
				needsRow(c, needed)
			}
		}
		if inner || e.Join == ast.LeftJoinType {
			decidedIn(e.LeftExpr, needed)
		}
		if inner || e.Join == ast.RightJoinType {
			decidedIn(e.RightExpr, needed)
		}
	}
}

func hasOuterJoin(e ast.TableExpr) (found bool) {
	_ = ast.Walk(func(n ast.Node) (bool, error) {
		switch n := n.(type) {
		case *ast.JoinTableExpr:
			found = found || n.Join == ast.LeftJoinType || n.Join == ast.RightJoinType || n.Join == ast.NaturalLeftJoinType
		case *ast.DerivedTable:
			return false, nil
		}
		return !found, nil
	}, e)
	return found
}

// needsRow notes the tables of which a condition is not true where all columns are NULL.
func needsRow(c ast.Expr, needed map[string]bool) {
	note := func(all ...ast.Expr) {
		for _, e := range all {
			if name, ok := e.(*ast.ColName); ok && name.Qualifier.Qualifier.IsEmpty() && !name.Qualifier.Name.IsEmpty() {
				needed[name.Qualifier.Name.String()] = true
			}
		}
	}
	switch c := c.(type) {
	case *ast.ComparisonExpr:
		switch c.Operator {
		case ast.EqualOp, ast.NotEqualOp, ast.LessThanOp, ast.LessEqualOp, ast.GreaterThanOp, ast.GreaterEqualOp:
			if c.Modifier == ast.Missing {
				note(c.Left, c.Right)
			}
		case ast.InOp, ast.LikeOp:
			note(c.Left)
		}
	case *ast.BetweenExpr:
		if c.IsBetween {
			note(c.Left)
		}
	case *ast.IsExpr:
		if c.Right == ast.IsNotNullOp {
			note(c.Left)
		}
	}
}

// innerOf is an entry of FROM without the outer joins that have such a table on the side that may have no row.
func innerOf(e ast.TableExpr, needed map[string]bool) ast.TableExpr {
	switch e := e.(type) {
	case *ast.ParenTableExpr:
		made := &ast.ParenTableExpr{Exprs: make(ast.TableExprs, len(e.Exprs))}
		for i := range e.Exprs {
			made.Exprs[i] = innerOf(e.Exprs[i], needed)
		}
		return made
	case *ast.JoinTableExpr:
		made := *e
		switch {
		case !joinsRows(e):
		case e.Join == ast.LeftJoinType && namesOneOf(e.RightExpr, needed), e.Join == ast.RightJoinType && namesOneOf(e.LeftExpr, needed):
			made.Join = ast.NormalJoinType
		case e.Join == ast.NaturalLeftJoinType && namesOneOf(e.RightExpr, needed):
			made.Join = ast.NaturalJoinType
		}
		made.LeftExpr, made.RightExpr = innerOf(e.LeftExpr, needed), innerOf(e.RightExpr, needed)
		return &made
	}
	return e
}

// joinsRows reports whether all conditions of a join are about rows of its tables. What is about none, as ON 1 = 1, can only be
// decided of an inner join that is in no outer one.
func joinsRows(e *ast.JoinTableExpr) bool {
	if e.Condition == nil || e.Condition.On == nil {
		return true
	}
	return !slices.ContainsFunc(ast.Conjuncts(e.Condition.On, nil), func(c ast.Expr) bool { return !aboutRowOf(c, e) })
}

// aboutRowOf reports whether a condition has a column of a table of an entry of FROM. One without a table's name is taken for such.
func aboutRowOf(c ast.Expr, e ast.TableExpr) (found bool) {
	_ = ast.Walk(func(n ast.Node) (bool, error) {
		if name, ok := n.(*ast.ColName); ok {
			of := name.Qualifier.Name
			found = found || of.IsEmpty() || namesOneOf(e, map[string]bool{of.String(): true})
		}
		return !found, nil
	}, c)
	return found
}

// namesOneOf reports whether an entry of FROM has a table or query of one of these names.
func namesOneOf(e ast.TableExpr, names map[string]bool) bool {
	return slices.ContainsFunc(entryNames(e), func(name string) bool { return names[name] })
}

// entryNames are the names of the tables and queries of FROM.
func entryNames(from ...ast.TableExpr) (all []string) {
	for _, e := range from {
		_ = ast.Walk(func(n ast.Node) (bool, error) {
			entry, ok := n.(*ast.AliasedTableExpr)
			if !ok {
				return true, nil
			}
			name := entry.As.String()
			if table, isTable := entry.Expr.(ast.TableName); isTable && name == "" && !IsDual(table) {
				name = table.Name.String()
			}
			all = append(all, name)
			return false, nil // what is inside has names of its own
		}, e)
	}
	return all
}
