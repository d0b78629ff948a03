package twin

import (
	"slices"

	"tunic/internal/catalog"
	"tunic/internal/sql/ast"
)

// Namesakes are tables in one FROM that have one name, in several schemas, and no alias. Their twins are
// in one schema: those behind the first have other names there.
type Namesakes struct {
	behind map[*ast.AliasedTableExpr]bool
	tables []*catalog.Table
	// first are those without an alias that have kept their names.
	first []*catalog.Table
}

// Enter looks for namesakes in the FROM of a statement.
func (s *Namesakes) Enter(n ast.Node) {
	var from ast.TableExprs
	switch n := n.(type) {
	case *ast.Select:
		from = n.From
	case *ast.Update:
		from = n.TableExprs
	case *ast.Delete:
		from = n.TableExprs
	}
	taken := map[string]bool{}
	_ = ast.Walk(func(n ast.Node) (bool, error) {
		e, ok := n.(*ast.AliasedTableExpr)
		if !ok {
			return true, nil
		}
		if name, ok := e.Expr.(ast.TableName); ok && e.As.IsEmpty() {
			if taken[name.Name.String()] {
				s.note(e)
			}
			taken[name.Name.String()] = true
		}
		return false, nil
	}, from)
}

func (s *Namesakes) note(e *ast.AliasedTableExpr) {
	if s.behind == nil {
		s.behind = map[*ast.AliasedTableExpr]bool{}
	}
	s.behind[e] = true
}

// Alias is what a table without one is called.
func (s *Namesakes) Alias(e *ast.AliasedTableExpr, t *catalog.Table) string {
	if !s.behind[e] {
		s.first = append(s.first, t)
		return t.Name
	}
	s.tables = append(s.tables, t)
	return Namesake(t)
}

// Mark stands in names that are made here, and for relations of a Tree: statements with such
// a name of their own are refused.
const Mark = "#"

// Namesake is what a table is called in what is described, if it is behind another one of its name: by
// its twin, and a plain one so that no other has the name.
func Namesake(t *catalog.Table) string {
	if t.Twin != "" {
		return t.Twin
	}
	return t.Name + Mark + t.Schema
}

// Rename has the names of columns of such a table name its twin: those behind its schema, and those
// that none of its namesakes has.
func (s *Namesakes) Rename(root ast.Node, c *catalog.Catalog) {
	rename := func(q *ast.TableName, column string) {
		for _, t := range s.tables {
			switch schema := q.Qualifier.String(); {
			case !c.SameName(q.Name.String(), t.Name):
			case schema != "" && c.SameName(schema, t.Schema), schema == "" && column != "" && s.only(t, column, c):
				*q = ast.TableName{Name: ast.Name(Namesake(t))}
			}
		}
	}
	_ = ast.Walk(func(n ast.Node) (bool, error) {
		switch n := n.(type) {
		case *ast.ColName:
			rename(&n.Qualifier, n.Name.String())
		case *ast.StarExpr:
			rename(&n.TableName, "")
		}
		return len(s.tables) > 0, nil
	}, root)
}

// only reports whether a table has a column, and none of its namesakes.
func (s *Namesakes) only(t *catalog.Table, column string, c *catalog.Catalog) bool {
	return t.Column(column) >= 0 && !slices.ContainsFunc(s.first, func(one *catalog.Table) bool {
		return c.SameName(one.Name, t.Name) && one.Column(column) >= 0
	})
}

// LeaveSchemas takes schemas of tables from before the names of columns: twins are in
// another.
func LeaveSchemas(root ast.Node, ofTable func(schema string) bool) {
	leave := func(t *ast.TableName) {
		if !t.Qualifier.IsEmpty() && ofTable(t.Qualifier.String()) {
			t.Qualifier = ast.Name("")
		}
	}
	_ = ast.Walk(func(n ast.Node) (bool, error) {
		switch n := n.(type) {
		case *ast.ColName:
			leave(&n.Qualifier)
		case *ast.StarExpr:
			leave(&n.TableName)
		}
		return true, nil
	}, root)
}
