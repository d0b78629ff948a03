package build

import (
	"strings"

	"tunic/internal/plan/information"
	"tunic/internal/recipe"
	"tunic/internal/sql"
	"tunic/internal/sql/ast"
	"tunic/internal/sqlerr"
	"tunic/internal/value"
)

// A query that reads information_schema beside protected tables is a Tree: the tables of
// information_schema are plain ones, whose rows the server narrows. Package show changes the
// stored statement and the rows, so that they tell the logical facts.

// readable reports a table of the server's own that may not be read beside protected ones.
func (b *Builder) readable(schema, name string) *ending {
	how := information.Tables[strings.ToLower(name)]
	switch {
	case !strings.EqualFold(schema, information.Schema):
		return beyond("a table of the server's own beside a protected one")
	case b.Run.Kind != sql.Select && b.Run.Kind != sql.SetOperation, b.Tree.Kind() != b.Run.Kind:
		return beyond("information_schema in a statement that writes, beside a protected table")
	case how == information.Stored, how == information.Shapes && information.HasShapes(b.Catalog):
		return refused(sqlerr.StatementRefused("information_schema." + strings.ToLower(name)))
	}
	return nil
}

// readsWorded reports whether an expression over one table has a column in it that the
// server does not know.
func (d *conditions) readsWorded(e ast.Node) (found bool) {
	if !information.IsTold(d.scope.Table) {
		return false
	}
	_ = ast.Walk(func(n ast.Node) (bool, error) {
		name, ok := n.(*ast.ColName)
		found = found || ok && information.Worded(name.Name.String())
		return !found, nil
	}, e)
	return found
}

// steady are columns of information_schema whose collation MySQL takes as that of any
// column: measured as COERCIBILITY 2. Others are expressions there, which have a collation
// that outweighs those of columns, or is outweighed by them.
var steady = map[string]bool{
	"table_schema": true, "table_name": true, "schema_name": true, "constraint_schema": true, "referenced_table_schema": true,
	"referenced_table_name": true, "event_object_table": true,
}

// weighs refuses, on MySQL, to compute with texts of information_schema whose collations
// are not those of columns. The outermost query may return them, and sort by them.
func (t *treeBuilder) weighs() *ending {
	if !t.Run.Informs() || t.Modes&sql.MariaDB != 0 {
		return nil
	}
	unsteady := map[string]bool{}
	for _, f := range t.fetched {
		for _, l := range f.leaves {
			for i := range l.table.Columns {
				c := &l.table.Columns[i]
				if information.IsTold(l.table) && l.used[i] && c.Type.Kind == value.Enum && strings.EqualFold(c.Name, "column_key") {
					return beyond("COLUMN_KEY of information_schema beside a protected table") // what is told has no numbers
				}
				folds := c.Type.Collation != nil && c.Type.Collation.Name == "utf8mb3_tolower_ci"
				if information.IsTold(l.table) && c.Type.Kind.IsText() && (!steady[strings.ToLower(c.Name)] || folds) {
					unsteady[l.unique+"."+strings.ToLower(c.Name)] = true
				}
			}
		}
	}
	returned := t.returned()
	return walk(func(n ast.Node) (bool, *ending) {
		name, ok := n.(*ast.ColName)
		if ok && !returned[name] && unsteady[name.Qualifier.Name.String()+"."+name.Name.Lowered()] {
			return false, beyond("an expression over " + name.Name.String() + " of information_schema beside a protected table")
		}
		return true, nil
	}, t.Run.Tree.Expressions()...)
}

// returned are the columns that the outermost query returns, or sorts by, as they are.
func (t *treeBuilder) returned() map[ast.Expr]bool {
	all := map[ast.Expr]bool{}
	top, ok := t.Run.Tree.Root.(*recipe.Block)
	if !ok {
		return all
	}
	for _, s := range top.Steps {
		switch s := s.(type) {
		case *recipe.Project:
			for _, it := range s.Items {
				all[it.Expr] = true
			}
		case *recipe.Sort:
			for _, k := range s.By {
				all[k.Expr] = true
			}
		}
	}
	return all
}
