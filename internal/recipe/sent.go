package recipe

import (
	"slices"

	"tunic/internal/sql"
	"tunic/internal/sql/ast"
)

// Variable is the number, in Run.Variables, of the user variable that an expression is,
// -1 if it is something else.
func Variable(e ast.Expr) int {
	if n, ok := paramOf(e); ok && n >= sql.FirstVariable {
		return n - sql.FirstVariable
	}
	return -1
}

// OnlyVariables reports whether what is selected is user variables, and nothing else.
func (r *Run) OnlyVariables() bool {
	project, ok := r.Local[0].(*Project)
	return ok && !slices.ContainsFunc(project.Items, func(it Item) bool { return Variable(it.Expr) < 0 })
}

// Selected are, for each column of a query of no table, the user variables that are read
// for it.
func (r *Run) Selected() (all [][]string) {
	project, ok := r.Local[0].(*Project)
	if !ok {
		return nil
	}
	for _, it := range project.Items {
		var names []string
		_ = ast.Walk(func(n ast.Node) (bool, error) {
			if e, ok := n.(ast.Expr); ok {
				if v := Variable(e); v >= 0 {
					names = append(names, r.Variables[v])
				}
			}
			return true, nil
		}, it.Expr)
		all = append(all, names)
	}
	return all
}

// SentVariables are the user variables whose values the server gets as they are, by their
// numbers in Variables.
func (r *Run) SentVariables() (all []int) {
	for _, n := range r.Sent() {
		if n >= sql.FirstVariable {
			all = append(all, n-sql.FirstVariable)
		}
	}
	return all
}

// Sent are the parameters and user variables whose values the server gets as they are, by
// their numbers as parameters: all of the Run, and of others but that for a SecretVariable.
func (r *Run) Sent() (all []int) {
	for _, other := range r.Others() {
		if other != r.Alternatives[SecretVariable] {
			all = append(all, other.Sent()...)
		}
	}
	all = append(all, r.ComputedPlain()...)
	all = append(all, r.nestedPlain()...)
	for _, p := range r.stored() {
		all = append(all, paramsIn(p)...)
	}
	all = append(all, sentIn(r.Slots)...)
	for _, w := range r.writes() {
		all = append(all, w.sent()...)
	}
	return all
}

// ComputedPlain are the parameters and user variables that plain columns are computed from
// here, as they stand in what these are set to: the server gets what comes of them.
func (r *Run) ComputedPlain() (all []int) {
	for _, w := range r.writes() {
		for _, a := range w.Set {
			if a.Local {
				all = append(all, paramsWithin(a.To)...)
			}
		}
	}
	for _, e := range r.plainItems() {
		all = append(all, paramsWithin(e)...)
	}
	return all
}

// Limits are the parameters and user variables in the LIMIT of a query over several tables. They say nothing of what is protected.
func (r *Run) Limits() (all []int) {
	if r.Tree == nil {
		return nil
	}
	b, ok := r.Tree.Root.(*Block)
	if !ok {
		return nil
	}
	for _, s := range b.Steps {
		if l, ok := s.(*Limit); ok {
			all = append(all, paramsWithin(l.expressions(nil)...)...)
		}
	}
	return all
}

// plainItems are what of a query whose rows are inserted goes into plain columns, if that
// is the list of one SELECT.
func (r *Run) plainItems() (all []ast.Node) {
	of := r.queryRows()
	if of == nil {
		return nil
	}
	block, ok := of.Of.Tree.Root.(*Block)
	if !ok {
		return nil
	}
	for _, s := range block.Steps {
		project, ok := s.(*Project)
		for i := 0; ok && i < len(project.Items) && i < len(of.Into); i++ {
			if !r.Table.Columns[of.Into[i]].Protected() {
				all = append(all, project.Items[i].Expr)
			}
		}
	}
	return all
}

// nestedPlain are the parameters and user variables in the queries within a statement that
// computes plain columns here: what comes of them may be in these.
func (r *Run) nestedPlain() (all []int) {
	computes := slices.ContainsFunc(r.Targets(), func(t *Target) bool {
		return t.Write != nil && slices.ContainsFunc(t.Write.Set, func(a Assignment) bool { return a.Local })
	})
	tree := r.Tree
	if of := r.queryRows(); of != nil {
		tree = of.Of.Tree
		computes = slices.ContainsFunc(of.Into, func(i int) bool { return !r.Table.Columns[i].Protected() })
	}
	if !computes || tree == nil {
		return nil
	}
	tree.walkNested(func(e ast.Node) { all = append(all, paramsWithin(e)...) })
	return all
}

// paramsWithin are the parameters and user variables in expressions.
func paramsWithin(nodes ...ast.Node) (all []int) {
	_ = ast.Walk(func(n ast.Node) (bool, error) {
		if a, ok := n.(*ast.Argument); ok {
			if param, is := sql.ParamOf(a); is {
				all = append(all, param)
			}
		}
		return true, nil
	}, nodes...)
	return all
}

// sent are those of what is written back as values of plain columns.
func (w *Write) sent() []int { return sentIn(w.Slots) }

// sentIn are those of slots that the server gets values in.
func sentIn(slots []Slot) (all []int) {
	for i := range slots {
		switch s := &slots[i]; {
		case s.Form != Value:
		case s.Of.Kind == FromParam:
			all = append(all, s.Of.Param)
		case s.Of.Kind == FromComputed:
			all = append(all, paramsWithin(s.Of.Computed.Expr)...)
		}
	}
	return all
}

func paramOf(e ast.Expr) (int, bool) {
	a, ok := e.(*ast.Argument)
	if !ok {
		return 0, false
	}
	return sql.ParamOf(a)
}

// paramsIn are the parameters and user variables in a stored statement.
func paramsIn(p *sql.Printed) (all []int) {
	if p == nil {
		return nil
	}
	for _, h := range p.Holes() {
		if h.Kind == sql.HoleParam {
			all = append(all, h.Number)
		}
	}
	return all
}
