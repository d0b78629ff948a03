package local

import (
	"tunic/internal/recipe"
	"tunic/internal/sql"
	"tunic/internal/sql/ast"
)

// inputs are the bind variables of what a statement computes locally, in the order
// in which they are bound: literals and parameters, and the lists of IN.
type inputs struct {
	Singles []recipe.Operand
	Lists   []sql.Place
}

// localNodes are the expressions that a statement computes locally.
func localNodes(run *recipe.Run) []ast.Node {
	nodes := recipe.Expressions(run.Local)
	if run.Tree != nil {
		nodes = run.Tree.Expressions()
	}
	if rewrite := run.Rewrite(); rewrite != nil {
		for _, a := range rewrite.Write.Set {
			nodes = append(nodes, a.To)
		}
	}
	if upsert := run.Upsert(); upsert != nil {
		for _, r := range upsert.Rows {
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
			in.Lists = append(in.Lists, place)
		}
	case isPlace:
		in.addSingle(recipe.Operand{Kind: recipe.FromPlace, Place: place})
	case isParam:
		in.addSingle(recipe.Operand{Kind: recipe.FromParam, Param: param})
	}
}

func (in *inputs) addSingle(o recipe.Operand) {
	if in.single(&o) < 0 {
		in.Singles = append(in.Singles, o)
	}
}

// single is the number of a literal or parameter, -1 if it is not among them.
func (in *inputs) single(o *recipe.Operand) int {
	for i := range in.Singles {
		if s := &in.Singles[i]; s.Kind == o.Kind && s.Place == o.Place && s.Param == o.Param {
			return i
		}
	}
	return -1
}

// list is the number of a list, -1 if it is not among them.
func (in *inputs) list(p sql.Place) int {
	for i, known := range in.Lists {
		if known == p {
			return i
		}
	}
	return -1
}

// OperandOf is the operand that a bind variable stands for.
func OperandOf(a *ast.Argument) recipe.Operand {
	if n, ok := sql.ParamOf(a); ok {
		return recipe.Operand{Kind: recipe.FromParam, Param: n}
	}
	place, _ := sql.PlaceOf(a)
	return recipe.Operand{Kind: recipe.FromPlace, Place: place}
}
