package views

import (
	"slices"
	"strings"

	"tunic/internal/catalog"
	"tunic/internal/identifier"
	"tunic/internal/plan/shape"
	"tunic/internal/resolve"
	"tunic/internal/sql/ast"
	"tunic/internal/sqlerr"
)

// writeTo is the statement on the table.
func (x *Expander) writeTo(root ast.Statement) (ast.Statement, error) {
	entry := writtenEntry(root)
	if entry == nil || len(resolve.Tables(root)) != 1 || hasQueryIn(root) {
		return nil, sqlerr.ViewWritten()
	}
	name, ok := entry.Expr.(ast.TableName)
	if !ok || len(entry.Partitions)+len(entry.Columns)+len(entry.Hints) > 0 {
		return nil, &resolve.Beyond{What: "a statement that writes to a view in this form"}
	}
	v := x.view(name)
	if v == nil {
		return nil, sqlerr.ViewWritten()
	}
	x.Named, x.Written = append(x.Named, v), v
	query, err := x.query(v)
	if err == nil {
		query, err = x.within(query, DepthMax)
	}
	if err != nil {
		return nil, err
	}
	if x.Outdated {
		return root, nil
	}
	alias := entry.As.String()
	if alias == "" {
		alias = v.Name
	}
	if !v.View.Updatable || slices.ContainsFunc(x.Found, isTemporary) {
		return nil, notUpdatable(root, alias)
	}
	inner, ok := query.(*ast.Select)
	w := viewWriter{merger: merger{catalog: x.Catalog, view: v, entry: entry}, inner: inner, views: x.Found}
	if !ok || !w.begin(inner) || !w.plainNames(root) {
		return nil, &resolve.Beyond{What: "a statement that writes through a view that cannot be merged with it"}
	}
	return w.written(root)
}

// writtenEntry is the one table that a statement writes to; nil if it is none or several.
func writtenEntry(root ast.Statement) *ast.AliasedTableExpr {
	var entries []ast.TableExpr
	switch n := root.(type) {
	case *ast.Insert:
		return n.Table
	case *ast.Update:
		entries = n.TableExprs
	case *ast.Delete:
		if len(n.Targets) > 0 || len(n.Partitions) > 0 {
			return nil
		}
		entries = n.TableExprs
	}
	if len(entries) != 1 {
		return nil
	}
	entry, _ := entries[0].(*ast.AliasedTableExpr)
	return entry
}

// hasQueryIn reports whether a statement has a query in it.
func hasQueryIn(root ast.Statement) (found bool) {
	_ = ast.Walk(func(n ast.Node) (bool, error) {
		switch n.(type) {
		case *ast.Subquery, *ast.DerivedTable, *ast.With, *ast.Select, *ast.Union, *ast.ValuesStatement:
			found = true
		}
		return !found, nil
	}, root)
	return found
}

// isTemporary reports whether the server makes a temporary table of a view. MariaDB calls a
// view over one updatable, and says only when it is written to that it is not.
func isTemporary(v *catalog.Table) bool { return v.View.Algorithm == "TEMPTABLE" }

// notUpdatable is what servers say of a view that cannot be written to (MySQL's error
// reference, ER_NON_UPDATABLE_TABLE and ER_NON_INSERTABLE_TABLE).
func notUpdatable(root ast.Statement, alias string) *sqlerr.Error {
	switch root.(type) {
	case *ast.Insert:
		return &sqlerr.Error{Number: 1471, State: "HY000", Message: "The target table " + alias + " of the INSERT is not insertable-into"}
	case *ast.Delete:
		return &sqlerr.Error{Number: 1288, State: "HY000", Message: "The target table " + alias + " of the DELETE is not updatable"}
	}
	return &sqlerr.Error{Number: 1288, State: "HY000", Message: "The target table " + alias + " of the UPDATE is not updatable"}
}

// viewWriter makes a statement on a view one on its table.
type viewWriter struct {
	merger
	inner *ast.Select
	views []*catalog.Table // the view, and those that it is over
}

// plainNames reports whether every name in a statement is a column of the view.
func (w *viewWriter) plainNames(root ast.Statement) bool {
	ok := true
	_ = ast.Walk(func(n ast.Node) (bool, error) {
		switch n := n.(type) {
		case *ast.ColName:
			ok = ok && w.is(n)
		case *ast.Default:
			ok = ok && n.ColName == ""
		}
		return ok, nil
	}, root)
	return ok
}

// Written is the statement on the table.
func (w *viewWriter) written(root ast.Statement) (ast.Statement, error) {
	switch n := root.(type) {
	case *ast.Update:
		return w.update(n)
	case *ast.Delete:
		out := ast.Clone(n)
		out.TableExprs = []ast.TableExpr{w.table()}
		out.Where = w.where(out.Where)
		w.replace(out.OrderBy)
		return out, nil
	case *ast.Insert:
		return w.insert(n)
	}
	return nil, &resolve.Beyond{What: "a statement that writes to a view in this form"}
}

// table is the view's table, under the name that the view's query has for it.
func (w *viewWriter) table() *ast.AliasedTableExpr {
	entry, _ := ast.Clone(w.inner.From[0]).(*ast.AliasedTableExpr) // begin has seen that it is
	return entry
}

// replace puts what the view's columns are into the place of their names, below a node.
func (w *viewWriter) replace(root ast.Node) {
	if root == nil {
		return
	}
	ast.Rewrite(root, func(c *ast.Cursor) bool {
		name, ok := c.Node().(*ast.ColName)
		if ok && c.Node() != root && w.is(name) {
			c.Replace(ast.Clone(w.columns[name.Name.Lowered()]))
			return false
		}
		return true
	}, nil)
}

// where is the view's condition, and the statement's own.
func (w *viewWriter) where(own *ast.Where) *ast.Where {
	var all ast.Expr
	if w.inner.Where != nil {
		all = ast.Clone(w.inner.Where.Expr)
	}
	if own != nil {
		w.replace(own)
		all = shape.And(all, own.Expr)
	}
	return shape.Where(all)
}

// update is an UPDATE of the table.
func (w *viewWriter) update(n *ast.Update) (ast.Statement, error) {
	out := ast.Clone(n)
	set := map[string]bool{}
	for _, e := range out.Exprs {
		column := w.stored(e.Name)
		if column == nil {
			return nil, &sqlerr.Error{Number: 1348, State: "HY000", Message: "Column '" + e.Name.Name.String() + "' is not updatable"}
		}
		if set[column.Name.Lowered()] {
			return nil, &resolve.Beyond{What: "a column that a view has twice, and that is set twice,"}
		}
		set[column.Name.Lowered()] = true
		e.Name = ast.Clone(column)
		if name, ok := e.Expr.(*ast.ColName); ok {
			e.Expr = ast.Clone(w.columns[name.Name.Lowered()])
		} else {
			w.replace(e.Expr)
		}
	}
	if w.checked() && w.decides(set) {
		return nil, &resolve.Beyond{What: "an UPDATE of columns that WITH CHECK OPTION of a view looks at"}
	}
	out.TableExprs = []ast.TableExpr{w.table()}
	out.Where = w.where(out.Where)
	w.replace(out.OrderBy)
	return out, nil
}

// stored is the table's column that a column of the view is; nil if it is computed.
func (w *viewWriter) stored(name *ast.ColName) *ast.ColName {
	column, _ := w.columns[name.Name.Lowered()].(*ast.ColName)
	return column
}

// checked reports whether what is written has to fulfil the condition of a view.
func (w *viewWriter) checked() bool {
	return slices.ContainsFunc(w.views, func(v *catalog.Table) bool { return v.View.Check != "" })
}

// decides reports whether the conditions of the views may hang on one of these columns.
func (w *viewWriter) decides(set map[string]bool) (found bool) {
	if w.inner.Where == nil {
		return false
	}
	_ = ast.Walk(func(n ast.Node) (bool, error) {
		if c, ok := n.(*ast.ColName); ok {
			found = found || set[c.Name.Lowered()]
		}
		return !found, nil
	}, w.inner.Where)
	return found
}

// insert is an INSERT or REPLACE of rows of values into the table. Columns that the view
// has not get their defaults: where there is none, the server has an error of its own.
func (w *viewWriter) insert(n *ast.Insert) (ast.Statement, error) {
	if _, ok := n.Rows.(ast.Values); !ok || len(n.OnDup) > 0 || n.RowAlias != nil || len(n.Partitions) > 0 {
		return nil, &resolve.Beyond{What: "an INSERT into a view in this form"}
	}
	if w.checked() && w.inner.Where != nil {
		return nil, &resolve.Beyond{What: "an INSERT into a view WITH CHECK OPTION"}
	}
	out := ast.Clone(n)
	out.Table = w.table()
	name, _ := out.Table.Expr.(ast.TableName) // begin has seen that it is
	base := w.catalog.Table(name.Qualifier.String(), name.Name.String())
	if base == nil || !w.wholly(base) || shape.HasColumn(n.Rows) {
		return nil, &resolve.Beyond{What: "an INSERT into a view that lacks a column without a default, or has one twice or computed,"}
	}
	out.Table.As = ast.Name("")
	if len(out.Columns) == 0 {
		for i := range w.view.Columns {
			out.Columns = append(out.Columns, ast.Identifier(w.view.Columns[i].Name))
		}
	}
	for i, c := range out.Columns {
		column, _ := w.columns[c.Lowered()].(*ast.ColName)
		if column == nil {
			return nil, &resolve.Beyond{What: "an INSERT of a column that a view does not have"}
		}
		out.Columns[i] = column.Name
	}
	return out, nil
}

// wholly reports whether every column of the view is one of the table's, and has all that
// need a value.
func (w *viewWriter) wholly(base *catalog.Table) bool {
	has := map[string]bool{}
	for _, e := range w.columns {
		column, ok := e.(*ast.ColName)
		if !ok || has[column.Name.Lowered()] {
			return false
		}
		has[column.Name.Lowered()] = true
	}
	for i := range base.Columns {
		c := &base.Columns[i]
		if !has[strings.ToLower(c.Name)] && c.Type.NotNull && c.Default.Kind == catalog.NoDefault && !c.AutoIncrement && !c.Generated {
			return false
		}
	}
	return true
}

// WritesNone is a statement that writes no row to a stored view, for which the server asks for
// the same privileges as for the client's.
func WritesNone(v *catalog.Table, root ast.Statement) string {
	name := identifier.Quoted(v.Schema) + "." + identifier.Quoted(v.Name)
	columns := func(all []string) string { return strings.Join(all, ", ") }
	switch n := root.(type) {
	case *ast.Update:
		var set []string
		for _, e := range n.Exprs {
			set = append(set, identifier.Quoted(e.Name.Name.String())+" = NULL")
		}
		return "UPDATE " + name + " SET " + columns(set) + " WHERE FALSE"
	case *ast.Insert:
		verb := "INSERT"
		if n.Action == ast.ReplaceAct {
			verb = "REPLACE"
		}
		var into, none []string
		for i := range v.Columns {
			if c := v.Columns[i].Name; len(n.Columns) == 0 || slices.ContainsFunc(n.Columns, func(o ast.IdentifierCI) bool { return o.EqualString(c) }) {
				into, none = append(into, identifier.Quoted(c)), append(none, "NULL")
			}
		}
		return verb + " INTO " + name + " (" + columns(into) + ") SELECT " + columns(none) + " FROM (SELECT 1) AS x WHERE FALSE"
	}
	return "DELETE FROM " + name + " WHERE FALSE"
}

// ReadsOf has the names in a statement of columns that it reads, and not of those that it
// sets.
func ReadsOf(root ast.Statement) ast.Statement {
	switch n := root.(type) {
	case *ast.Update:
		read := &ast.Select{SelectExprs: &ast.SelectExprs{}, Where: n.Where, OrderBy: n.OrderBy}
		for _, e := range n.Exprs {
			read.SelectExprs.Exprs = append(read.SelectExprs.Exprs, &ast.AliasedExpr{Expr: e.Expr})
		}
		return read
	case *ast.Delete:
		return &ast.Select{SelectExprs: &ast.SelectExprs{}, Where: n.Where, OrderBy: n.OrderBy}
	case *ast.Insert:
		return &ast.Select{SelectExprs: &ast.SelectExprs{}}
	}
	return root
}
