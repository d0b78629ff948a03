package build

import (
	"tunic/internal/plan/shape"
	"tunic/internal/recipe"
	"tunic/internal/sql/ast"
)

// windowed are the window functions of what is selected and of the keys that it is
// sorted by, as a step; nil if there are none.
func windowed(items []recipe.Item, by *recipe.Sort) *recipe.Window {
	w := &recipe.Window{}
	for _, it := range items {
		addWindows(w, it.Expr)
	}
	if by != nil {
		for _, k := range by.By {
			addWindows(w, k.Expr)
		}
	}
	if len(w.Functions) == 0 {
		return nil
	}
	return w
}

func addWindows(w *recipe.Window, e ast.Expr) {
	for _, f := range shape.Windows(e) {
		if w.Function(f) < 0 {
			w.Functions = append(w.Functions, f)
		}
	}
}

// ownWindows is a SELECT whose window functions say themselves what their windows
// are: without a WINDOW clause, and without names in OVER. Where SQL has no window
// functions it is wrong.
func ownWindows(n *ast.Select) (*ast.Select, *ending) {
	if end := windowsElsewhere(n); end != nil {
		return nil, end
	}
	if len(n.Windows) == 0 && len(shape.Windows(n.SelectExprs, n.OrderBy)) == 0 {
		return n, nil
	}
	own := ast.Clone(n)
	names := windowNames{}
	for _, clause := range own.Windows {
		for _, d := range clause.Windows {
			if names[d.Name.Lowered()] != nil {
				return nil, &ending{wrong: "two windows with one name"}
			}
			names[d.Name.Lowered()] = d.WindowSpec
		}
	}
	own.Windows = nil
	for _, f := range shape.Windows(own.SelectExprs, own.OrderBy) {
		if end := names.spellOut(f, n); end != nil {
			return nil, end
		}
	}
	return own, nil
}

// windowsElsewhere refuses window functions outside of the select list and ORDER BY,
// and those in one another and in aggregate functions.
func windowsElsewhere(n *ast.Select) *ending {
	nodes := make([]ast.Node, 0, len(n.From)+3)
	for _, from := range n.From {
		nodes = append(nodes, from)
	}
	if n.Where != nil {
		nodes = append(nodes, n.Where.Expr)
	}
	if n.GroupBy != nil {
		nodes = append(nodes, n.GroupBy)
	}
	if n.Having != nil {
		nodes = append(nodes, n.Having.Expr)
	}
	for _, a := range shape.Aggregates(n.SelectExprs) {
		nodes = append(nodes, a)
	}
	if len(shape.Windows(nodes...)) > 0 {
		return &ending{wrong: "a window function where there is none"}
	}
	return nil
}

// windowNames are the windows of a WINDOW clause by their names.
type windowNames map[string]*ast.WindowSpecification

// spellOut has a function of a query say what its window is.
func (w windowNames) spellOut(f ast.WindowFunc, query *ast.Select) *ending {
	over := f.GetOverClause()
	spec := over.WindowSpec
	var end *ending
	if spec == nil {
		spec, end = w.named(over.WindowName, 0)
	} else {
		spec, end = w.whole(spec, 0)
	}
	if end != nil {
		return end
	}
	over.WindowName, over.WindowSpec = ast.Identifier(""), ast.Clone(spec)
	if end := followsWindow(f); end != nil {
		return end
	}
	return ambiguousInWindow(spec, query)
}

// named is the window with a name. depth counts windows that refer to others.
func (w windowNames) named(name ast.IdentifierCI, depth int) (*ast.WindowSpecification, *ending) {
	spec := w[name.Lowered()]
	if spec == nil || depth > len(w) {
		return nil, &ending{wrong: "a window that is not there, or its own"}
	}
	return w.whole(spec, depth)
}

// whole is a window with what it has of the one that it names (MySQL manual, "Named
// Windows").
func (w windowNames) whole(spec *ast.WindowSpecification, depth int) (*ast.WindowSpecification, *ending) {
	if spec.Name.IsEmpty() {
		return spec, nil
	}
	base, end := w.named(spec.Name, depth+1)
	if end != nil {
		return nil, end
	}
	if base.FrameClause != nil || len(spec.PartitionClause) > 0 || len(spec.OrderClause) > 0 && len(base.OrderClause) > 0 {
		return nil, &ending{wrong: "a window that changes what it has of another"}
	}
	made := &ast.WindowSpecification{PartitionClause: base.PartitionClause, OrderClause: base.OrderClause, FrameClause: spec.FrameClause}
	if len(spec.OrderClause) > 0 {
		made.OrderClause = spec.OrderClause
	}
	return made, nil
}

// followsWindow refuses forms of functions that servers have no windows for.
func followsWindow(f ast.WindowFunc) *ending {
	if d, ok := f.(ast.DistinctableAggr); ok && d.IsDistinct() {
		return beyond("DISTINCT over a window")
	}
	over := f.GetOverClause()
	inside := make([]ast.Node, 0, 2)
	for _, e := range f.GetArgs() {
		inside = append(inside, e)
	}
	if len(shape.Windows(append(inside, over.WindowSpec)...)) > 0 {
		return &ending{wrong: "a window function in another"}
	}
	var nulls *ast.NullTreatmentClause
	switch f := f.(type) {
	case *ast.FirstOrLastValueExpr:
		nulls = f.NullTreatmentClause
	case *ast.LagLeadExpr:
		nulls = f.NullTreatmentClause
	case *ast.NTHValueExpr:
		nulls = f.NullTreatmentClause
		if f.FromFirstLastClause != nil {
			return beyond("FROM FIRST or FROM LAST")
		}
	}
	if nulls != nil {
		return beyond("RESPECT NULLS or IGNORE NULLS")
	}
	return nil
}

// ambiguousInWindow refuses names in a window that are aliases of what is selected:
// servers differ in whether they are.
func ambiguousInWindow(spec *ast.WindowSpecification, query *ast.Select) *ending {
	return walk(func(n ast.Node) (bool, *ending) {
		switch n := n.(type) {
		case *ast.Subquery:
			return false, nil
		case *ast.ColName:
			of := aliasedBy(n, query)
			if same, ok := of.(*ast.ColName); of != nil && (!ok || !same.Name.Equal(n.Name)) {
				return false, beyond("an alias in a window")
			}
		}
		return true, nil
	}, spec)
}
