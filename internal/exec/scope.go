package exec

import (
	"slices"
	"strings"

	"tunic/internal/catalog"
	"tunic/internal/eval"
	"tunic/internal/plan"
	"tunic/internal/sql/ast"
	"tunic/internal/sqlerr"
	"tunic/internal/value"
)

// localScope says what names and bind variables are to the expressions that are
// computed on rows. It makes it an eval.Scope.
type localScope struct {
	query *query
	in    *eval.Inputs // an example of an execution
	// columns are those of the rows. Steps add to them.
	columns []localColumn
	// names stand for columns that have none, such as results of aggregate functions.
	names map[*ast.ColName]int
	// fine says that averages are to have all digits; draws that functions may draw values,
	// one for each row.
	fine, draws bool
}

// localColumn is a column of the rows that expressions are computed on.
type localColumn struct {
	// qualifier is what stands before the name; without one, anything may.
	qualifier, name string
	typ             *value.Type
	// finer is where the same average is with all digits that servers compute with, 0
	// for nowhere; digits is how many there are after the point.
	finer, digits int
	result        bool // of an aggregate function
	literal       bool // it is the same in all rows
	rough         bool // see isRough
	uneven        bool // see item
	hidden        bool // servers may have digits of it that are not here
	// zeroIsNull says that servers may take its zero date for NULL, though it may be NULL in
	// these rows: see eval.ZeroNuller.
	zeroIsNull bool
	// unfilled says that it is ZEROFILL in a table that the server makes of the rows, and not
	// in the rows themselves.
	unfilled bool
	mayFill  bool // see eval.Filler
}

func newScope(of *query, in *eval.Inputs, columns []localColumn) *localScope {
	return &localScope{query: of, in: in, columns: columns, names: map[*ast.ColName]int{}}
}

// add adds a column behind the others.
func (s *localScope) add(c localColumn) (index int) {
	s.columns = append(s.columns, c)
	return len(s.columns) - 1
}

// named is a name for a column.
func (s *localScope) named(index int) *ast.ColName {
	name := &ast.ColName{Name: ast.Identifier("result")}
	s.names[name] = index
	return name
}

// Draws makes it an eval.Drawer.
func (s *localScope) Draws() bool { return s.draws }

// Digits makes it an eval.Finer.
func (s *localScope) Digits(index int) (int, bool) {
	digits := s.columns[index].digits
	return digits, digits > 0
}

// ZeroIsNull makes it an eval.ZeroNuller.
func (s *localScope) ZeroIsNull(index int) bool { return s.columns[index].zeroIsNull }

// Column is where a column is in the rows.
func (s *localScope) Column(name *ast.ColName) (int, *value.Type, error) {
	i := s.find(name)
	if i < 0 {
		return 0, nil, sqlerr.StatementUnread()
	}
	if finer := s.columns[i].finer; s.fine && finer > 0 {
		i = finer
	}
	return i, s.columns[i].typ, nil
}

// Default makes it an eval.Defaulter: of the protected columns of one table, whose defaults
// are values. In a query that groups it is not known what servers make of one.
func (s *localScope) Default(column string) (*value.Type, []byte, error) {
	run := s.query.run
	if run.Tree != nil || run.Table == nil || slices.ContainsFunc(run.Local, func(step plan.Step) bool { _, groups := step.(*plan.Group); return groups }) {
		return nil, nil, sqlerr.ExpressionRefused("DEFAULT", "such a column")
	}
	i := run.Table.Column(column)
	if i < 0 || !run.Table.Columns[i].Protected() || s.find(&ast.ColName{Name: ast.Identifier(column)}) < 0 {
		return nil, nil, sqlerr.ExpressionRefused("DEFAULT", "such a column")
	}
	c := &run.Table.Columns[i]
	switch c.Default.Kind {
	case catalog.DefaultNull:
		return &c.Type, nil, nil
	case catalog.DefaultValue:
		return &c.Type, append([]byte{}, c.Default.Canonical...), nil
	default:
		return nil, nil, sqlerr.ExpressionRefused("DEFAULT", "such a column")
	}
}

// find is where a column is in the rows, -1 if it is not there.
func (s *localScope) find(name *ast.ColName) int {
	if i, ok := s.names[name]; ok {
		return i
	}
	qualifier, column := name.Qualifier.Name.String(), name.Name.String()
	for i := range s.columns {
		c := &s.columns[i]
		if c.name != "" && (c.qualifier == "" || c.qualifier == qualifier) && strings.EqualFold(c.name, column) {
			return i
		}
	}
	return -1
}

// Bind is the number of a literal or parameter, and its value in the example.
func (s *localScope) Bind(a *ast.Argument) (int, value.Source, error) {
	o := operandOf(a)
	i := s.query.inputs.single(&o)
	if i < 0 {
		return 0, value.Source{}, sqlerr.ExpressionRefused("IN", "lists of lists")
	}
	return i, s.in.Binds[i], nil
}

// Items is the number of a list, and its items in the example.
func (s *localScope) Items(a *ast.Argument) (int, []value.Source, error) {
	i := s.query.inputs.list(operandOf(a).Place)
	if i < 0 {
		return 0, nil, sqlerr.StatementUnread()
	}
	return i, s.in.Lists[i], nil
}
