package build

import (
	"slices"

	"tunic/internal/plan/shape"
	"tunic/internal/sql"
	"tunic/internal/sql/ast"
)

// Every stored statement names the fence of its table (catalog.Table.Fence), so that the
// server refuses it with error 1054 once the table has got another stored form. It costs
// the server to look a name up: nothing is read, compared or stored.
//
//	INSERT INTO t (…, `tunic$…`) VALUES (…, DEFAULT)
//	UPDATE t SET …, `tunic$…` = DEFAULT
//	SELECT … WHERE … AND (TRUE OR `tunic$…`)
//
// An UPDATE has it among what it sets, because not everybody who may write a column may
// read it. A DELETE without WHERE has it as well: which rows ORDER BY and LIMIT leave is of one
// form, and so is whether rows of other tables follow by a foreign key. What reads names it in
// the way that fence_read.go tells.

// fenced is a stored statement over the table of the scope with the fence in it.
func (b *Builder) fenced(root ast.Statement) ast.Statement {
	fence := b.scope.Table.Fence()
	if fence == "" && !namesMembers(b.scope.Table) {
		return root
	}
	switch n := root.(type) {
	case *ast.Select:
		out := *n
		b.fenceRead(&out, []fencedTable{{table: b.scope.Table, members: b.membersRead(n)}})
		return &out
	case *ast.Update:
		out := *n
		out.Exprs = slices.Concat(setToDefault(b.membersWritten()), n.Exprs, setToDefault(b.fenceNamed()))
		out.Where = b.tokensNamed(n.Where)
		return &out
	case *ast.Delete:
		out := *n
		if fence == "" {
			out.Where = b.tokensNamed(n.Where)
			return &out
		}
		out.Where = fencedWhere(n.Where, b.fenceTerm(fence))
		return &out
	case *ast.Insert:
		return b.fencedInsert(n)
	}
	return root
}

// fenceNamed is the fence among columns that are written.
func (b *Builder) fenceNamed() ast.Columns {
	if fence := b.scope.Table.Fence(); fence != "" {
		return ast.Columns{ast.Identifier(fence)}
	}
	return nil
}

// fencedWhere is a condition with a fence in it.
func fencedWhere(where *ast.Where, fence ast.Expr) *ast.Where {
	return alsoWhere(where, &ast.OrExpr{Left: ast.BoolVal(true), Right: fence})
}

// alsoWhere is a condition that asks for another one as well.
func alsoWhere(where *ast.Where, e ast.Expr) *ast.Where {
	var condition ast.Expr
	if where != nil {
		condition = where.Expr
	}
	return shape.Where(shape.And(condition, e))
}

// fencedInsert has the fence among the columns, but where rows come from elsewhere:
// before those is Added.Probe.
func (b *Builder) fencedInsert(n *ast.Insert) ast.Statement {
	rows, ok := n.Rows.(ast.Values)
	if !ok || b.addsRows() {
		return n
	}
	members, fence := b.membersWritten(), b.fenceNamed()
	out := *n
	out.Columns = slices.Concat(members, n.Columns, fence)
	fenced := make(ast.Values, len(rows))
	for i, row := range rows {
		fenced[i] = slices.Concat(defaults(len(members)), row, defaults(len(fence)))
	}
	out.Rows = fenced
	if a := n.RowAlias; a != nil && len(a.Columns) > 0 { // it names all columns
		named := *a
		named.Columns = slices.Concat(members, a.Columns, fence)
		out.RowAlias = &named
	}
	return &out
}

// defaults are the values of columns that are only named.
func defaults(n int) (row ast.ValTuple) {
	for range n {
		row = append(row, &ast.Default{})
	}
	return row
}

// addsRows reports whether the rows of an INSERT come from elsewhere than its text.
func (b *Builder) addsRows() bool { return b.Run.Added() != nil }

// storeInsert makes the stored statement of an INSERT, and Added.Probe.
func (b *Builder) storeInsert(n *ast.Insert) (end *ending) {
	if b.Run.Remote, end = b.store(n); end != nil {
		return end
	}
	probed := append(b.fenceNamed(), b.membersWritten()...)
	if len(probed) == 0 && b.scope.Table.UnnamedFence() != "" && len(n.Columns) > 0 {
		probed = n.Columns[:1]
	}
	added := b.Run.Added()
	if len(probed) == 0 || added == nil {
		return nil
	}
	one := &ast.Insert{Table: n.Table, Columns: probed, Rows: ast.Values{defaults(len(probed))}}
	added.Probe, end = refusing(sql.NewTree(one, nil).Print(b.Modes))
	return end
}
