package build

import (
	"slices"
	"strconv"
	"strings"

	"tunic/internal/catalog"
	"tunic/internal/plan/check"
	"tunic/internal/plan/columns"
	"tunic/internal/plan/information"
	"tunic/internal/plan/shape"
	"tunic/internal/recipe"
	"tunic/internal/sql/ast"
	"tunic/internal/value"
)

// leaf is a table of the query: what is sent of it.
type leaf struct {
	table  *catalog.Table
	base   int // the number of its first column
	unique string
	alias  string // the name that the statement has for it
	scope  *columns.Of
	where  ast.Expr     // what the server decides of its rows
	used   map[int]bool // columns that are read
	// missing are those of what is left to tunic of its rows; unserved says that no layer
	// serves some of it.
	missing  []recipe.MissingLayer
	unserved bool
}

// fetched are the rows of a leaf of the Tree: of a table, or of tables that the server
// joins.
type fetched struct {
	leaves []*leaf
	from   ast.TableExpr // the join; nil for one table
	scan   *recipe.Scan
	source *recipe.Source
	lock   ast.Lock
	cells  int // the number of the first one of its rows
	// semijoins leave out rows, limited does all behind the first ones.
	semijoins []semijoin
	limited   *limited
}

// addLeaf adds a table, and rows of it.
func (t *treeBuilder) addLeaf(table *catalog.Table, unique, alias string) *fetched {
	l := &leaf{table: table, unique: unique, alias: alias, scope: columns.Named(table, unique), used: map[int]bool{}}
	for _, before := range t.tables {
		l.base += len(before.Columns)
	}
	t.tables = append(t.tables, table)
	f := &fetched{leaves: []*leaf{l}, scan: &recipe.Scan{}}
	t.fetched = append(t.fetched, f)
	return f
}

// within is the builder of what the server does with the rows of a leaf.
func (t *treeBuilder) within(l *leaf) *Builder {
	of := *t.Builder
	of.scope, of.base = l.scope, l.base
	return &of
}

// remote makes the stored statement of all leaves, and lays out its rows.
func (t *treeBuilder) remote() *ending {
	if len(t.fetched) == 0 {
		if t.inserted {
			return nil // the query reads nothing
		}
		return beyond("a query without a protected table")
	}
	met := t.meetings()
	t.reduce(met)
	t.markUsed()
	t.arrange(met)
	run := t.Run
	run.Tree.Tables = t.tables
	run.Tree.Informs = slices.ContainsFunc(t.tables, information.IsTold)
	for i, f := range t.fetched {
		t.layOut(i, f)
	}
	t.holdLeaves()
	if end := t.weighs(); end != nil {
		return end
	}
	t.gatherMissing()
	var all ast.TableStatement
	for i, f := range t.fetched {
		one := t.stored(i)
		if end := f.audit(one); end != nil {
			return end
		}
		t.fence(one, f)
		f.nameAsWritten(one)
		if all == nil {
			all, _ = t.guarded(one).(*ast.Select) // as it was
		} else {
			all = &ast.Union{Left: all, Right: one}
		}
	}
	var end *ending
	run.Remote, end = t.print(all)
	return end
}

// layOut says which cells and columns the rows of a leaf have.
func (t *treeBuilder) layOut(i int, f *fetched) {
	run := t.Run
	f.scan.Leaf = i
	from := len(run.Fetch)
	f.cells = len(run.Cells)
	f.source.Columns, f.source.Qualifiers = nil, nil
	for _, l := range f.leaves {
		for c := range l.table.Columns {
			if l.used[c] {
				of, fetch := recipe.CellOf(l.table, c), recipe.Fetch{Column: l.base + c}
				if of.Column += l.base; !run.ShareCell(of, fetch) {
					run.AddFetch(of, fetch)
				}
				f.source.Columns = append(f.source.Columns, l.table.Columns[c].Name)
				f.source.Qualifiers = append(f.source.Qualifiers, l.unique)
			}
		}
		for _, c := range t.within(l).rowTokens(run.Cells[f.cells:]) {
			run.AddCell(c)
		}
	}
	t.fetchMet(f)
	if len(f.leaves) == 1 {
		f.source.Qualifiers = nil
	}
	run.Tree.Leaves = append(run.Tree.Leaves, recipe.Leaf{From: from, To: len(run.Fetch)})
}

// nameAsWritten gives tables in a stored query the names that the client's statement
// has for them: those are the ones that LOCK TABLES may have locked. Two of one name stay
// apart.
func (f *fetched) nameAsWritten(n *ast.Select) {
	names := map[string]string{}
	taken := map[string]bool{}
	for _, l := range f.all() {
		if folded := strings.ToLower(l.alias); !taken[folded] {
			taken[folded], names[l.unique] = true, l.alias
		}
	}
	_ = ast.Walk(func(n ast.Node) (bool, error) {
		switch n := n.(type) {
		case *ast.AliasedTableExpr:
			if alias, ok := names[n.As.String()]; ok {
				n.As = ast.Name(alias)
			}
		case *ast.ColName:
			if alias, ok := names[n.Qualifier.Name.String()]; ok {
				n.Qualifier = ast.TableName{Name: ast.Name(alias)}
			}
		}
		return true, nil
	}, n)
}

// stored selects the columns of a leaf, NULL for those of others, and its number.
func (t *treeBuilder) stored(i int) *ast.Select {
	f, to := t.fetched[i], len(t.Run.Cells)
	if i+1 < len(t.fetched) {
		to = t.fetched[i+1].cells
	}
	n := &ast.Select{SelectExprs: &ast.SelectExprs{}}
	for at := range t.Run.Cells {
		var e ast.Expr = &ast.NullVal{}
		if at >= f.cells && at < to {
			e = t.fetchedColumn(f, t.Run.Cells[at])
		}
		n.SelectExprs.Exprs = append(n.SelectExprs.Exprs, &ast.AliasedExpr{Expr: e})
	}
	number := &ast.Literal{Type: ast.IntVal, Val: strconv.Itoa(i)}
	n.SelectExprs.Exprs = append(n.SelectExprs.Exprs, &ast.AliasedExpr{Expr: number})
	var where ast.Expr
	for _, l := range f.leaves {
		where = shape.And(where, l.chosenBy())
	}
	for i := range f.semijoins {
		where = shape.And(where, f.semijoins[i].condition())
	}
	n.Where = shape.Where(where)
	f.limited.of(n)
	t.limitApart(n)
	n.Lock = t.lockOf(i)
	n.From = ast.TableExprs{ast.Clone(f.entry())}
	return n
}

// fetchedColumn is how a column of a leaf is fetched.
func (t *treeBuilder) fetchedColumn(f *fetched, of recipe.Cell) ast.Expr {
	column := of.Column
	i := slices.IndexFunc(f.leaves, func(l *leaf) bool { return column >= l.base && column < l.base+len(l.table.Columns) })
	l := f.leaves[i]
	e := t.within(l).fetched(column - l.base)
	if of.Layer != 0 {
		e = t.within(l).tokenColumn(of)
	}
	if name, ok := e.(*ast.ColName); ok && len(t.fetched) > 1 && isPlainDate(&l.table.Columns[column-l.base]) {
		e = &ast.CastExpr{Expr: name, Type: &ast.ConvertType{Type: "binary"}}
	}
	if f.qualified() {
		shape.Qualify(e, l.unique)
	}
	return e
}

// isPlainDate reports whether a column holds dates as they are. Where a UNION has one in
// its rows beside NULLs, MySQL assigns it anew, and warns of a zero date that the session's
// sql_mode does not allow; of its text it has nothing to say.
func isPlainDate(c *catalog.Column) bool {
	return !c.Protected() && (c.Type.Kind == value.Date || c.Type.Kind == value.DateTime)
}

// chosenBy is what the server decides of the rows, with names of its own; nil for nothing.
func (l *leaf) chosenBy() ast.Expr {
	if l.where == nil {
		return nil
	}
	return ast.Clone(l.where)
}

// entry is the leaf in FROM.
func (l *leaf) entry() *ast.AliasedTableExpr {
	return &ast.AliasedTableExpr{
		Expr: ast.TableName{Qualifier: ast.Name(l.table.Schema), Name: ast.Name(l.table.Name)}, As: ast.Name(l.unique),
	}
}

// markUsed marks the columns of leaves that the tree reads.
func (t *treeBuilder) markUsed() {
	by := map[string]*leaf{}
	for _, f := range t.fetched {
		for _, l := range f.leaves {
			by[l.unique] = l
		}
	}
	_ = ast.Walk(func(n ast.Node) (bool, error) {
		if name, ok := n.(*ast.ColName); ok {
			if l := by[name.Qualifier.Name.String()]; l != nil {
				if c := l.table.Column(name.Name.String()); c >= 0 {
					l.used[c] = true
				}
			}
		}
		return true, nil
	}, t.Run.Tree.Expressions()...)
}

// audit holds the query that the rows are fetched by to what the rules are to keep.
func (f *fetched) audit(one ast.Statement) *ending {
	if !f.qualified() {
		return refused(check.Statement(one, f.leaves[0].table))
	}
	all := f.all()
	tables := make([]check.Named, len(all))
	for i, l := range all {
		tables[i] = check.Named{Table: l.table, Name: l.unique}
	}
	return refused(check.Joined(one, tables))
}
