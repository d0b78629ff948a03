package views

import (
	"slices"
	"strings"

	"tunic/internal/catalog"
	"tunic/internal/plan/shape"
	"tunic/internal/plan/twin"
	"tunic/internal/resolve"
	"tunic/internal/sql"
	"tunic/internal/sql/ast"
)

// DepthMax bounds how deep views may be in one another.
const DepthMax = 32

// Expander puts the queries of views into the place of their names.
type Expander struct {
	Catalog *catalog.Catalog
	Schema  string
	Modes   sql.Modes
	// Named are the views that the statement itself names, Found those in their queries
	// as well, each once.
	Named, Found []*catalog.Table
	InUTF8       bool // their queries have characters outside ASCII
	Outdated     bool // the twins of some have to be made anew
	// Written is the view that the statement writes to, nil for none.
	Written *catalog.Table
}

// Names reports whether a tree names a view over protected tables.
func (x *Expander) Names(root ast.Node) bool {
	return slices.ContainsFunc(resolve.Tables(root), func(n ast.TableName) bool { return x.view(n) != nil })
}

// view is the view that a name means, nil for anything else.
func (x *Expander) view(n ast.TableName) *catalog.Table {
	schema := n.Qualifier.String()
	if schema == "" {
		schema = x.Schema
	}
	return x.Catalog.View(schema, n.Name.String())
}

// Expand is the statement with the queries of views in it; the statement itself if it
// names none. If it is outdated, it cannot be planned.
func (x *Expander) Expand(root ast.Statement) (ast.Statement, error) {
	if !x.Names(root) {
		return root, nil
	}
	switch n := root.(type) {
	case *ast.Select, *ast.Union:
		return x.read(root)
	case *ast.Insert:
		if q, ok := shape.InsertedQuery(n).(ast.Statement); ok && !x.writes(n) {
			return x.insertOf(n, q)
		}
	}
	return x.writeTo(root)
}

// writes reports whether the table that rows go into is a view.
func (x *Expander) writes(n *ast.Insert) bool {
	name, ok := n.Table.Expr.(ast.TableName)
	return !ok || x.view(name) != nil
}

// insertOf is an INSERT of the rows of a query, with the queries of views in it.
func (x *Expander) insertOf(n *ast.Insert, q ast.Statement) (ast.Statement, error) {
	made, err := x.read(q)
	if err != nil || x.Outdated {
		return n, err
	}
	rows, ok := made.(ast.InsertRows)
	if !ok {
		return nil, &resolve.Beyond{What: "INSERT of such rows"}
	}
	out := *n
	out.Rows = rows
	return &out, nil
}

// read is expand of a query.
func (x *Expander) read(root ast.Statement) (ast.Statement, error) {
	common := shape.CommonNames(root)
	for _, n := range resolve.Tables(root) {
		v := x.view(n)
		switch {
		case v == nil:
			continue
		case n.Qualifier.IsEmpty() && common[strings.ToLower(n.Name.String())]:
			return nil, &resolve.Beyond{What: "a common table expression with the name of a view"}
		case !slices.Contains(x.Named, v):
			x.Named = append(x.Named, v)
		}
	}
	return x.within(root, DepthMax)
}

// within replaces the names of views in a tree, which it copies.
func (x *Expander) within(root ast.Statement, depth int) (ast.Statement, error) {
	if depth == 0 {
		return nil, &resolve.Beyond{What: "such a depth of views"}
	}
	if n, ok := root.(*ast.Select); ok {
		if merged, err := x.merge(n, depth); merged != nil || err != nil {
			return merged, err
		}
	}
	root = ast.Clone(root)
	var failed error
	qualified := map[string]bool{}
	_ = ast.Walk(func(n ast.Node) (bool, error) {
		entry, ok := n.(*ast.AliasedTableExpr)
		if !ok {
			return failed == nil, nil
		}
		name, ok := entry.Expr.(ast.TableName)
		if !ok {
			return failed == nil, nil
		}
		v := x.view(name)
		if v == nil {
			return false, nil
		}
		if entry.As.IsEmpty() {
			qualified[strings.ToLower(v.Schema)] = true
		}
		failed = x.derive(entry, v, depth)
		return false, nil
	}, root)
	twin.LeaveSchemas(root, func(schema string) bool { return qualified[strings.ToLower(schema)] })
	return root, failed
}

// derive makes a derived table of an entry of FROM that is a view.
func (x *Expander) derive(entry *ast.AliasedTableExpr, v *catalog.Table, depth int) error {
	if len(entry.Partitions) > 0 || len(entry.Columns) > 0 {
		return &resolve.Beyond{What: "PARTITION, or a list of columns, of a view"}
	}
	query, err := x.query(v)
	if err != nil {
		return err
	}
	inside, err := x.within(query, depth-1)
	if err != nil {
		return err
	}
	of, ok := inside.(ast.TableStatement)
	if !ok {
		return &resolve.Beyond{What: "a view of this form"}
	}
	if entry.As.IsEmpty() {
		entry.As = ast.Name(v.Name)
	}
	entry.Hints = nil
	entry.Expr = &ast.DerivedTable{Select: of}
	for i := range v.Columns {
		entry.Columns = append(entry.Columns, ast.Identifier(v.Columns[i].Name))
	}
	return nil
}

// query is the query of a view.
func (x *Expander) query(v *catalog.Table) (ast.Statement, error) {
	if !slices.Contains(x.Found, v) {
		x.Found = append(x.Found, v)
		x.Outdated = x.Outdated || x.Catalog.Outdated(v)
	}
	x.InUTF8 = x.InUTF8 || strings.IndexFunc(v.View.Query, func(r rune) bool { return r >= 0x80 }) >= 0
	all, err := sql.Parse([]byte(v.View.Query), OwnModes(x.Modes))
	if err != nil || len(all) != 1 {
		return nil, &resolve.Beyond{What: "a view of this form"}
	}
	tree, err := all[0].Tree()
	if err != nil {
		return nil, &resolve.Beyond{What: "a view of this form"}
	}
	return tree.Root(), nil
}

// OwnModes are the modes of texts that tunic keeps.
func OwnModes(m sql.Modes) sql.Modes { return m.WithSQLMode("").WithCharset("utf8mb4") }

// Guard reads the columns of a view that a statement has names of.
func Guard(v *catalog.Table, written ast.Node) *ast.Select {
	names, all := map[string]bool{}, false
	_ = ast.Walk(func(n ast.Node) (bool, error) {
		switch n := n.(type) {
		case *ast.ColName:
			names[n.Name.Lowered()] = true
		case *ast.StarExpr:
			all = true
		case *ast.JoinTableExpr:
			all = all || n.Join == ast.NaturalJoinType || n.Join == ast.NaturalLeftJoinType || n.Join == ast.NaturalRightJoinType
			if n.Condition != nil {
				for _, c := range n.Condition.Using {
					names[c.Lowered()] = true
				}
			}
		}
		return true, nil
	}, written)
	var where ast.Expr
	for i := range v.Columns {
		if name := v.Columns[i].Name; all || names[strings.ToLower(name)] {
			where = shape.And(where, &ast.IsExpr{Left: shape.Column(name), Right: ast.IsNullOp})
		}
	}
	one := &ast.AliasedExpr{Expr: &ast.Literal{Type: ast.IntVal, Val: "1"}}
	return &ast.Select{
		SelectExprs: &ast.SelectExprs{Exprs: []ast.SelectExpr{one}}, Where: shape.Where(where),
		From: ast.TableExprs{&ast.AliasedTableExpr{Expr: ast.TableName{Qualifier: ast.Name(v.Schema), Name: ast.Name(v.Name)}}},
	}
}
