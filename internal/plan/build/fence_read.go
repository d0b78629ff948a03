package build

import (
	"slices"

	"tunic/internal/catalog"
	"tunic/internal/plan/shape"
	"tunic/internal/sql"
	"tunic/internal/sql/ast"
)

// A query that some key has all the columns of is answered from the key alone, and a fence
// among its columns would make the server read every row for it: a count over a token that
// 5,000 rows have takes ten times as long. So a query names a fence in the way in which the
// server looks the name up and reads no column.
//
//	MariaDB   … WHERE … AND (TRUE OR DEFAULT(`tunic$…`))
//	MySQL     … FROM (SELECT `k$eq`, `tunic$…` FROM t) AS t WHERE …
//
// MariaDB fetches nothing for a DEFAULT(). MySQL does, and has no default of a virtual
// column; but it merges such a derived table into the query, and reads of it what the query
// names. That costs it some microseconds, locks of rows do not reach into it, and MIN and MAX
// may be of another type, so that it is done where a key has all columns, rows are not locked,
// and none of those is retyped.

// fencedTable is a table of a query, and the name that its columns have there; "" where
// they have none.
type fencedTable struct {
	table   *catalog.Table
	unique  string
	members []int // of families, that are named where the fence is not
}

// fence has the fences of a leaf's tables in its stored query.
func (t *treeBuilder) fence(n *ast.Select, f *fetched) {
	tables := make([]fencedTable, len(f.leaves))
	for i, l := range f.leaves {
		tables[i].table, tables[i].members = l.table, t.members(l)
		if f.qualified() {
			tables[i].unique = l.unique
		}
	}
	t.fenceRead(n, tables)
}

// fenceRead has the fences of its tables in a query.
func (b *Builder) fenceRead(n *ast.Select, tables []fencedTable) {
	var derived []func()
	for i := range tables {
		t := &tables[i]
		t.nameMembers(n)
		fence := t.table.Fence()
		if fence == "" {
			continue
		}
		// A DEFAULT() has no place for which of two of one name.
		twice := slices.ContainsFunc(tables[:i], t.same) || slices.ContainsFunc(tables[i+1:], t.same)
		if b.Modes&sql.MariaDB != 0 && !twice {
			n.Where = fencedWhere(n.Where, b.fenceTerm(fence))
			continue
		}
		if read, ok := t.named(n); ok && n.Lock == ast.NoLock && coveredBy(t.table, read) && !retypes(t.table, n) {
			derived = append(derived, func() { t.derive(n, append(read, fence)) })
			continue
		}
		name := shape.Column(fence)
		if t.unique != "" {
			shape.Qualify(name, t.unique)
		}
		n.Where = fencedWhere(n.Where, name)
	}
	for _, derive := range derived {
		derive()
	}
}

func (t *fencedTable) same(u fencedTable) bool { return t.table.Fence() == u.table.Fence() }

// fenceTerm is what names a fence in a condition of a statement over one table of its kind.
func (b *Builder) fenceTerm(fence string) ast.Expr {
	if b.Modes&sql.MariaDB != 0 {
		return &ast.Default{ColName: fence}
	}
	return shape.Column(fence)
}

// named are the stored columns of the table that a query names; false if there are names
// of which that is not known, or a DEFAULT(), which is of a column of a table, and not of a query's.
func (t *fencedTable) named(n *ast.Select) (all []string, ok bool) {
	ok = true
	_ = ast.Walk(func(n ast.Node) (bool, error) {
		if d, is := n.(*ast.Default); is {
			ok = ok && d.ColName == ""
		}
		name, is := n.(*ast.ColName)
		if !is {
			return true, nil
		}
		switch of := name.Qualifier.Name.String(); {
		case (of == "") != (t.unique == ""):
			ok = false
		case of == t.unique && !slices.Contains(all, name.Name.String()):
			all = append(all, name.Name.String())
		}
		return true, nil
	}, n)
	return all, ok
}

// derive has a derived table of some of its columns stand for the table.
func (t *fencedTable) derive(n *ast.Select, names []string) {
	from := make([]ast.Node, len(n.From))
	for i := range n.From {
		from[i] = n.From[i]
	}
	_ = ast.Walk(func(node ast.Node) (bool, error) {
		entry, ok := node.(*ast.AliasedTableExpr)
		if !ok {
			return true, nil
		}
		table, ok := entry.Expr.(ast.TableName)
		if !ok || table.Name.String() != t.table.Name || t.unique != "" && entry.As.String() != t.unique {
			return true, nil
		}
		inner := *entry
		columns := &ast.SelectExprs{}
		for _, name := range names {
			columns.Exprs = append(columns.Exprs, &ast.AliasedExpr{Expr: shape.Column(name)})
		}
		if entry.As.IsEmpty() {
			entry.As = table.Name
		}
		entry.Expr = &ast.DerivedTable{Select: &ast.Select{SelectExprs: columns, From: ast.TableExprs{&inner}}}
		entry.Hints, entry.Partitions = nil, nil
		return false, nil
	}, from...)
}
