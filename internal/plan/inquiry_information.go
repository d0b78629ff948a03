package plan

import (
	"slices"
	"strings"

	"tunic/internal/catalog"
	"tunic/internal/plan/information"
	"tunic/internal/sql"
	"tunic/internal/sql/ast"
	"tunic/internal/sqlerr"
)

// inquireInformation plans a statement that reads information_schema. It reports
// false for any other, and for one that the server may answer as it is.
func (k *knowledge) inquireInformation(p *Plan, s *sql.Statement, alone bool) bool {
	own := readsOwn(s)
	if !own && (k.catalog.Len() == 0 || !s.Mentions(isInformation)) {
		return false
	}
	p.OfSchema = true
	inside := strings.EqualFold(k.schema, information.Schema)
	if !own && !inside && !s.Mentions(func(name []byte) bool { return strings.EqualFold(string(name), information.Schema) }) {
		return false
	}
	q := &Inquiry{Catalog: k.catalog, Schema: k.schema}
	found, err := q.information(s, inside, k)
	if err == nil && !found {
		return false
	}
	p.inquiry(q, err, alone)
	p.outdated(slices.Collect(k.catalog.Views())...)
	return true
}

// isInformation says that a name is that of one of the tables.
func isInformation(name []byte) bool {
	_, ok := information.Tables[strings.ToLower(string(name))]
	return ok
}

// information finds what of a statement is to be changed.
func (q *Inquiry) information(s *sql.Statement, inside bool, k *knowledge) (found bool, err error) {
	if s.Kind == sql.Explain {
		return false, nil // tells of the statement as it is
	}
	if (s.Kind == sql.Insert || s.Kind == sql.Replace) && !s.HasQuery() {
		return false, nil // reads nothing of it, and may not write it
	}
	if !asksInformation[s.Kind] {
		return true, sqlerr.StatementRefused(s.Kind.String() + " over information_schema")
	}
	tree, err := s.Tree()
	if err != nil {
		return true, sqlerr.StatementUnread()
	}
	is := func(n sql.TableName) (how information.How) {
		switch {
		case strings.EqualFold(n.Schema, Own):
			how = ownTables[strings.ToLower(n.Name)]
		case k.catalog.Len() > 0 && (strings.EqualFold(n.Schema, information.Schema) || n.Schema == "" && inside):
			how = information.Tables[strings.ToLower(n.Name)]
		}
		return how
	}
	refs, ok := s.TableRefs()
	if !ok || !sameTables(refs, tree, is) {
		return true, sqlerr.StatementUnread()
	}
	if d, ok := tree.Root().(*ast.Delete); ok && deletesOf(d, is) {
		return true, sqlerr.StatementRefused("DELETE from a table of information_schema")
	}
	q.Tree = tree
	for i := range refs {
		how := is(refs[i].Name)
		found = found || !refs[i].Qualifies && how != 0
		q.Own = q.Own || how == information.Own
	}
	switch {
	case !found:
		return false, nil
	case q.Own && k.about(tree.Root()):
		return true, sqlerr.StatementRefused("a table of tunic's own together with a protected table")
	case k.about(tree.Root()):
		if s.Kind == sql.Select || s.Kind == sql.SetOperation {
			return false, nil // a query over several tables: InformationOf comes to its stored statement
		}
		return true, sqlerr.StatementRefused("information_schema together with a protected table")
	}
	return q.referAll(refs, is)
}

// deletesOf reports whether a table of which is says something is deleted from: no query
// can stand in its place.
func deletesOf(d *ast.Delete, is func(sql.TableName) information.How) bool {
	if len(d.Targets) > 0 || len(d.TableExprs) != 1 {
		return false // the server says that the query is not updatable
	}
	of, ok := d.TableExprs[0].(*ast.AliasedTableExpr)
	if !ok {
		return false
	}
	name, ok := of.Expr.(ast.TableName)
	return ok && is(sql.TableName{Schema: name.Qualifier.String(), Name: name.Name.String()}) != 0
}

// referAll makes the edits of all names.
func (q *Inquiry) referAll(refs []sql.TableRef, is func(sql.TableName) information.How) (found bool, err error) {
	for i := range refs {
		if err := q.refer(&refs[i], is(refs[i].Name)); err != nil {
			return true, err
		}
	}
	return len(q.Edits) > 0, nil
}

// asksInformation are the kinds of statements in which information_schema may be
// read.
var asksInformation = map[sql.Kind]bool{
	sql.Select: true, sql.SetOperation: true, sql.Set: true, sql.Do: true, sql.Insert: true, sql.Replace: true, sql.Update: true, sql.Delete: true,
}

// refer makes the edit of a name: a query stands for a table, under the table's name
// if it has no alias. Where the table and its schema stand before a column, the table
// alone does.
func (q *Inquiry) refer(r *sql.TableRef, how information.How) error {
	switch {
	case how == information.Stored && !r.Qualifies, how == information.Shapes && !r.Qualifies && information.HasShapes(q.Catalog):
		return sqlerr.StatementRefused("information_schema." + strings.ToLower(r.Name.Name))
	case how != information.Changed && how != information.Own:
	case r.Qualifies && r.Name.Schema != "":
		q.Edits = append(q.Edits, Edit{From: r.From, To: r.At})
	case !r.Qualifies:
		e := Edit{From: r.From, To: r.To, Relation: strings.ToLower(r.Name.Name)}
		if how == information.Own {
			e.Relation = OwnTable(r.Name.Name)
		}
		if !r.Aliased {
			e.Alias = r.Name.Name
		}
		q.Edits = append(q.Edits, e)
	}
	return nil
}

// sameTables reports whether what was found in the text is what the tree has: the
// tables of information_schema that it reads, and whether each has an alias.
func sameTables(refs []sql.TableRef, tree *sql.Tree, is func(sql.TableName) information.How) bool {
	var inText, inTree []string
	add := func(to *[]string, n sql.TableName, aliased bool) {
		if is(n) == 0 {
			return
		}
		name := strings.ToLower(n.Name)
		if aliased {
			name += " as"
		}
		*to = append(*to, name)
	}
	for i := range refs {
		if r := &refs[i]; !r.Qualifies {
			add(&inText, r.Name, r.Aliased)
		}
	}
	whole := true
	_ = ast.Walk(func(n ast.Node) (bool, error) {
		switch n := n.(type) {
		case *ast.AliasedTableExpr:
			if t, ok := n.Expr.(ast.TableName); ok {
				add(&inTree, sql.TableName{Schema: t.Qualifier.String(), Name: t.Name.String()}, !n.As.IsEmpty())
				whole = whole && (is(sql.TableName{Schema: t.Qualifier.String(), Name: t.Name.String()}) == 0 || len(n.Partitions)+len(n.Hints)+len(n.Columns) == 0)
			}
		case *ast.CommonTableExpr:
			whole = whole && !isInformation([]byte(n.ID.String())) // hides the table of that name
		}
		return true, nil
	}, tree.Root())
	slices.Sort(inText)
	slices.Sort(inTree)
	return whole && slices.Equal(inText, inTree)
}

// InformationOf is the question that a stored query asks which reads information_schema
// beside protected tables, by their stored names: its answer is read by tunic alone, which
// knows which cells are of which table.
func InformationOf(c *catalog.Catalog, text []byte, m sql.Modes) (*Inquiry, error) {
	read, err := sql.Parse(text, m)
	if err != nil || len(read) != 1 {
		return nil, sqlerr.StatementUnread()
	}
	tree, err := read[0].Tree()
	refs, ok := read[0].TableRefs()
	is := func(n sql.TableName) (how information.How) {
		if strings.EqualFold(n.Schema, information.Schema) {
			how = information.Tables[strings.ToLower(n.Name)]
		}
		return how
	}
	if err != nil || !ok || !sameTables(refs, tree, is) {
		return nil, sqlerr.StatementUnread()
	}
	q := &Inquiry{Catalog: c, Tree: tree, Within: true}
	_, err = q.referAll(refs, is)
	return q, err
}
