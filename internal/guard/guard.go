// Package guard computes what a definition says of the values in a row: DEFAULT
// (expression), generated columns, and CHECK.
//
// The server cannot compute them where a protected column is concerned, neither as an
// operand nor as the column that gets the value. So they are in the catalog, as the text
// in which the server shows them, and whoever writes a row computes them here: those
// that give a column its value before the row is sealed, and those that a row has to
// fulfil after that. [Of] reads the guards of a table, once for a plan.
//
// An expression is accepted in a definition only if package eval computes it exactly
// ([Set.Incomputable]): there is no guard that is known and not held to.
package guard

import (
	"slices"
	"strings"

	"tunic/internal/catalog"
	"tunic/internal/eval"
	"tunic/internal/sql"
	"tunic/internal/sql/ast"
	"tunic/internal/value"
	"tunic/internal/value/charset"
)

// Guard is one expression over the columns of a row.
type Guard struct {
	// Name is that of a CHECK.
	Name string
	// InColumn says that MariaDB has the CHECK in the definition of a column, Name.
	InColumn bool
	// Column is the column that gets the value, -1 of a CHECK.
	Column int
	Expr   ast.Expr
	// Reads are the columns that it is computed from, by their numbers, ascending.
	Reads []int
	// Shadows says that the value is that of the one column of Reads, of the same type
	// (catalog.Column.Shadows). An INSERT gives both the same.
	Shadows bool
}

// Set are the guards of a table.
type Set struct {
	Table *catalog.Table
	// Computed are the generated columns and those whose DEFAULT is an expression, in
	// the order of the table.
	Computed []*Guard
	// Checks are in the order in which the server looks at them.
	Checks []*Guard
	// InUTF8 says that a literal has characters outside of ASCII.
	InUTF8 bool
	// literals is the collation of literals, nil if it is the client's.
	literals *charset.Collation
}

// Of reads the guards of a table; nil if it has none.
func Of(t *catalog.Table, flavor value.Flavor) (*Set, error) {
	s := &Set{Table: t}
	for i := range t.Columns {
		c := &t.Columns[i]
		if c.Shadows != "" {
			s.Computed = append(s.Computed, &Guard{Column: i, Expr: &ast.ColName{Name: ast.Identifier(c.Shadows)}, Reads: []int{t.Column(c.Shadows)}, Shadows: true})
			continue
		}
		if !c.Protected() || c.Default.Kind != catalog.DefaultExpression {
			continue
		}
		g, err := s.read(c.Default.Text, flavor)
		if err != nil {
			return nil, err
		}
		g.Column = i
		s.Computed = append(s.Computed, g)
	}
	for i := range t.Checks {
		k := &t.Checks[i]
		g, err := s.read(k.Clause, flavor)
		if err != nil {
			return nil, err
		}
		g.Name, g.InColumn = k.Name, k.Column != ""
		s.Checks = append(s.Checks, g)
	}
	if len(s.Computed)+len(s.Checks) == 0 {
		return nil, nil //nolint:nilnil // most tables have none
	}
	s.findLiterals(flavor)
	return s, nil
}

// modesOf are the modes of texts that a server shows.
func modesOf(flavor value.Flavor) sql.Modes {
	if flavor == value.MariaDB {
		return sql.MariaDB
	}
	return 0
}

func (s *Set) read(text string, flavor value.Flavor) (*Guard, error) {
	e, err := sql.Expression(text, modesOf(flavor))
	if err != nil {
		return nil, err
	}
	s.InUTF8 = s.InUTF8 || strings.IndexFunc(text, func(r rune) bool { return r >= 0x80 }) >= 0
	g := &Guard{Column: -1, Expr: e}
	err = ast.Walk(func(n ast.Node) (bool, error) {
		name, ok := n.(*ast.ColName)
		if !ok {
			return true, nil
		}
		i := s.Table.Column(name.Name.String())
		if i < 0 {
			return false, sql.ErrExpression
		}
		if !slices.Contains(g.Reads, i) {
			g.Reads = append(g.Reads, i)
		}
		return true, nil
	}, e)
	slices.Sort(g.Reads)
	return g, err
}

// Of is the guard that gives a column its value, nil if there is none.
func (s *Set) Of(column int) *Guard {
	if s == nil {
		return nil
	}
	for _, g := range s.Computed {
		if g.Column == column {
			return g
		}
	}
	return nil
}

// Generated reports whether a column is computed in every row that is written.
func (s *Set) Generated(column int) bool {
	g := s.Of(column)
	return g != nil && (g.Shadows || s.Table.Columns[column].Generated)
}

// Concerns reports whether the row has to be looked at, or a generated column computed
// anew, where these columns change.
func (s *Set) Concerns(columns func(int) bool) bool {
	if s == nil {
		return false
	}
	reads := func(g *Guard) bool { return slices.ContainsFunc(g.Reads, columns) }
	return slices.ContainsFunc(s.Checks, reads) ||
		slices.ContainsFunc(s.Computed, func(g *Guard) bool { return s.Generated(g.Column) && reads(g) })
}

// Reads are all columns that a CHECK or a generated column is computed from, ascending.
func (s *Set) Reads() (all []int) {
	for _, g := range s.Checks {
		all = append(all, g.Reads...)
	}
	for _, g := range s.Computed {
		if s.Generated(g.Column) {
			all = append(all, g.Reads...)
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// Compile compiles a guard for a session. The rows have all columns of the table.
func (s *Set) Compile(g *Guard, session eval.Session) (*eval.Expression, error) {
	session, err := s.settled(g, session)
	if err != nil {
		return nil, err
	}
	return eval.Compile(g.Expr, &scope{table: s.Table, draws: g.Column >= 0 && !s.Generated(g.Column)}, session)
}
