package exec

import (
	"bytes"
	"slices"
	"strings"

	"tunic/internal/catalog"
	"tunic/internal/eval"
	"tunic/internal/plan"
	"tunic/internal/sql"
	"tunic/internal/sql/ast"
	"tunic/internal/sqlerr"
	"tunic/internal/value"
)

// inputs are the bind variables of what a statement computes locally, in the order
// in which they are bound: literals and parameters, and the lists of IN.
type inputs struct {
	singles []plan.Operand
	lists   []sql.Place
}

// localNodes are the expressions that a statement computes locally.
func localNodes(run *plan.Run) []ast.Node {
	nodes := plan.Expressions(run.Local)
	if run.Tree != nil {
		nodes = run.Tree.Expressions()
	}
	if run.Write != nil {
		for _, a := range run.Write.Set {
			nodes = append(nodes, a.To)
		}
	}
	if run.Upsert != nil {
		for _, r := range run.Upsert.Rows {
			for _, a := range r.Write.Set {
				nodes = append(nodes, a.To)
			}
		}
	}
	return nodes
}

// findInputs collects the bind variables of expressions.
func findInputs(nodes []ast.Node) (in inputs) {
	_ = ast.Walk(func(n ast.Node) (bool, error) {
		if a, ok := n.(*ast.Argument); ok {
			in.add(a)
		}
		return true, nil
	}, nodes...)
	return in
}

func (in *inputs) add(a *ast.Argument) {
	place, isPlace := sql.PlaceOf(a)
	param, isParam := sql.ParamOf(a)
	switch {
	case isPlace && place.Group >= 0:
		if in.list(place) < 0 {
			in.lists = append(in.lists, place)
		}
	case isPlace:
		in.addSingle(plan.Operand{Kind: plan.FromPlace, Place: place})
	case isParam:
		in.addSingle(plan.Operand{Kind: plan.FromParam, Param: param})
	}
}

func (in *inputs) addSingle(o plan.Operand) {
	if in.single(&o) < 0 {
		in.singles = append(in.singles, o)
	}
}

// single is the number of a literal or parameter, -1 if it is not among them.
func (in *inputs) single(o *plan.Operand) int {
	for i := range in.singles {
		if s := &in.singles[i]; s.Kind == o.Kind && s.Place == o.Place && s.Param == o.Param {
			return i
		}
	}
	return -1
}

// list is the number of a list, -1 if it is not among them.
func (in *inputs) list(p sql.Place) int {
	for i, known := range in.lists {
		if known == p {
			return i
		}
	}
	return -1
}

// operandOf is the operand that a bind variable stands for.
func operandOf(a *ast.Argument) plan.Operand {
	if n, ok := sql.ParamOf(a); ok {
		return plan.Operand{Kind: plan.FromParam, Param: n}
	}
	place, _ := sql.PlaceOf(a)
	return plan.Operand{Kind: plan.FromPlace, Place: place}
}

// bindInputs are the values of a statement's inputs in this execution, as the
// server would take them.
func (b *binder) bindInputs(st *Statement) (eval.Inputs, error) {
	in := eval.Inputs{Env: &b.env.value, Now: b.env.value.Now, ZoneUnknown: b.env.zone != ""}
	for i := range st.inputs.singles {
		if err := b.take(&operand{of: st.inputs.singles[i]}, 0); err != nil {
			return in, err
		}
		in.Binds = append(in.Binds, ownSource(&b.source))
	}
	for _, place := range st.inputs.lists {
		var items []value.Source
		for element := range b.elementsAt(place) {
			if err := b.take(&operand{of: plan.Operand{Kind: plan.FromPlace, Place: place}}, element); err != nil {
				return in, err
			}
			items = append(items, ownSource(&b.source))
		}
		in.Lists = append(in.Lists, items)
	}
	return in, nil
}

// elementsAt is how many literals there are at the place of a list.
func (b *binder) elementsAt(p sql.Place) int {
	if b.prepared != nil {
		return b.prepared.elements[p.Group]
	}
	return b.literals.Elements(p.Group)
}

// ownSource is a source whose bytes are its own: those of the binder are used for
// the next one.
func ownSource(s *value.Source) value.Source {
	own := *s
	own.Bytes = bytes.Clone(s.Bytes)
	return own
}

// localScope says what names and bind variables are to the expressions that are
// computed on rows. It makes it an eval.Scope.
type localScope struct {
	st *Statement
	in *eval.Inputs // an example of an execution
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

func newScope(st *Statement, in *eval.Inputs, columns []localColumn) *localScope {
	return &localScope{st: st, in: in, columns: columns, names: map[*ast.ColName]int{}}
}

// fetchedColumns are the columns of the rows of a statement over one table, and of
// those that one writes.
func (st *Statement) fetchedColumns() []localColumn {
	all := make([]localColumn, st.written())
	for i, f := range st.run.Fetch[:len(all)] {
		if f.Column >= 0 {
			c := st.columns[f.Column]
			all[i] = localColumn{name: c.Name, typ: &c.Type}
		}
	}
	return all
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
	run := s.st.run
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
	i := s.st.inputs.single(&o)
	if i < 0 {
		return 0, value.Source{}, sqlerr.ExpressionRefused("IN", "lists of lists")
	}
	return i, s.in.Binds[i], nil
}

// Items is the number of a list, and its items in the example.
func (s *localScope) Items(a *ast.Argument) (int, []value.Source, error) {
	i := s.st.inputs.list(operandOf(a).Place)
	if i < 0 {
		return 0, nil, sqlerr.StatementUnread()
	}
	return i, s.in.Lists[i], nil
}
