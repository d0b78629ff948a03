package plan

import (
	"slices"
	"strings"

	"tunic/internal/resolve"
	"tunic/internal/sql"
	"tunic/internal/sql/ast"
	"tunic/internal/sqlerr"
)

// guard notes of which tables that statements to be forwarded name they name a column that must not
// be plain, or may give it a value without naming it. Whoever owns the server can put a plain
// table without such a column in the place of a protected one: what there is at the server says
// nothing of what a statement has to say to it.
//
// A column that a statement gives a value without its name is noted only for a table that a rule
// names in full. A pattern of tables may well be meant for others.
func (k *knowledge) guard(p *Plan, read []sql.Statement) {
	f, ok := p.Action.(*Forward)
	if !ok || k.policy == nil {
		k.guardWritten(p, read)
		return
	}
	for _, name := range p.Names {
		if !k.policy.Guards(name.Schema, name.Table) {
			continue
		}
		k.inTurn(read, func(in *knowledge, s *sql.Statement) {
			if !slices.Contains(f.Guarded, name) && in.saysTo(s, name) {
				f.Guarded = append(f.Guarded, name)
			}
		})
	}
}

// guardWritten refuses an INSERT of the rows of a query into a plain table if they may give such a column a value by its place.
// Of such a column by its name nothing is sent, since the table is known to have none.
func (k *knowledge) guardWritten(p *Plan, read []sql.Statement) {
	run := p.Run()
	if run == nil || k.policy == nil || len(read) != 1 || read[0].Kind != sql.Insert && read[0].Kind != sql.Replace {
		return
	}
	tree, err := read[0].Tree()
	if err != nil {
		return // what has no tree is not executed
	}
	n, ok := tree.Root().(*ast.Insert)
	for _, o := range run.Tables {
		t := told{knowledge: k, name: resolve.Name{Schema: o.Schema, Table: o.Name}, whole: k.policy.GuardsByName(o.Schema, o.Name)}
		if ok && o.Plain() && t.whole && t.insertsInto(n) {
			p.refuse(sqlerr.StatementPlain(o.Name))
			return
		}
	}
}

// saysTo reports whether a statement names a column of a table that must not be plain, or may
// give one a value by its place.
func (k *knowledge) saysTo(s *sql.Statement, name resolve.Name) bool {
	if load, ok := s.FileLoad(); ok {
		return k.loadsInto(&load, name)
	}
	if e, ok := s.Explained(); ok {
		s = &e.Of
	}
	if within, ok := s.Inside(); ok {
		s = &within
	}
	tree, err := s.Tree()
	if err != nil {
		return false // its Wording says what it may say
	}
	t := told{knowledge: k, name: name, whole: k.policy.GuardsByName(name.Schema, name.Table)}
	roots := rootsOf(tree)
	t.prepare(roots)
	_ = ast.Walk(t.visit, roots...)
	return t.found
}

// loadsInto is saysTo for LOAD DATA.
func (k *knowledge) loadsInto(load *sql.FileLoad, name resolve.Name) bool {
	if !k.isTable(load.Table.Schema, load.Table.Name, name) {
		return false
	}
	for _, f := range load.Fields {
		if !f.Variable && k.policy.Guarded(name.Schema, name.Table, f.Name) {
			return true
		}
	}
	for _, set := range load.Set {
		if k.policy.Guarded(name.Schema, name.Table, set.Name.Name.String()) {
			return true
		}
	}
	return load.Fields == nil && k.policy.GuardsByName(name.Schema, name.Table)
}

// isTable reports whether a statement means a table by a name.
func (k *knowledge) isTable(schema, table string, name resolve.Name) bool {
	if schema == "" {
		schema = k.schema
	}
	return strings.EqualFold(schema, name.Schema) && strings.EqualFold(table, name.Table)
}

// told looks in a statement for what it says to the columns of a table.
type told struct {
	*knowledge
	name resolve.Name
	// whole says that a rule has the table's whole name.
	whole bool
	// aliases are what the table is called in the statement, in lower case. natural says that a
	// natural join finds columns by the names that others are given.
	aliases map[string]bool
	natural bool
	// shown are lists of columns that are compared with nothing: what a client gets, and what
	// EXISTS does not look at.
	shown map[*ast.SelectExprs]bool
	found bool
}

// prepare finds out what the table is called.
func (t *told) prepare(roots []ast.Node) {
	t.aliases, t.shown = map[string]bool{}, map[*ast.SelectExprs]bool{}
	t.show(roots[0])
	if insert, ok := roots[0].(*ast.Insert); ok {
		t.show(insert.Rows)
	}
	_ = ast.Walk(func(n ast.Node) (bool, error) {
		switch n := n.(type) {
		case *ast.AliasedTableExpr:
			if table, ok := n.Expr.(ast.TableName); ok && t.isTable(table.Qualifier.String(), table.Name.String(), t.name) {
				t.aliases[strings.ToLower(table.Name.String())] = true
				t.aliases[strings.ToLower(n.As.String())] = true
			}
		case *ast.JoinTableExpr:
			t.natural = t.natural || n.Join == ast.NaturalJoinType || n.Join == ast.NaturalLeftJoinType || n.Join == ast.NaturalRightJoinType
		case *ast.ExistsExpr:
			t.show(n.Subquery.Select)
		}
		return true, nil
	}, roots...)
}

// show notes the columns of a query that is a SELECT.
func (t *told) show(query ast.Node) {
	if s, ok := query.(*ast.Select); ok {
		t.shown[s.SelectExprs] = true
	}
}

func (t *told) visit(n ast.Node) (into bool, err error) {
	switch n := n.(type) {
	case *ast.ColName:
		t.note((n.Qualifier.IsEmpty() || t.isCalled(n.Qualifier)) && t.guarded(n.Name))
	case *ast.Insert:
		t.note(t.insertsInto(n))
	case *ast.JoinTableExpr:
		t.note(n.Condition != nil && slices.ContainsFunc(n.Condition.Using, t.guarded))
	case *ast.AliasedExpr:
		t.note(t.natural && t.guarded(n.As))
	case *ast.AliasedTableExpr:
		t.note(t.natural && slices.ContainsFunc(n.Columns, t.guarded))
	case *ast.CommonTableExpr:
		t.note(t.natural && slices.ContainsFunc(n.Columns, t.guarded))
	case *ast.SelectExprs:
		t.note(t.whole && !t.shown[n] && slices.ContainsFunc(n.Exprs, t.isAll))
	}
	return !t.found, nil
}

func (t *told) note(found bool) { t.found = t.found || found }

func (t *told) guarded(column ast.IdentifierCI) bool {
	return t.policy.Guarded(t.name.Schema, t.name.Table, column.String())
}

// isCalled reports whether the table is what a column or * is of.
func (t *told) isCalled(table ast.TableName) bool {
	return t.aliases[strings.ToLower(table.Name.String())]
}

// isAll reports whether all columns of the table are in a list that has this in it. In a list
// that others name the columns of, or compare, they need no name.
func (t *told) isAll(listed ast.SelectExpr) bool {
	star, ok := listed.(*ast.StarExpr)
	return ok && (star.TableName.IsEmpty() || t.isCalled(star.TableName))
}

// insertsInto reports whether an INSERT or REPLACE gives the table values of such a column.
func (t *told) insertsInto(n *ast.Insert) bool {
	table, ok := n.Table.Expr.(ast.TableName)
	if !ok || !t.isTable(table.Qualifier.String(), table.Name.String(), t.name) {
		return false
	}
	return t.whole && len(n.Columns) == 0 || slices.ContainsFunc(n.Columns, t.guarded)
}
