package views

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"tunic/internal/catalog"
	"tunic/internal/plan/shape"
	"tunic/internal/resolve"
	"tunic/internal/sql"
	"tunic/internal/sql/ast"
)

// Reader finds out what the catalog keeps of a view's query.
type Reader struct {
	Catalog *catalog.Catalog
	Schema  string
	// Plain are the tables that are known to be plain.
	Plain []*catalog.Table
	Modes sql.Modes
	// common are the names of common table expressions, text is the query's.
	common map[string]bool
	text   []byte
}

// Query is what the catalog keeps of a view's query.
type Query struct {
	// Names are those of its columns.
	Names []string
	// Reads are the tables and views that it reads.
	Reads []Read
	// Text is the query with all names written out.
	Text string
}

// Read are the columns that a view reads of a table or view.
type Read struct {
	catalog.ViewOver
	// Table is nil for one that is plain.
	Table   *catalog.Table
	Columns []string
}

// errNoColumn is the error of a * that stands for no column.
var errNoColumn = errors.New("a * of no table")

// Read reads a query, whose tree it changes.
func (r *Reader) Read(tree *sql.Tree, q ast.TableStatement, text []byte) (of Query, err error) {
	r.common, r.text = shape.CommonNames(q), text
	if of.Names, err = r.names(q); err != nil {
		return of, err
	}
	of.Reads = r.reads(q)
	r.qualify(q)
	printed, err := tree.Print(OwnModes(r.Modes))
	if err != nil {
		return of, err
	}
	of.Text = printed.String()
	return of, nil
}

// names writes out what the * of a query stands for, and returns the names of its
// columns.
func (r *Reader) names(q ast.TableStatement) (names []string, err error) {
	switch q := q.(type) {
	case *ast.Union:
		if names, err = r.names(q.Left); err != nil {
			return nil, err
		}
		_, err = r.names(q.Right)
		return names, err
	case *ast.Select:
		return r.selected(q)
	}
	return nil, &resolve.Beyond{What: "a view of this statement"}
}

// selected is names of a SELECT. Servers name a column without an alias by the text of
// its expression, where that can be the name of one (MySQL manual, "CREATE VIEW
// Statement").
func (r *Reader) selected(q *ast.Select) (names []string, err error) {
	items := sql.AppendItems(nil, r.text, r.Modes)
	written := len(items) == len(q.SelectExprs.Exprs)
	var list []ast.SelectExpr
	for i, e := range q.SelectExprs.Exprs {
		switch e := e.(type) {
		case *ast.StarExpr:
			columns, err := r.starred(q, e)
			if err != nil {
				return nil, err
			}
			for _, c := range columns {
				list = append(list, &ast.AliasedExpr{Expr: c})
				names = append(names, c.Name.String())
			}
			continue
		case *ast.AliasedExpr:
			name := shape.ItemName(e)
			if name == "" && written {
				name = nameOfExpression(r.text[items[i].From:items[i].To], len(list)+1)
			}
			names = append(names, name)
		}
		list = append(list, e)
	}
	q.SelectExprs = &ast.SelectExprs{Exprs: list}
	return names, nil
}

// nameOfExpression is how servers name the column of an expression.
func nameOfExpression(text []byte, number int) string {
	const charactersMax = 64
	name := string(text)
	if n := len(name); n > 2 && name[0] == '\'' && name[n-1] == '\'' && !strings.ContainsAny(name[1:n-1], `'\`) && name[1] > ' ' {
		name = name[1 : n-1]
	}
	if name == "" || utf8.RuneCountInString(name) > charactersMax || strings.HasSuffix(name, " ") {
		return fmt.Sprintf("Name_exp_%d", number)
	}
	return name
}

// starred are the columns that * or t.* stands for, in a FROM of tables alone.
func (r *Reader) starred(q *ast.Select, star *ast.StarExpr) (all []*ast.ColName, err error) {
	entries, simple := fromEntries(q.From)
	if !simple {
		return nil, &resolve.Beyond{What: "a * over NATURAL JOIN or USING in a view"}
	}
	for _, e := range entries {
		name, ok := e.Expr.(ast.TableName)
		if !ok || len(e.Columns) > 0 {
			return nil, &resolve.Beyond{What: "a * over a derived table in a view"}
		}
		alias := e.As
		if alias.IsEmpty() {
			alias = name.Name
		}
		if q := star.TableName.Name; !q.IsEmpty() && !r.Catalog.SameName(q.String(), alias.String()) {
			continue
		}
		t := r.table(name)
		if t == nil {
			return nil, &resolve.Beyond{What: "a * over a common table expression in a view"}
		}
		for i := range t.Known() {
			if c := &t.Columns[i]; !c.Invisible {
				all = append(all, &ast.ColName{Name: ast.Identifier(c.Name), Qualifier: ast.TableName{Name: alias}})
			}
		}
	}
	if len(all) == 0 {
		return nil, errNoColumn
	}
	return all, nil
}

// table is the table or view that a name means, protected or plain; nil for a common
// table expression.
func (r *Reader) table(n ast.TableName) *catalog.Table {
	schema, name := n.Qualifier.String(), n.Name.String()
	if schema == "" {
		if r.common[strings.ToLower(name)] {
			return nil
		}
		schema = r.Schema
	}
	if t := r.Catalog.Table(schema, name); t != nil {
		return t
	}
	if t := r.Catalog.View(schema, name); t != nil {
		return t
	}
	return r.Catalog.Among(r.Plain, schema, name)
}

// fromEntries are the tables of a FROM, from left to right; simple is false if columns
// of two of them are one.
func fromEntries(from []ast.TableExpr) (all []*ast.AliasedTableExpr, simple bool) {
	simple = true
	for _, e := range from {
		switch e := e.(type) {
		case *ast.AliasedTableExpr:
			all = append(all, e)
		case *ast.ParenTableExpr:
			inside, ok := fromEntries(e.Exprs)
			all, simple = append(all, inside...), simple && ok
		case *ast.JoinTableExpr:
			inside, ok := fromEntries([]ast.TableExpr{e.LeftExpr, e.RightExpr})
			natural := e.Join == ast.NaturalJoinType || e.Join == ast.NaturalLeftJoinType || e.Join == ast.NaturalRightJoinType
			using := e.Condition != nil && len(e.Condition.Using) > 0
			all, simple = append(all, inside...), simple && ok && !natural && !using
		default:
			simple = false
		}
	}
	return all, simple
}

// reads are the tables and views that a query reads, with their columns: every one that
// a name in the query may be.
func (r *Reader) reads(q ast.TableStatement) (all []Read) {
	by := map[catalog.ViewOver][]string{} // aliases
	_ = ast.Walk(func(n ast.Node) (bool, error) {
		e, ok := n.(*ast.AliasedTableExpr)
		if !ok {
			return true, nil
		}
		name, ok := e.Expr.(ast.TableName)
		if !ok || shape.IsDual(name) {
			return true, nil
		}
		t := r.table(name)
		if t == nil {
			return true, nil
		}
		of := catalog.ViewOver{Schema: t.Schema, Name: t.Name, Twin: t.Twin}
		alias := e.As.String()
		if alias == "" {
			alias = t.Name
		}
		if by[of] == nil {
			read := Read{ViewOver: of}
			if read.Table = t; t.Plain() {
				read.Table = nil
			}
			all = append(all, read)
		}
		by[of] = append(by[of], alias)
		return true, nil
	}, q)
	for i := range all {
		all[i].Columns = r.columnsRead(q, &all[i], by[all[i].ViewOver])
	}
	return all
}

// columnsRead are the columns of a table that a name of the query may mean.
func (r *Reader) columnsRead(q ast.Node, of *Read, aliases []string) (read []string) {
	t := r.table(ast.TableName{Qualifier: ast.Name(of.Schema), Name: ast.Name(of.Name)})
	used := map[int]bool{}
	_ = ast.Walk(func(n ast.Node) (bool, error) {
		switch n := n.(type) {
		case *ast.ColName:
			qualifier := n.Qualifier.Name.String()
			mine := qualifier == "" || slices.ContainsFunc(aliases, func(a string) bool { return r.Catalog.SameName(a, qualifier) })
			if i := t.Column(n.Name.String()); i >= 0 && mine {
				used[i] = true
			}
		case *ast.StarExpr:
			for i := range t.Known() {
				used[i] = true
			}
		case *ast.JoinCondition:
			if n == nil {
				return true, nil
			}
			for _, c := range n.Using {
				if i := t.Column(c.String()); i >= 0 {
					used[i] = true
				}
			}
		}
		return true, nil
	}, q)
	for i := range t.Columns {
		if used[i] {
			read = append(read, t.Columns[i].Name)
		}
	}
	return read
}

// qualify puts schemas before the names of tables.
func (r *Reader) qualify(q ast.Node) {
	_ = ast.Walk(func(n ast.Node) (bool, error) {
		e, ok := n.(*ast.AliasedTableExpr)
		if !ok {
			return true, nil
		}
		name, ok := e.Expr.(ast.TableName)
		if ok && name.Qualifier.IsEmpty() && !shape.IsDual(name) && !r.common[strings.ToLower(name.Name.String())] {
			e.Expr = ast.TableName{Qualifier: ast.Name(r.Schema), Name: name.Name}
		}
		return true, nil
	}, q)
}
