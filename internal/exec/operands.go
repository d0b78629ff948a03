package exec

import (
	"bytes"

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
	in := eval.Inputs{Env: &b.env.value, Now: b.env.now}
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
// computed on the rows of a statement. It makes it an eval.Scope.
type localScope struct {
	st *Statement
	in *eval.Inputs // an example of an execution
	// results are names that stand for the results of aggregate functions, which
	// follow the columns in a row.
	results map[*ast.ColName]int
	types   []*value.Type // of the results
	// digits are those of results that have more after the point than their types,
	// by where they are in a row.
	digits map[int]int
}

// Digits makes it an eval.Finer.
func (s *localScope) Digits(index int) (int, bool) {
	digits, ok := s.digits[index]
	return digits, ok
}

// Column is where a column is in the fetched rows.
func (s *localScope) Column(name *ast.ColName) (int, *value.Type, error) {
	if i, ok := s.results[name]; ok {
		return len(s.st.run.Fetch) + i, s.types[i], nil
	}
	column := s.st.run.Table.Column(name.Name.String())
	for i, f := range s.st.run.Fetch {
		if f.Column == column && column >= 0 {
			return i, &s.st.columns[column].Type, nil
		}
	}
	return 0, nil, sqlerr.StatementUnread()
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
