package build

import (
	"slices"
	"strings"

	"tunic/internal/catalog"
	"tunic/internal/plan/columns"
	"tunic/internal/plan/shape"
	"tunic/internal/plan/twin"
	"tunic/internal/recipe"
	"tunic/internal/sql"
	"tunic/internal/sql/ast"
	"tunic/internal/sqlerr"
	"tunic/internal/value"
)

// insertQuery plans INSERT … SELECT. The query is finished as any other is, as a Tree,
// whose rows are locked as servers lock what a statement reads to write (MySQL manual,
// "Locks Set by Different SQL Statements in InnoDB"); what comes out of it is inserted as
// rows of values, whose cells are sql.QueryCell's.
func (b *Builder) insertQuery(n *ast.Insert, q ast.TableStatement) (end *ending) {
	if b.Tree.Returning() != nil {
		return beyond("RETURNING of rows of a query")
	}
	if n.OnDup != nil && ast.HasQuery(n.OnDup) {
		return beyond("ON DUPLICATE KEY UPDATE with a query in it")
	}
	if end := b.knowsPlain(n); end != nil {
		return end
	}
	if end := b.ambiguous(n, shape.InsertedQuery(b.Asked.Root())); end != nil {
		return end
	}
	if b.Run.Answer.Describe, end = b.describedInsert(b.Asked.Root()); end != nil {
		return end
	}
	from, width, end := b.inserted(q)
	if end != nil {
		return end
	}
	if end := b.target(n); end != nil {
		return end
	}
	wrong, end := b.countedWrong(n, width)
	if wrong != nil {
		b.Run.Fails = &recipe.Failure{Error: wrong}
	}
	if wrong != nil || end != nil {
		return end
	}
	adds := &recipe.QueryRows{Of: from}
	b.inserts().Rows = adds
	row := make(ast.ValTuple, width)
	for i := range row {
		row[i] = sql.QueryCell(i)
	}
	values := *n
	values.Rows = ast.Values{row}
	if end := b.insert(&values); end != nil {
		return end
	}
	if b.inserts().Upsert == nil {
		adds.Deprecated = countValues(n.OnDup)
	}
	adds.Into, end = b.insertColumns(n.Columns)
	if end == nil {
		end = b.flows(adds)
	}
	return end
}

// countValues is how often VALUES() is used in ON DUPLICATE KEY UPDATE.
func countValues(set ast.OnDup) (n int) {
	_ = ast.Walk(func(of ast.Node) (bool, error) {
		if _, ok := of.(*ast.ValuesFuncExpr); ok {
			n++
		}
		return true, nil
	}, set)
	return n
}

// ambiguous refuses a name behind ON DUPLICATE KEY UPDATE that servers take for one of
// several columns: of the table, and of those of the query. MySQL says so of one without its
// table where it describes the statement.
func (b *Builder) ambiguous(n *ast.Insert, q ast.TableStatement) *ending {
	if b.namesTwice(n, q) {
		return beyond("a name with its table behind ON DUPLICATE KEY UPDATE, where the query reads a table of the same name,")
	}
	if b.Modes&sql.MariaDB == 0 {
		return nil
	}
	names := map[string]bool{}
	for _, e := range n.OnDup {
		_ = ast.Walk(func(n ast.Node) (bool, error) {
			if _, ok := n.(*ast.ValuesFuncExpr); ok {
				return false, nil
			}
			if name, ok := n.(*ast.ColName); ok && name.Qualifier.Name.IsEmpty() {
				names[name.Name.Lowered()] = true
			}
			return true, nil
		}, e.Expr)
	}
	if len(names) == 0 || !b.mayName(q, names) {
		return nil
	}
	return beyond("a name without its table behind ON DUPLICATE KEY UPDATE, which the query may have as well,")
}

// namesTwice reports whether a name behind ON DUPLICATE KEY UPDATE has the table's name before it, and the query
// reads a table under the same one. Of a grouped query servers know no columns there, and MySQL none of a union.
func (b *Builder) namesTwice(n *ast.Insert, q ast.TableStatement) bool {
	target, ok := n.Table.Expr.(ast.TableName)
	if !ok || !b.readsUnder(q, target.Name.String()) {
		return false
	}
	twice := false
	for _, e := range n.OnDup {
		_ = ast.Walk(func(of ast.Node) (bool, error) {
			name, ok := of.(*ast.ColName)
			twice = twice || ok && strings.EqualFold(name.Qualifier.Name.String(), target.Name.String())
			return !twice, nil
		}, e.Expr)
	}
	return twice
}

// readsUnder reports whether a query that is not grouped has a table of a name in its FROM.
func (b *Builder) readsUnder(q ast.TableStatement, name string) bool {
	switch q := q.(type) {
	case *ast.Union:
		return b.Modes&sql.MariaDB != 0 && (b.readsUnder(q.Left, name) || b.readsUnder(q.Right, name))
	case *ast.Select:
		return q.GroupBy == nil && len(shape.Aggregates(q.SelectExprs)) == 0 && slices.ContainsFunc(q.From, func(e ast.TableExpr) bool { return isUnder(e, name) })
	}
	return false
}

// isUnder reports whether an entry of a FROM, or one in it, has a name.
func isUnder(e ast.TableExpr, name string) bool {
	switch e := e.(type) {
	case *ast.ParenTableExpr:
		return slices.ContainsFunc(e.Exprs, func(one ast.TableExpr) bool { return isUnder(one, name) })
	case *ast.JoinTableExpr:
		return isUnder(e.LeftExpr, name) || isUnder(e.RightExpr, name)
	case *ast.AliasedTableExpr:
		if of, ok := e.Expr.(ast.TableName); ok && e.As.IsEmpty() {
			return strings.EqualFold(of.Name.String(), name)
		}
		return strings.EqualFold(e.As.String(), name)
	}
	return false
}

// mayName reports whether a query may have one of these columns in its FROM.
func (b *Builder) mayName(q ast.TableStatement, names map[string]bool) bool {
	switch q := q.(type) {
	case *ast.Union:
		return b.mayName(q.Left, names) || b.mayName(q.Right, names)
	case *ast.Select:
		shared := q.With != nil
		return slices.ContainsFunc(q.From, func(e ast.TableExpr) bool { return shared || b.mayHave(e, names) })
	}
	return true
}

// mayHave reports whether an entry of FROM may have one of these columns.
func (b *Builder) mayHave(e ast.TableExpr, names map[string]bool) bool {
	switch e := e.(type) {
	case *ast.ParenTableExpr:
		return slices.ContainsFunc(e.Exprs, func(one ast.TableExpr) bool { return b.mayHave(one, names) })
	case *ast.JoinTableExpr:
		return b.mayHave(e.LeftExpr, names) || b.mayHave(e.RightExpr, names)
	case *ast.AliasedTableExpr:
		name, ok := e.Expr.(ast.TableName)
		if !ok {
			return true
		}
		if shape.IsDual(name) {
			return false
		}
		found, end := b.lookUp(e, nil)
		if end != nil || found.table == nil || found.table.View != nil {
			return true
		}
		return slices.ContainsFunc(found.table.Columns, func(c catalog.Column) bool { return names[strings.ToLower(c.Name)] })
	}
	return true
}

// countedWrong is what is wrong with the columns of an INSERT of rows with so many: servers
// find that out when they run it.
func (b *Builder) countedWrong(n *ast.Insert, width int) (*sqlerr.Error, *ending) {
	for at, name := range n.Columns {
		for _, before := range n.Columns[:at] {
			if before.Equal(name) {
				return &sqlerr.Error{Number: 1110, State: "42000", Message: "Column '" + name.String() + "' specified twice"}, nil
			}
		}
	}
	into, end := b.insertColumns(n.Columns)
	if end != nil && !b.scope.Table.Plain() {
		b.Run.Answer.Describe, end = b.describedNames(n)
		return &sqlerr.Error{Number: 1054, State: "42S22", Message: "Unknown column in 'field list'"}, end
	}
	if end != nil || len(into) == width {
		return nil, end
	}
	return &sqlerr.Error{Number: 1136, State: "21S01", Message: "Column count doesn't match value count at row 1"}, nil
}

// describedNames is an INSERT of one row over the twin, which servers look at the names of
// when they describe it.
func (b *Builder) describedNames(n *ast.Insert) (*sql.Printed, *ending) {
	row := make(ast.ValTuple, len(n.Columns))
	for i := range row {
		row[i] = &ast.NullVal{}
	}
	one := &ast.Insert{Table: b.twin(), Columns: n.Columns, Rows: ast.Values{row}}
	one.Table.As = ast.Name("")
	return b.print(one)
}

// inserted is the Run of the query, and how many columns it has.
func (b *Builder) inserted(q ast.TableStatement) (*recipe.Run, int, *ending) {
	root, ok := q.(ast.Statement)
	asked, same := shape.InsertedQuery(b.Asked.Root()).(ast.Statement)
	if !ok || !same {
		return nil, 0, beyond("INSERT of such rows")
	}
	of := *b
	of.unsought = true
	of.Run = &recipe.Run{Kind: sql.Select, Variables: b.Run.Variables, Told: b.Run.Told}
	if _, set := q.(*ast.Union); set {
		of.Run.Kind = sql.SetOperation
	}
	top, end := of.treeOf(root, asked, true)
	if end != nil {
		return nil, 0, end
	}
	if of.Run.Table == nil && len(of.Run.Tree.Tables) > 0 {
		of.Run.Table = of.Run.Tree.Tables[0]
	}
	return of.Run, len(top.columns), nil
}

// target sets the scope to the table that the rows go into, which may be a plain one.
func (b *Builder) target(n *ast.Insert) *ending {
	table, end := b.tableOf(n.Table, nil)
	switch {
	case end != nil:
		return end
	case table == nil:
		return unknown()
	case table.View != nil:
		return beyond("INSERT into a view")
	case !table.Plain():
		if end := b.over(n.Table); end != nil {
			return end
		}
	default:
		b.scope, b.table, b.Run.Table = columns.Named(table, table.Name), n.Table, table
	}
	return transactional(table)
}

// describedInsert is the statement over twins. Into a plain table only the query is
// described: tunic's service account need not be able to write there.
func (b *Builder) describedInsert(n ast.Statement) (*sql.Printed, *ending) {
	root, ok := n.(*ast.Insert)
	if !ok {
		return nil, unknown()
	}
	table, end := b.tableOf(root.Table, nil)
	if end != nil {
		return nil, end
	}
	if q, ok := shape.InsertedQuery(root).(ast.Statement); ok && table != nil && table.Plain() {
		return b.describedTree(q)
	}
	clone, end := b.overTwins(root)
	if end != nil {
		return nil, end
	}
	described, ok := clone.(*ast.Insert)
	if !ok || table == nil {
		return nil, unknown()
	}
	described.Table.As = ast.Name("")
	b.ofTwin(described.OnDup, table)
	if end := refused(twin.Silent(described)); end != nil {
		return nil, end
	}
	twin.Mute(described, b.Modes)
	return b.print(described)
}

// ofTwin puts the name of a table's twin before columns that have the table's before
// them: a twin that rows are inserted into cannot have another name. Clones of a tree
// share its names, so that others take their place.
func (b *Builder) ofTwin(set ast.OnDup, table *catalog.Table) {
	for _, e := range set {
		ast.Rewrite(e, func(c *ast.Cursor) bool {
			if name, ok := c.Node().(*ast.ColName); ok && b.Catalog.SameName(name.Qualifier.Name.String(), table.Name) {
				c.Replace(&ast.ColName{Name: name.Name, Qualifier: ast.TableName{Name: ast.Name(table.Twin)}})
				return false
			}
			return true
		}, nil)
	}
}

// flows refuses to store what is protected where it is not, and values that are not known
// to come out of a literal as they were.
func (b *Builder) flows(of *recipe.QueryRows) *ending {
	protected := ProtectedColumns(of.Of)
	for at, i := range of.Into {
		c := b.scope.At(i)
		switch {
		case c.Protected():
		case at >= len(protected) || protected[at]:
			return refused(sqlerr.FlowRefused(c.Name))
		case !written(c.Type.Kind):
			return beyond("INSERT of the rows of a query, with a plain column of this type,")
		}
	}
	return nil
}

// written reports whether a value of a plain column can be written as a literal.
func written(k value.Kind) bool {
	switch {
	case k.IsNumber(), k.IsTemporal(), k.IsText(), k.IsBytes():
		return true
	default:
		return k == value.Enum || k == value.Set || k == value.JSON || k == value.UUID || k == value.INET4 || k == value.INET6
	}
}
