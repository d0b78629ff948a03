package build

import (
	"slices"
	"strings"

	"tunic/internal/catalog"
	"tunic/internal/plan/shape"
	"tunic/internal/recipe"
	"tunic/internal/sql"
	"tunic/internal/sql/ast"
)

// Who has privileges on single columns of a table has them on the forms of their families as well, which have the values
// of all members. What tells them apart are the columns without a value that the stored table has under the members'
// names. Such a client may not name the fence of a table with families (plan.Grant). So where no fence is named, a stored
// statement names each member that the client's statement reads or writes by the form of its family, and the server
// denies it, in the words of a plain one, what the account may not use:
//
//	SELECT `row$form` FROM t WHERE … AND COALESCE(TRUE, `name`)
//	INSERT INTO t (`name`, `name$eq`, `row$form`) VALUES (DEFAULT, …)
//	UPDATE t SET `name` = DEFAULT, `row$form` = …
//
// A member that tunic itself reads, because it writes the form whole, is not named.

// namesMembers reports whether stored statements over a table name the members of its families.
func namesMembers(t *catalog.Table) bool { return t.UnnamedFence() != "" && len(t.Families) > 0 }

// writes notes the columns that the statement itself gives values to.
func (b *Builder) writes(set []recipe.Assignment) {
	b.given = nil
	for _, a := range set {
		b.given = append(b.given, a.Column)
	}
}

// membersWritten are the members among the columns that the statement itself gives values to.
func (b *Builder) membersWritten() (names ast.Columns) {
	if !namesMembers(b.scope.Table) {
		return nil
	}
	for n, i := range b.given {
		if c := b.scope.At(i); c.Family != "" && !slices.Contains(b.given[:n], i) {
			names = append(names, ast.Identifier(c.Name))
		}
	}
	return names
}

// setToDefault are assignments that only name columns.
func setToDefault(names ast.Columns) (all ast.UpdateExprs) {
	for _, name := range names {
		all = append(all, &ast.UpdateExpr{Name: shape.Column(name.String()), Expr: &ast.Default{}})
	}
	return all
}

// membersRead are the members that a stored query of one table reads for the client's statement: those that are fetched, and those of
// tokens. Of a form that is selected by itself they are all.
func (b *Builder) membersRead(n *ast.Select) []int {
	t := b.scope.Table
	if !namesMembers(t) {
		return nil
	}
	fetched := map[int]bool{}
	for _, f := range b.Run.Fetch {
		fetched[f.Column-b.base] = true
	}
	switch b.Run.Kind {
	case sql.Insert, sql.Replace, sql.Update, sql.Delete: // a row that is written
		return b.membersAsked(t, fetched)
	}
	for i := range t.Families {
		f := &t.Families[i]
		members := t.Members(f)
		if selects(n, f.Stored) && !slices.ContainsFunc(members, func(i int) bool { return fetched[i] }) {
			for _, i := range members {
				fetched[i] = true
			}
		}
	}
	for _, i := range membersOfTokens(t, n) {
		fetched[i] = true
	}
	return membersIn(t, fetched)
}

// membersOfTokens are the members whose tokens a part of a statement reads. The privileges on those may be of another column that had
// the name.
func membersOfTokens(t *catalog.Table, n ast.Node) []int {
	return slices.DeleteFunc(membersIn(t, nil), func(i int) bool {
		return !slices.ContainsFunc(t.Columns[i].Layers, func(l catalog.Layer) bool { return selects(n, l.Stored) })
	})
}

// tokensNamed is the condition of what is written, with the members named whose tokens it reads.
func (b *Builder) tokensNamed(where *ast.Where) *ast.Where {
	t := b.scope.Table
	if where == nil || !namesMembers(t) {
		return where
	}
	for _, i := range membersOfTokens(t, where) {
		where = alsoNamed(where, shape.Column(t.Columns[i].Name))
	}
	return where
}

// selects reports whether a query names a stored column.
func selects(n ast.Node, stored string) (found bool) {
	_ = ast.Walk(func(n ast.Node) (bool, error) {
		if name, ok := n.(*ast.ColName); ok {
			found = found || name.Name.EqualString(stored)
		}
		return !found, nil
	}, n)
	return found
}

// members are those that a leaf reads for the client's statement.
func (t *treeBuilder) members(l *leaf) []int {
	switch {
	case !namesMembers(l.table):
		return nil
	case t.writes[l]:
		return t.membersAsked(l.table, l.used)
	}
	return membersIn(l.table, l.used)
}

// membersIn are the members of families among columns, nil for all columns.
func membersIn(t *catalog.Table, columns map[int]bool) (all []int) {
	for i := range t.Columns {
		if t.Columns[i].Family != "" && (columns == nil || columns[i]) {
			all = append(all, i)
		}
	}
	return all
}

// membersAsked are those of the columns read of a row that is written whose names the client's statement has. What it sets is
// among them: whether the row changes tells of what is there.
func (b *Builder) membersAsked(t *catalog.Table, read map[int]bool) []int {
	asked := asked{names: map[string]bool{}}
	asked.of(b.Tree.Root())
	if b.Asked != nil {
		asked.of(b.Asked.Root())
	}
	if list := b.Tree.Returning(); list != nil {
		asked.of(list)
		asked.all = asked.all || slices.ContainsFunc(list.Exprs, func(e ast.SelectExpr) bool { _, star := e.(*ast.StarExpr); return star })
	}
	all := membersIn(t, read)
	if asked.all {
		return all
	}
	return slices.DeleteFunc(all, func(i int) bool { return !asked.names[strings.ToLower(t.Columns[i].Name)] })
}

// asked are the names of columns that a statement reads by them; all says that it may read others.
type asked struct {
	names map[string]bool
	all   bool
}

func (a *asked) of(root ast.Node) {
	_ = ast.Walk(func(n ast.Node) (bool, error) {
		switch n := n.(type) {
		case *ast.ColName:
			a.names[n.Name.Lowered()] = true
		case *ast.Default:
			a.names[strings.ToLower(n.ColName)] = true
		case *ast.JoinTableExpr:
			a.all = a.all || n.Join == ast.NaturalJoinType || n.Join == ast.NaturalLeftJoinType || n.Join == ast.NaturalRightJoinType
			if n.Condition != nil {
				for _, name := range n.Condition.Using {
					a.names[strings.ToLower(name.String())] = true
				}
			}
		}
		return true, nil
	}, root)
}

// alsoNamed is a condition that names a column as well. MySQL takes TRUE OR x for TRUE when it prepares a statement, and asks
// about x's privileges at no execution; of a function's arguments it does.
func alsoNamed(where *ast.Where, name ast.Expr) *ast.Where {
	return alsoWhere(where, call("coalesce", ast.BoolVal(true), name))
}

// nameMembers has members named in a query.
func (t *fencedTable) nameMembers(n *ast.Select) {
	for _, i := range t.members {
		name := shape.Column(t.table.Columns[i].Name)
		if t.unique != "" {
			shape.Qualify(name, t.unique)
		}
		n.Where = alsoNamed(n.Where, name)
	}
}
