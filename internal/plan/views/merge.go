package views

import (
	"strings"

	"tunic/internal/catalog"
	"tunic/internal/plan/shape"
	"tunic/internal/sql/ast"
)

// merge is a query over one view, in which the view's query has become a part of it, so
// that it is a query over the view's table; nil where that would not come to the same,
// or is not certain to.
//
//	SELECT b FROM v WHERE a = 1        of a view AS SELECT x AS a, y + 1 AS b FROM t WHERE z
//	SELECT t.y + 1 FROM t WHERE z AND t.x = 1
func (x *Expander) merge(n *ast.Select, depth int) (ast.Statement, error) {
	entry, v := x.only(n)
	if v == nil || len(entry.Partitions)+len(entry.Columns)+len(entry.Hints) > 0 || hasInner(n, entry) {
		return nil, nil //nolint:nilnil // it is not merged
	}
	query, err := x.query(v)
	if err != nil {
		return nil, err
	}
	if query, err = x.within(query, depth-1); err != nil {
		return nil, err
	}
	inner, ok := query.(*ast.Select)
	if !ok {
		return nil, nil //nolint:nilnil // a UNION
	}
	m := merger{catalog: x.Catalog, view: v, entry: entry}
	if !m.begin(inner) || !m.names(n) {
		return nil, nil //nolint:nilnil // as above
	}
	return m.merged(n, inner), nil
}

// only is the view that a query is over, if it is over nothing else.
func (x *Expander) only(n *ast.Select) (*ast.AliasedTableExpr, *catalog.Table) {
	if len(n.From) != 1 || n.With != nil {
		return nil, nil
	}
	entry, ok := n.From[0].(*ast.AliasedTableExpr)
	if !ok {
		return nil, nil
	}
	name, ok := entry.Expr.(ast.TableName)
	if !ok {
		return nil, nil
	}
	return entry, x.view(name)
}

// hasInner reports whether a query has others in it.
func hasInner(n *ast.Select, but ast.Node) (found bool) {
	_ = ast.Walk(func(n ast.Node) (bool, error) {
		switch n.(type) {
		case *ast.Subquery, *ast.DerivedTable, *ast.With:
			found = true
		}
		return !found && n != but, nil
	}, n)
	return found
}

// merger merges the query of a view with the one around it.
type merger struct {
	catalog *catalog.Catalog
	view    *catalog.Table
	entry   *ast.AliasedTableExpr
	// columns are the expressions of the view's columns, by folded name.
	columns map[string]ast.Expr
	// aliases are those of the list of the query around.
	aliases map[string]bool
}

// begin takes the columns of the view's query, if it is one that can be merged: of the
// rows of one table it chooses some, and computes from each by itself (MySQL manual,
// "View Processing Algorithms").
func (m *merger) begin(inner *ast.Select) bool {
	if inner.Distinct || inner.GroupBy != nil || inner.Having != nil || inner.Limit != nil || len(inner.OrderBy) > 0 || inner.With != nil ||
		inner.Into != nil || inner.SQLCalcFoundRows || inner.Lock != ast.NoLock || len(inner.Windows) > 0 || len(inner.From) != 1 ||
		len(shape.Windows(inner.SelectExprs)) > 0 || len(inner.SelectExprs.Exprs) != len(m.view.Columns) {
		return false
	}
	table, ok := inner.From[0].(*ast.AliasedTableExpr)
	if !ok || len(table.Partitions) > 0 || hasInner(inner, nil) {
		return false
	}
	name, ok := table.Expr.(ast.TableName)
	if !ok {
		return false
	}
	alias := table.As
	if alias.IsEmpty() {
		alias = name.Name
	}
	m.columns = map[string]ast.Expr{}
	for i, e := range inner.SelectExprs.Exprs {
		item, ok := e.(*ast.AliasedExpr)
		if !ok || shape.HasAggregate(item.Expr) {
			return false
		}
		if _, number := item.Expr.(*ast.Literal); number {
			return false // behind GROUP BY and ORDER BY it would be that of a column
		}
		made := ast.Clone(item.Expr)
		shape.Qualify(made, alias.String())
		m.columns[strings.ToLower(m.view.Columns[i].Name)] = made
	}
	return true
}

// Names reports whether every name of the query around is certain to be a column of the
// view, or an alias.
func (m *merger) names(n *ast.Select) bool {
	m.aliases = map[string]bool{}
	for _, e := range n.SelectExprs.Exprs {
		if item, ok := e.(*ast.AliasedExpr); ok && !item.As.IsEmpty() {
			m.aliases[item.As.Lowered()] = true
		}
	}
	ok := true
	behind := func(c *ast.ColName) bool {
		return c.Qualifier.Name.IsEmpty() && m.aliases[c.Name.Lowered()] && m.columns[c.Name.Lowered()] == nil
	}
	look := func(mayAlias bool) func(ast.Node) (bool, error) {
		return func(n ast.Node) (bool, error) {
			switch n := n.(type) {
			case *ast.ColName:
				ok = ok && (m.is(n) && !(mayAlias && n.Qualifier.Name.IsEmpty() && m.aliases[n.Name.Lowered()]) || mayAlias && behind(n))
			case *ast.StarExpr:
				ok = ok && (n.TableName.Name.IsEmpty() || m.qualifies(n.TableName))
			case *ast.Default:
				ok = false
			}
			return ok, nil
		}
	}
	_ = ast.Walk(look(false), n.SelectExprs, n.Where)
	behindList := []ast.Node{n.OrderBy}
	if n.GroupBy != nil {
		behindList = append(behindList, n.GroupBy)
	}
	if n.Having != nil {
		behindList = append(behindList, n.Having)
	}
	_ = ast.Walk(look(true), behindList...)
	return ok && len(n.Windows) == 0
}

// is reports whether a name is that of a column of the view.
func (m *merger) is(c *ast.ColName) bool {
	return m.columns[c.Name.Lowered()] != nil && (c.Qualifier.Name.IsEmpty() || m.qualifies(c.Qualifier))
}

// qualifies reports whether what stands before a column's name is the view.
func (m *merger) qualifies(q ast.TableName) bool {
	if !m.entry.As.IsEmpty() {
		return q.Qualifier.IsEmpty() && m.catalog.SameName(q.Name.String(), m.entry.As.String())
	}
	return m.catalog.SameName(q.Name.String(), m.view.Name) && (q.Qualifier.IsEmpty() || m.catalog.SameName(q.Qualifier.String(), m.view.Schema))
}

// merged is the query with the view's in it.
func (m *merger) merged(n, inner *ast.Select) ast.Statement {
	out := ast.Clone(n)
	out.From = ast.TableExprs{inner.From[0]}
	list := &ast.SelectExprs{}
	for _, e := range out.SelectExprs.Exprs {
		if _, star := e.(*ast.StarExpr); !star {
			list.Exprs = append(list.Exprs, e)
			continue
		}
		for i := range m.view.Columns {
			name := &ast.ColName{Name: ast.Identifier(m.view.Columns[i].Name)}
			list.Exprs = append(list.Exprs, &ast.AliasedExpr{Expr: name})
		}
	}
	out.SelectExprs = list
	replaced := ast.Rewrite(out, func(c *ast.Cursor) bool {
		name, ok := c.Node().(*ast.ColName)
		if ok && m.is(name) {
			c.Replace(ast.Clone(m.columns[name.Name.Lowered()]))
			return false
		}
		_, from := c.Node().(*ast.AliasedTableExpr)
		return !from
	}, nil)
	made, _ := replaced.(*ast.Select) // Rewrite does not replace the root
	if inner.Where != nil {
		where := inner.Where.Expr
		if made.Where != nil {
			where = shape.And(where, made.Where.Expr)
		}
		made.Where = shape.Where(where)
	}
	return made
}
