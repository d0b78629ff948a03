package build

import (
	"strings"

	"tunic/internal/catalog"
	"tunic/internal/plan/shape"
	"tunic/internal/recipe"
	"tunic/internal/sql"
	"tunic/internal/sql/ast"
	"tunic/internal/sqlerr"
)

// Servers let a statement read a table that it writes in derived and common tables: they keep
// their rows, or join the table with itself (MySQL manual, "Optimizing Derived Tables"). They
// make such a table when they first come to it, which may be after rows have been written.
// What is planned here are statements that come to all of them before they write.

// rereading is a table that a statement writes, and reads elsewhere than in its own FROM.
type rereading struct {
	builder *Builder
	table   *catalog.Table
	common  map[string]bool // names of common table expressions
}

func (b *Builder) rereading(root ast.Statement, table *catalog.Table) *rereading {
	return &rereading{b, table, shape.CommonNames(root)}
}

// refused ends the planning of a query that reads the table under its own name: with the error of
// MySQL's, and a refusal where a server has none.
func (r *rereading) refused(root ast.Statement, alias string) *ending {
	if r.builder.Modes&sql.MariaDB != 0 || !r.direct(root) {
		return beyond("a query of a table that the statement writes")
	}
	return refused(&sqlerr.Error{
		Number: 1093, State: "HY000", Message: "You can't specify target table '" + alias + "' for update in FROM clause",
	})
}

// direct reports whether a query in an expression reads the table, other than in a derived or
// a common table.
func (r *rereading) direct(root ast.Statement) (found bool) {
	_ = ast.Walk(func(n ast.Node) (bool, error) {
		switch n := n.(type) {
		case *ast.DerivedTable, *ast.With:
			return false, nil
		case *ast.Subquery:
			found = found || r.names(n.Select)
		}
		return !found, nil
	}, root)
	return found
}

// names reports whether a query has the table in its own FROM, or a query in it has.
func (r *rereading) names(query ast.Node) (found bool) {
	_ = ast.Walk(func(n ast.Node) (bool, error) {
		switch n := n.(type) {
		case *ast.DerivedTable, *ast.With:
			return false, nil
		case *ast.AliasedTableExpr:
			of, end := r.builder.lookUp(n, r.common)
			found = found || end == nil && !of.unknown && of.table == r.table
		}
		return !found, nil
	}, query)
	return found
}

// in reports whether the table is read in what a statement is made of, or may be: in a common
// table, or a view.
func (r *rereading) in(nodes ...ast.Node) (found bool) {
	_ = ast.Walk(func(n ast.Node) (bool, error) {
		if one, ok := n.(*ast.AliasedTableExpr); ok {
			of, end := r.builder.lookUp(one, r.common)
			found = found || end != nil || of.unknown || r.shared(one) || of.table != nil && (of.table == r.table || of.table.View != nil)
		}
		return !found, nil
	}, nodes...)
	return found
}

// shared reports whether an entry of FROM is a common table.
func (r *rereading) shared(n *ast.AliasedTableExpr) bool {
	name, ok := n.Expr.(ast.TableName)
	return ok && name.Qualifier.IsEmpty() && r.common[strings.ToLower(name.Name.String())]
}

// from reports whether there is no row of a FROM before all of its entries that read the table
// have been come to: there is one without the inner side of an outer join.
func (r *rereading) from(list []ast.TableExpr) bool {
	for _, f := range list {
		switch f := f.(type) {
		case *ast.ParenTableExpr:
			if !r.from(f.Exprs) {
				return false
			}
		case *ast.JoinTableExpr:
			if f.Condition != nil && f.Condition.On != nil && ast.HasQuery(f.Condition.On) && r.in(f.Condition.On) {
				return false
			}
			switch f.Join {
			case ast.NormalJoinType, ast.StraightJoinType, ast.NaturalJoinType:
				if !r.from([]ast.TableExpr{f.LeftExpr, f.RightExpr}) {
					return false
				}
			default:
				if r.behind(f) {
					return false
				}
			}
		}
	}
	return true
}

// lateral reports whether the table is read in a table that is made anew for each row of
// others.
func (r *rereading) lateral(root ast.Node) (found bool) {
	_ = ast.Walk(func(n ast.Node) (bool, error) {
		if d, ok := n.(*ast.DerivedTable); ok && d.Lateral {
			found = found || r.in(d)
		}
		return !found, nil
	}, root)
	return found
}

// behind reports whether the table is read in a derived or common table of a join or condition.
func (r *rereading) behind(join ast.Node) (found bool) {
	_ = ast.Walk(func(n ast.Node) (bool, error) {
		switch n := n.(type) {
		case *ast.DerivedTable:
			found = found || r.in(n)
			return false, nil
		case *ast.AliasedTableExpr:
			of, end := r.builder.lookUp(n, r.common)
			found = found || end != nil || of.unknown || r.shared(n) || of.table != nil && of.table.View != nil
		}
		return !found, nil
	}, join)
	return found
}

// where reports whether a row that a condition lets through is one for which all queries in it
// that read the table have been computed: each is, by itself, what has to be true.
func (r *rereading) where(w *ast.Where) bool {
	if w == nil {
		return true
	}
	for _, c := range ast.Conjuncts(w.Expr, nil) {
		if ast.HasQuery(c) && r.in(c) && !r.decides(c) {
			return false
		}
	}
	return true
}

// decides reports whether a condition is a comparison with a query, of which MySQL computes all
// before it is true for the first time.
func (r *rereading) decides(c ast.Expr) bool {
	switch c := c.(type) {
	case *ast.ExistsExpr:
		return true
	case *ast.ComparisonExpr:
		if c.Modifier != ast.Missing {
			return false
		}
		_, ofLeft := c.Left.(*ast.Subquery)
		right, ofRight := c.Right.(*ast.Subquery)
		switch {
		case c.Operator == ast.InOp:
			return ofRight && !ast.HasQuery(c.Left) && r.comesToAll(right)
		case ofLeft:
			return !ast.HasQuery(c.Right)
		}
		return ofRight && c.Operator != ast.NotInOp && !ast.HasQuery(c.Left)
	}
	return false
}

// comesToAll reports whether MySQL comes to all that reads the table in a query before it has
// a row of it: it may look for one row at a time.
func (r *rereading) comesToAll(query *ast.Subquery) bool {
	one, ok := query.Select.(*ast.Select)
	return ok && one.With == nil && r.from(one.From) && r.where(one.Where) && (one.SelectExprs == nil || !r.in(one.SelectExprs)) &&
		(one.GroupBy == nil || !r.in(one.GroupBy)) && (one.Having == nil || !r.in(one.Having)) && !r.in(one.OrderBy)
}

// alike reports whether the queries that steps compute are the same for all rows.
func alike(steps []recipe.Step) bool {
	for _, s := range steps {
		if a, ok := s.(*recipe.Attach); ok && !ofNone(a.Subqueries) {
			return false
		}
	}
	return true
}

// ofNone reports whether queries read nothing of the row that they are computed for.
func ofNone(queries []*recipe.Subquery) bool {
	for _, q := range queries {
		if len(recipe.OuterOf(q.Of)) > 0 {
			return false
		}
	}
	return true
}

// readsAgain decides about the table of a statement over one, whose condition reads it again.
// MariaDB, which lets it be read under its own name, finds all rows first then, and only then.
func (b *Builder) readsAgain(where *ast.Where, by ast.OrderBy, steps []recipe.Step, alias string) (end *ending) {
	root := b.Tree.Root()
	r := b.rereading(root, b.scope.Table)
	first := r.where(where) && alike(steps) && !r.in(by) && !r.lateral(root)
	if b.Modes&sql.MariaDB != 0 {
		if !first && r.behind(where) {
			return r.refused(root, alias)
		}
		return nil
	}
	if !first || r.direct(root) {
		return r.refused(root, alias)
	}
	b.Run.Answer.Describe, end = b.describedTree(b.Asked.Root()) // whether it is taken at all the server says
	return end
}

// rereads decides about tables that the statement writes and reads elsewhere; filters are the
// steps of its WHERE.
func (w *severalWriter) rereads(root ast.Statement, filters []recipe.Step) *ending {
	for _, t := range w.targets {
		if !w.readElsewhere(t.Table) {
			continue
		}
		r := w.rereading(root, t.Table)
		if w.Modes&sql.MariaDB != 0 || r.direct(root) || !w.readsFirst(r, filters) || w.writesPlain() {
			return r.refused(root, t.leaf.alias)
		}
		w.doubted = true
	}
	return nil
}

// readsFirst reports whether all that reads a table is computed before its first row is written.
func (w *severalWriter) readsFirst(r *rereading, filters []recipe.Step) bool {
	for _, of := range w.scope.sources {
		if of.made != nil && of.made.Lateral {
			return false
		}
	}
	if r.lateral(w.Tree.Root()) {
		return false
	}
	for _, e := range w.changes.set {
		if !r.in(e.Expr) {
			continue
		}
		// MySQL computes an operand when it needs it, and values of the second table that it
		// writes when it has written the first.
		if _, alone := e.Expr.(*ast.Subquery); !alone || len(w.targets) > 1 || !ofNone(w.queries) {
			return false
		}
	}
	return r.from(w.from) && r.where(w.where) && alike(filters) && !r.in(w.by)
}
