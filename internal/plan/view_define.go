package plan

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"tunic/internal/catalog"
	"tunic/internal/plan/shape"
	"tunic/internal/plan/views"
	"tunic/internal/recipe"
	"tunic/internal/resolve"
	"tunic/internal/sql"
	"tunic/internal/sql/ast"
	"tunic/internal/sqlerr"
)

// DefinedView is a CREATE VIEW or ALTER VIEW, as far as it can be worked out without a
// connection.
type DefinedView struct {
	sql.View
	// Catalog is the version by which it was planned.
	Catalog *catalog.Catalog
	// Run is how the view's query would be carried out; nil for one that touches nothing
	// protected, where nothing that follows is set.
	Run *recipe.Run
	// Literals are those of Query.
	Literals *sql.Literals
	// Text is the view's query as the catalog keeps it (catalog.View).
	Text string
	// Names are those of its columns, Own those that they have by the query itself, without
	// the statement's list of them.
	Names, Own []string
	// Reads are the tables and views that it reads, and which of their columns.
	Reads []ViewReads
}

// ViewReads are the columns that a view reads of a table or view.
type ViewReads struct {
	catalog.ViewOver
	// Table is nil for one that is plain.
	Table   *catalog.Table
	Columns []string
}

// defineView plans a CREATE VIEW or an ALTER VIEW, and reports whether it has: one that
// names nothing protected is the server's.
func (k *knowledge) defineView(p *Plan, s *sql.Statement, m sql.Modes) bool {
	if !s.Mentions(k.names.Protected) {
		return false
	}
	v, ok := s.View()
	if !ok || !utf8.Valid(v.Query) {
		p.refuse(sqlerr.StatementUnread())
		return true
	}
	if strings.EqualFold(v.Name.Schema, catalog.Schema) || v.Name.Schema == "" && strings.EqualFold(k.schema, catalog.Schema) {
		p.refuse(sqlerr.OwnSchema())
		return true
	}
	v.Query = bytes.Clone(v.Query) // a prepared definition outlives the packet that its text is in
	k.planView(p, &DefinedView{View: v, Catalog: k.catalog}, m)
	return true
}

// PlanRetold plans the query of a view that is outdated, so that its twin can be made
// anew. plain are as those of PlanBeside.
func (p *Planner) PlanRetold(c *catalog.Catalog, plain []*catalog.Table, v *catalog.Table, m sql.Modes) *Plan {
	known := knowledge{names: c, catalog: c, policy: p.rules(), schema: v.Schema, plain: plain, kept: true}
	view := sql.View{Name: sql.TableName{Schema: v.Schema, Name: v.Name}, Query: []byte(v.View.Query)}
	for i := range v.Columns {
		view.Columns = append(view.Columns, v.Columns[i].Name)
	}
	made := &Plan{}
	known.planView(made, &DefinedView{View: view, Catalog: c}, views.OwnModes(m))
	return made
}

// planView plans the query of a view.
func (k *knowledge) planView(p *Plan, v *DefinedView, m sql.Modes) {
	p.Action, p.OfSchema = &DefineView{View: v}, true
	var fp sql.Fingerprinter
	fp.Record(true)
	var literals *sql.Literals
	if fp.Fingerprint(v.Query, m).Clean {
		literals = fp.Literals()
	}
	query := decide(v.Query, m, *k, literals)
	run := query.Run()
	switch {
	case Is[*Refuse](query):
		p.Action = query.Action
	case run != nil && run.Informs:
		p.refuse(sqlerr.StatementRefused("a view over information_schema"))
	case run != nil && (run.Kind == sql.Select || run.Kind == sql.SetOperation):
		v.Run, v.Literals = run, literals
		if run.Remote == nil {
			return // the server says what is wrong
		}
		if err := k.readView(v, m); err != nil {
			p.refuse(viewRefusal(err))
		}
	case !Is[*Forward](query):
		p.refuse(sqlerr.StatementRefused("a view of this statement"))
	}
}

// viewRefusal is what a client is told of a view that cannot be kept.
func viewRefusal(err error) error {
	if beyond, ok := errors.AsType[*resolve.Beyond](err); ok {
		return sqlerr.StatementRefused(beyond.Error())
	}
	return sqlerr.StatementUnread()
}

// readView finds out what the catalog keeps of a view's query.
func (k *knowledge) readView(v *DefinedView, m sql.Modes) error {
	all, err := sql.Parse(v.Query, m)
	if err != nil || len(all) != 1 {
		return &resolve.Beyond{What: "a view of several statements"}
	}
	tree, err := all[0].Tree()
	if err != nil {
		return err
	}
	q, ok := tree.Root().(ast.TableStatement)
	if !ok || parameters(v.Run) > 0 {
		return &resolve.Beyond{What: "a view of this statement"}
	}
	r := viewReader{knowledge: k, common: shape.CommonNames(q), text: v.Query, modes: m}
	if v.Names, err = r.names(q); err != nil {
		return err
	}
	if v.Own = v.Names; len(v.Columns) > 0 {
		v.Names = v.Columns // of another number of columns, the server says so
	}
	v.Reads = r.reads(q)
	r.qualify(q)
	printed, err := tree.Print(views.OwnModes(m))
	if err != nil {
		return err
	}
	v.Text = printed.String()
	return nil
}

// parameters are how many a statement has.
func parameters(run *recipe.Run) (n int) {
	if run.Describe == nil {
		return 1
	}
	for _, h := range run.Describe.Holes() {
		if h.Kind == sql.HoleParam {
			n++
		}
	}
	return n
}

// viewReader reads the query of a view that is defined.
type viewReader struct {
	*knowledge
	common map[string]bool
	text   []byte
	modes  sql.Modes
}

// names writes out what the * of a query stands for, and returns the names of its
// columns.
func (r *viewReader) names(q ast.TableStatement) (names []string, err error) {
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
func (r *viewReader) selected(q *ast.Select) (names []string, err error) {
	items := sql.AppendItems(nil, r.text, r.modes)
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
			name := nameOf(e)
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
func (r *viewReader) starred(q *ast.Select, star *ast.StarExpr) (all []*ast.ColName, err error) {
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
		if q := star.TableName.Name; !q.IsEmpty() && !r.catalog.SameName(q.String(), alias.String()) {
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
		return nil, errUnknown
	}
	return all, nil
}

// table is the table or view that a name means, protected or plain; nil for a common
// table expression.
func (r *viewReader) table(n ast.TableName) *catalog.Table {
	schema, name := n.Qualifier.String(), n.Name.String()
	if schema == "" {
		if r.common[strings.ToLower(name)] {
			return nil
		}
		schema = r.schema
	}
	if t := r.catalog.Table(schema, name); t != nil {
		return t
	}
	if t := r.catalog.View(schema, name); t != nil {
		return t
	}
	b := builder{catalog: r.catalog, plain: r.plain}
	return b.plainTable(schema, name)
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
func (r *viewReader) reads(q ast.TableStatement) (all []ViewReads) {
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
			read := ViewReads{ViewOver: of}
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
func (r *viewReader) columnsRead(q ast.Node, of *ViewReads, aliases []string) (read []string) {
	t := r.table(ast.TableName{Qualifier: ast.Name(of.Schema), Name: ast.Name(of.Name)})
	used := map[int]bool{}
	_ = ast.Walk(func(n ast.Node) (bool, error) {
		switch n := n.(type) {
		case *ast.ColName:
			qualifier := n.Qualifier.Name.String()
			mine := qualifier == "" || slices.ContainsFunc(aliases, func(a string) bool { return r.catalog.SameName(a, qualifier) })
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
func (r *viewReader) qualify(q ast.Node) {
	_ = ast.Walk(func(n ast.Node) (bool, error) {
		e, ok := n.(*ast.AliasedTableExpr)
		if !ok {
			return true, nil
		}
		name, ok := e.Expr.(ast.TableName)
		if ok && name.Qualifier.IsEmpty() && !shape.IsDual(name) && !r.common[strings.ToLower(name.Name.String())] {
			e.Expr = ast.TableName{Qualifier: ast.Name(r.schema), Name: name.Name}
		}
		return true, nil
	}, q)
}
