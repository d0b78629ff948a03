package local

import (
	"slices"
	"strings"

	"tunic/internal/catalog"
	"tunic/internal/eval"
	"tunic/internal/recipe"
	"tunic/internal/sql/ast"
	"tunic/internal/sqlerr"
	"tunic/internal/value"
)

// Scope says what names and bind variables are to the expressions that are
// computed on rows. It makes it an eval.Scope.
type Scope struct {
	query *Query
	in    *eval.Inputs // an example of an execution
	// Columns are those of the rows. Steps add to them.
	Columns []Column
	// names stand for columns that have none, such as results of aggregate functions.
	names map[*ast.ColName]int
	// fine says that averages are to have all digits; draws that functions may draw values,
	// one for each row.
	fine, draws bool
}

// Column is a column of the rows that expressions are computed on.
type Column struct {
	// Qualifier is what stands before the name; without one, anything may.
	Qualifier, Name string
	Typ             *value.Type
	// finer is where the same average is with all digits that servers compute with, 0
	// for nowhere; digits is how many there are after the point.
	finer, digits int
	result        bool // of an aggregate function
	literal       bool // it is the same in all rows
	rough         bool // it may have other digits than its type says; see digits
	settled       bool // a rough one that is the same number with them
	uneven        bool // see item
	hidden        bool // servers may have digits of it that are not here
	// zeroIsNull says that servers may take its zero date for NULL, though it may be NULL in
	// these rows: see eval.ZeroNuller.
	zeroIsNull bool
	// unfilled says that it is ZEROFILL in a table that the server makes of the rows, and not
	// in the rows themselves.
	unfilled bool
	mayFill  bool // see eval.Filler
	// read is set as soon as anything names the column, of the row of a leaf; nil for others.
	read *bool
}

// NewScope is a scope of rows with these columns. in is an example of an execution.
func NewScope(of *Query, in *eval.Inputs, columns []Column) *Scope {
	return &Scope{query: of, in: in, Columns: columns, names: map[*ast.ColName]int{}}
}

// Add adds a column behind the others.
func (s *Scope) Add(c Column) (index int) {
	s.Columns = append(s.Columns, c)
	return len(s.Columns) - 1
}

// DrawValues has functions draw values, one for each row.
func (s *Scope) DrawValues() { s.draws = true }

// Name lets a name stand for a column.
func (s *Scope) Name(name *ast.ColName, index int) { s.names[name] = index }

// named is a name for a column.
func (s *Scope) named(index int) *ast.ColName {
	name := &ast.ColName{Name: ast.Identifier("result")}
	s.names[name] = index
	return name
}

// Draws makes it an eval.Drawer.
func (s *Scope) Draws() bool { return s.draws }

// Digits makes it an eval.Finer.
func (s *Scope) Digits(index int) (int, bool) {
	digits := s.Columns[index].digits
	return digits, digits > 0
}

// ZeroIsNull makes it an eval.ZeroNuller.
func (s *Scope) ZeroIsNull(index int) bool { return s.Columns[index].zeroIsNull }

// Column is where a column is in the rows.
func (s *Scope) Column(name *ast.ColName) (int, *value.Type, error) {
	i := s.find(name)
	if i < 0 {
		return 0, nil, sqlerr.StatementUnread()
	}
	if finer := s.Columns[i].finer; s.fine && finer > 0 {
		i = finer
	}
	return i, s.Columns[i].Typ, nil
}

// Default makes it an eval.Defaulter: of the protected columns of one table, whose defaults
// are values. In a query that groups it is not known what servers make of one.
func (s *Scope) Default(column string) (*value.Type, []byte, error) {
	run := s.query.run
	if run.Tree != nil || run.Table == nil || slices.ContainsFunc(run.Local, func(step recipe.Step) bool { _, groups := step.(*recipe.Group); return groups }) {
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
func (s *Scope) find(name *ast.ColName) int {
	if i, ok := s.names[name]; ok {
		return s.reads(i)
	}
	qualifier, column := name.Qualifier.Name.String(), name.Name.String()
	for i := range s.Columns {
		c := &s.Columns[i]
		if c.Name != "" && (c.Qualifier == "" || c.Qualifier == qualifier) && strings.EqualFold(c.Name, column) {
			return s.reads(i)
		}
	}
	return -1
}

// reads notes that a column is read.
func (s *Scope) reads(index int) int {
	if read := s.Columns[index].read; read != nil {
		*read = true
	}
	return index
}

// Bind is the number of a literal or parameter, and its value in the example.
func (s *Scope) Bind(a *ast.Argument) (int, value.Source, error) {
	o := OperandOf(a)
	i := s.query.Inputs.single(&o)
	if i < 0 {
		return 0, value.Source{}, sqlerr.ExpressionRefused("IN", "lists of lists")
	}
	return i, s.in.Binds[i], nil
}

// Items is the number of a list, and its items in the example.
func (s *Scope) Items(a *ast.Argument) (int, []value.Source, error) {
	i := s.query.Inputs.list(OperandOf(a).Place)
	if i < 0 {
		return 0, nil, sqlerr.StatementUnread()
	}
	return i, s.in.Lists[i], nil
}
