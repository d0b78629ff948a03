package build

import (
	"fmt"
	"slices"

	"tunic/internal/catalog"
	"tunic/internal/guard"
	"tunic/internal/plan/check"
	"tunic/internal/plan/columns"
	"tunic/internal/plan/functions"
	"tunic/internal/plan/shape"
	"tunic/internal/plan/twin"
	"tunic/internal/plan/views"
	"tunic/internal/recipe"
	"tunic/internal/resolve"
	"tunic/internal/sql"
	"tunic/internal/sql/ast"
)

// Builder makes the Run of one statement. It leaves the tree as it is. Who makes one says of what: Catalog, Schema,
// Modes and Tree, and what of the others is not to be empty.
type Builder struct {
	Catalog *catalog.Catalog
	Schema  string
	Modes   sql.Modes
	Tree    *sql.Tree
	rule    string // the name of the one that has planned it
	// Asked is the tree as the client has written it, which the server describes.
	Asked *sql.Tree
	// misnamed says that a column is set that is none.
	misnamed bool
	scope    *columns.Of           // of the table
	table    *ast.AliasedTableExpr // as the statement names it
	Run      *recipe.Run           // what is made
	// rest is what the server does not decide of the WHERE.
	rest ast.Expr
	// withoutTokens says that no token is compared; secret, that the server gets no user
	// variable's value as it is; Into, that all columns of the rows are computed here.
	withoutTokens, secret, Into bool
	// namedOnce says that a stored statement names no table twice.
	namedOnce bool
	// joinsWhole says that the server joins tables and nothing that it decides chooses their rows; apart, that it does not join such
	// tables.
	joinsWhole, apart bool
	// unsought says that nobody compares what is opened with the tokens that rows are found by: they are read to be inserted.
	unsought bool
	// told are what the session says of itself that parameters stand for, as the client has
	// written it.
	told []ast.Expr
	// base is the number of the table's first column among those of all leaves.
	base  int
	Plain []*catalog.Table // tables beside protected ones
	// laws are what the table's definition holds rows to, nil for nothing; of an UPDATE,
	// following are the generated columns that follow, and judged says that rows have to be
	// looked at before they are written.
	laws      *guard.Set
	following []int
	judged    bool
	// reached are tables that foreign keys lead to from the one that is written, where it is
	// known that their rows follow.
	reached []*catalog.Table
	drawn   sequences
	// rowGiven is what a row of an INSERT has for protected columns, in its order.
	rowGiven []recipe.Member
	// given are the columns that the statement itself gives values to.
	given     []int
	valueless bool // an INSERT has rows without values, of defaults alone
	// block is what names can mean in a query of several tables; nil in one of one.
	block *scope
	// written is the statement as the client has written it, of one that names views;
	// views are those, found those in their queries as well.
	written      ast.Statement
	views, found []*catalog.Table
	Kept         bool // it is the query of a view of tunic's
	// Lacks notes what has to be found out first; nil where nobody asks.
	Lacks *Lacking
	// asks are Run.Asks, of a statement that writes through a view.
	asks []string
}

// Build makes the Run of a statement over a protected table, or says why there is
// none: a *resolve.Beyond, or an error of package sql. schema is the session's
// default, plain are tables that are known to be there and not protected.
func Build(tree *sql.Tree, c *catalog.Catalog, schema string, m sql.Modes, plain ...*catalog.Table) (*recipe.Run, error) {
	b := &Builder{Catalog: c, Schema: schema, Modes: m, Tree: tree, Plain: plain}
	return b.Start()
}

// Start makes the Run, or one that only fails.
func (b *Builder) Start() (*recipe.Run, error) {
	run, end := b.begin()
	if end == nil {
		run.NoteActions(b.Catalog)
	}
	return run, end.told()
}

// expand is the statement with the queries of views in it.
func (b *Builder) expand(x *views.Expander) (ast.Statement, *ending) {
	root, end := refusing(x.Expand(b.Tree.Root()))
	if end == nil && x.Outdated {
		end = b.outdated(x.Named)
	}
	return root, end
}

// begin is start, of any catalog.
func (b *Builder) begin() (*recipe.Run, *ending) {
	x := views.Expander{Catalog: b.Catalog, Schema: b.Schema, Modes: b.Modes}
	root, end := b.expand(&x)
	if end != nil {
		return nil, end
	}
	b.Asked, b.views, b.found = b.Tree, x.Named, x.Found
	if len(x.Named) > 0 {
		b.written = b.Asked.Root()
	}
	b.Tree = withoutRows(b.Tree.WithRoot(root))
	tree := b.Tree
	b.Run = &recipe.Run{Kind: tree.Kind(), Variables: b.Asked.Variables(), InUTF8: x.InUTF8}
	tree = tree.WithRoot(b.tellSession(tree.Root()))
	b.Tree = tree
	if end := b.writesTo(&x); end != nil {
		return nil, end
	}
	if b.ruleOf(tree.Root()).alone {
		if end := b.oneTable(); end != nil {
			return nil, end
		}
	}
	if shape.Hinted(tree.Root()) {
		return nil, beyond("an optimizer hint")
	}
	switch end = b.build(tree.Root()); {
	case end.isWrong() && len(b.asks) > 0:
		return nil, beyond("a statement that writes to a view in this form")
	case end.isWrong() || end == nil && shape.LimitsByVariable(tree.Root()):
		return b.wrong()
	case end != nil && end.fails != nil:
		return b.fails(end)
	case end != nil:
		return nil, end
	}
	b.fallBack()
	b.withoutVariables()
	b.nameOnce()
	b.fetchApart()
	b.findMissing()
	b.Run.AskFirst(b.asks)
	b.Run.FindTables()
	b.Run.FindUsed()
	b.Run.AddTables(b.reached)
	b.overViews(b.Run)
	return b.Run, nil
}

// buildRule plans the statements that it is for.
type buildRule struct {
	name string
	is   func(*Builder, ast.Statement) bool
	// alone says that the statement may name one table only.
	alone bool
	build func(*Builder, ast.Statement) *ending
}

// buildRules are all of them, in their order: the first that is for a statement plans it.
func buildRules() []buildRule {
	return []buildRule{
		{"tree", (*Builder).inTree, false, (*Builder).treeQuery},
		{"several-tables", (*Builder).changesSeveral, false, (*Builder).several},
		{"insert-query", insertsQuery, false, func(b *Builder, root ast.Statement) *ending {
			n, _ := root.(*ast.Insert) // it is one
			return b.insertQuery(n, shape.InsertedQuery(n))
		}},
		{"insert", isOf[*ast.Insert], true, buildOf((*Builder).insert)},
		{"select", isOf[*ast.Select], true, buildOf((*Builder).query)},
		{"write-by-query", func(_ *Builder, root ast.Statement) bool { return shape.WritesByQuery(root) }, false, func(b *Builder, root ast.Statement) *ending {
			if n, ok := root.(*ast.Delete); ok {
				return b.remove(n)
			}
			return buildOf((*Builder).update)(b, root)
		}},
		{"update", isOf[*ast.Update], true, buildOf((*Builder).update)},
		{"delete", isOf[*ast.Delete], true, buildOf((*Builder).remove)},
		{"other", isOf[ast.Statement], true, func(b *Builder, _ ast.Statement) *ending { return beyond(b.Tree.Kind().String()) }},
	}
}

// isOf reports whether a statement is of a type.
func isOf[S ast.Statement](_ *Builder, root ast.Statement) bool {
	_, ok := root.(S)
	return ok
}

// buildOf is a rule's build of what plans statements of one type.
func buildOf[S ast.Statement](build func(*Builder, S) *ending) func(*Builder, ast.Statement) *ending {
	return func(b *Builder, root ast.Statement) *ending {
		n, _ := root.(S) // it is one
		return build(b, n)
	}
}

func insertsQuery(_ *Builder, root ast.Statement) bool { return shape.InsertedQuery(root) != nil }

// ruleOf is the rule that plans a statement.
func (b *Builder) ruleOf(root ast.Statement) buildRule {
	all := buildRules()
	return all[slices.IndexFunc(all, func(r buildRule) bool { return r.is(b, root) })]
}

func (b *Builder) build(root ast.Statement) *ending {
	r := b.ruleOf(root)
	b.rule = r.name
	return r.build(b, root)
}

// fallBack plans the statement once more without a comparison of tokens, if it has
// any: a value may turn out to be none of its column's. So it does where dates or moments may
// turn out to be others in groups.
func (b *Builder) fallBack() {
	compares := func(r *recipe.Run) bool {
		return r != nil && slices.ContainsFunc(r.Slots, func(s recipe.Slot) bool { return s.Form == recipe.Token && s.Use != recipe.Assign })
	}
	q, ok := b.Run.Does.(*recipe.Query)
	putsTogether := ok && (q.HiddenDates || q.Moments)
	if !compares(b.Run) && !compares(b.Run.From()) && !putsTogether {
		return
	}
	withoutTokens := *b
	withoutTokens.withoutTokens, withoutTokens.Run, withoutTokens.scope = true, b.fresh(), nil
	if withoutTokens.build(b.Tree.Root()) == nil {
		b.Run.Alternatives[recipe.NoToken] = withoutTokens.Run
	}
}

// wrong is the run of a statement that cannot be right: nothing of it is sent, and
// the server, asked to describe it over the twin, says why.
func (b *Builder) wrong() (run *recipe.Run, end *ending) {
	b.Run = &recipe.Run{Kind: b.Run.Kind, Table: b.Run.Table, Variables: b.Run.Variables, Told: b.Run.Told}
	switch root := b.Asked.Root(); {
	case b.changesSeveral(root):
		b.Run.Answer.Describe, end = b.describedChange(root)
	case shape.InsertedQuery(root) != nil:
		b.Run.Answer.Describe, end = b.describedInsert(root)
	case b.written != nil:
		b.Run.Table = b.firstOf(b.Tree.Root())
		b.Run.Answer.Describe, end = b.describedTree(root)
	case b.inTree(root):
		b.Run.Answer.Describe, end = b.describedTree(root)
	case shape.WritesByQuery(root):
		b.Run.Answer.Describe, end = b.describedTree(b.overTwin())
	default:
		b.Run.Answer.Describe, end = b.described()
	}
	b.Run.FindTables()
	b.overViews(b.Run)
	return b.Run, end
}

// described is the statement over the twin, if nothing would be told by it.
func (b *Builder) described() (*sql.Printed, *ending) {
	if b.written != nil {
		return b.describedTree(b.written)
	}
	root := b.overTwin()
	if end := refused(twin.Silent(root)); end != nil {
		return nil, end
	}
	twin.Mute(root, b.Modes)
	b.Run.Answer.Acts = functions.Acts(root, b.Modes)
	return b.print(root)
}

// overTwin is the statement as it was read, over the table's twin. A DELETE is
// described as the query of the rows that it finds: not every server lets it give its
// table another name.
func (b *Builder) overTwin() ast.Statement {
	root := ast.Clone(b.Asked.Root())
	twin.LeaveSchemas(root, func(schema string) bool { return b.Catalog.SameName(schema, b.scope.Table.Schema) })
	switch n := root.(type) {
	case *ast.Insert:
		n.Table = b.twin()
		n.Table.As = ast.Name("")
	case *ast.Select:
		n.From, n.Lock = ast.TableExprs{b.twin()}, ast.NoLock
	case *ast.Update:
		n.TableExprs = ast.TableExprs{b.twin()}
	case *ast.Delete:
		return &ast.Select{
			SelectExprs: &ast.SelectExprs{Exprs: []ast.SelectExpr{&ast.StarExpr{}}}, From: ast.TableExprs{b.twin()},
			Where: n.Where, OrderBy: n.OrderBy, Limit: n.Limit,
		}
	}
	return root
}

// oneTable refuses statements that name any other table than the one they are
// about: whether it is protected or not, rows of two tables meet.
func (b *Builder) oneTable() *ending {
	if n := len(resolve.Tables(b.Tree.Root())); n != 1 {
		return beyond("more than one table")
	}
	return nil
}

// over sets the scope of the statement.
func (b *Builder) over(tables ...ast.TableExpr) (end *ending) {
	scope, end := refusing(resolve.One(tables, b.Catalog, b.Schema))
	if end != nil {
		return end
	}
	b.scope = &columns.Of{Scope: scope}
	b.table, _ = tables[0].(*ast.AliasedTableExpr) // One has seen that it is
	b.Run.Table = b.scope.Table
	return nil
}

// twin is the table's twin under the name that the statement has for the table.
func (b *Builder) twin() *ast.AliasedTableExpr {
	alias := b.table.As
	if alias.IsEmpty() {
		alias = ast.Name(b.scope.Table.Name)
	}
	return &ast.AliasedTableExpr{
		Expr: ast.TableName{Qualifier: ast.Name(catalog.Schema), Name: ast.Name(b.scope.Table.Twin)},
		As:   alias,
	}
}

// store prints a stored statement, if it may be sent, with the table's fence in it.
func (b *Builder) store(root ast.Statement) (*sql.Printed, *ending) {
	if end := refused(check.Statement(root, b.scope.Table)); end != nil {
		return nil, end
	}
	if end := refused(check.Bare(root, b.scope.Table, b.Run.Slots, b.base)); end != nil {
		return nil, end
	}
	return b.print(b.fenced(b.guarded(root)))
}

// print prints a statement as it is now, without the client's comments.
func (b *Builder) print(root ast.Statement) (*sql.Printed, *ending) {
	*shape.Comments(root) = nil
	root = b.asWritten(root)
	b.Run.NoteLayers(root)
	p, err := sql.NewTree(root, nil).Print(b.Modes)
	if err != nil {
		return nil, refused(fmt.Errorf("stored statement: %w", err))
	}
	return p, nil
}

// slot adds a slot and returns the bind variable that stands for it. of is the
// bind variable whose value it takes, nil for none.
func (b *Builder) slot(s recipe.Slot, of *ast.Argument) *ast.Argument {
	return addSlot(b.Run, b.base, s, of)
}

// addSlot adds a slot to a run; base is the number of the table's first column.
func addSlot(run *recipe.Run, base int, s recipe.Slot, of *ast.Argument) *ast.Argument {
	s.Column += base
	for i := range s.Members {
		s.Members[i].Column += base
	}
	run.Slots = append(run.Slots, s)
	return sql.Slot(len(run.Slots)-1, of)
}
