package guard

import (
	"tunic/internal/catalog"
	"tunic/internal/sql/ast"
	"tunic/internal/sqlerr"
	"tunic/internal/value"
)

// scope is what names are to a guard: an eval.Scope. Columns have their numbers in the
// table, literals are in the tree.
type scope struct {
	table *catalog.Table
	draws bool
}

// Draws reports whether the value may be another one each time: an eval.Drawer.
func (s *scope) Draws() bool { return s.draws }

// Column is where a column is in a row.
func (s *scope) Column(name *ast.ColName) (int, *value.Type, error) {
	i := s.table.Column(name.Name.String())
	if i < 0 {
		return 0, nil, sqlerr.StatementUnread()
	}
	return i, &s.table.Columns[i].Type, nil
}

// Bind refuses: a definition has no parameters.
func (s *scope) Bind(*ast.Argument) (int, value.Source, error) {
	return 0, value.Source{}, sqlerr.StatementUnread()
}

// Items refuses, as Bind.
func (s *scope) Items(*ast.Argument) (int, []value.Source, error) {
	return 0, nil, sqlerr.StatementUnread()
}
