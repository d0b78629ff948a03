package build

import (
	"slices"

	"tunic/internal/catalog"
	"tunic/internal/plan/columns"
	"tunic/internal/plan/shape"
	"tunic/internal/recipe"
	"tunic/internal/sql/ast"
)

// itemCell is the cell of a column of the answer; opened says that it is a sealed form.
func itemCell(t *catalog.Table, it recipe.Item, opened bool) recipe.Cell {
	if !opened {
		return recipe.Cell{Column: it.Column}
	}
	return recipe.CellOf(t, it.Column)
}

// records makes the slots of families of a table, with slot.
type records struct {
	scope *columns.Of
	slot  func(recipe.Slot, *ast.Argument) *ast.Argument
}

// of is the slot of the form of a family; value is where that of each of its columns comes from.
func (r records) of(f *catalog.Family, value func(i int) recipe.Operand, arg *ast.Argument) *ast.Argument {
	members := r.scope.Table.Members(f)
	s := recipe.Slot{Column: members[0], Form: recipe.Record}
	for _, i := range members {
		s.Members = append(s.Members, recipe.Member{Column: i, Of: value(i)})
	}
	return r.slot(s, arg)
}

// row are the slots that a row of an INSERT has for all families, from what it has for protected columns; false
// if it lacks one.
func (r records) row(given []recipe.Member, arg *ast.Argument) (slots ast.ValTuple, ok bool) {
	ok = true
	value := func(i int) recipe.Operand {
		at := slices.IndexFunc(given, func(m recipe.Member) bool { return m.Column == i })
		if at < 0 {
			ok = false
			return recipe.Operand{}
		}
		return given[at].Of
	}
	for i := range r.scope.Table.Families {
		slots = append(slots, r.of(&r.scope.Table.Families[i], value, arg))
	}
	return slots, ok
}

// back are the assignments of the families of columns that are written back.
func (r records) back(written []int) (all ast.UpdateExprs) {
	for _, f := range r.scope.Families(written) {
		form := r.of(f, func(int) recipe.Operand { return recipe.Operand{Kind: recipe.FromSet} }, nil)
		all = append(all, &ast.UpdateExpr{Name: shape.Column(f.Stored), Expr: form})
	}
	return all
}

// givenValue is what a column is set to that does not depend on a row; arg is the bind variable that it is repeated with.
type givenValue struct {
	column int
	of     recipe.Operand
	arg    *ast.Argument
}

// set are the assignments of families that are set whole. Such a one keeps its form if all tokens stay.
func (r records) set(given []givenValue) (all ast.UpdateExprs) {
	last := map[int]*givenValue{} // what a column is set to last is all that is written
	var written []int
	for n := range given {
		g := &given[n]
		last[g.column], written = g, append(written, g.column)
	}
	for _, f := range r.scope.Families(written) {
		same, tells := ast.Expr(nil), true
		for _, i := range r.scope.Table.Members(f) {
			one := r.sameToken(last[i])
			same, tells = shape.And(same, one), tells && one != nil
		}
		var form ast.Expr = r.of(f, func(i int) recipe.Operand { return last[i].of }, nil)
		if tells {
			form = call("if", same, shape.Column(f.Stored), form)
		}
		all = append(all, &ast.UpdateExpr{Name: shape.Column(f.Stored), Expr: form})
	}
	return all
}

// sameToken is the condition that a column has the value already that it is set to; nil if no token says so.
func (r records) sameToken(g *givenValue) ast.Expr {
	l := r.scope.Distinguishes(g.column)
	if l == nil {
		return nil
	}
	return &ast.ComparisonExpr{
		Operator: ast.NullSafeEqualOp, Left: shape.Column(l.Stored),
		Right: r.slot(recipe.Slot{Column: g.column, Form: recipe.Token, Layer: l.Capability, Of: g.of}, g.arg),
	}
}

// call is a call of a function of the server's.
func call(name string, args ...ast.Expr) ast.Expr {
	return &ast.FuncExpr{Name: ast.Identifier(name), Exprs: args}
}

// setInOrder are the values of protected columns in an UPDATE, in its order.
func setInOrder(scope *columns.Of, set []givenValue) (all []recipe.Member) {
	for _, g := range set {
		if scope.At(g.column).Protected() {
			all = append(all, recipe.Member{Column: g.column, Of: g.of})
		}
	}
	return all
}

// setsFamilies reports whether the families of what is set are set whole, so that nothing of them has to be read.
func setsFamilies(scope *columns.Of, set []recipe.Assignment) bool {
	var written []int
	for _, a := range set {
		written = append(written, a.Column)
	}
	return !slices.ContainsFunc(scope.WithFamilies(written), func(i int) bool { return !slices.Contains(written, i) })
}

// inFamilies are the columns of the families that are written: the form of one has the values of all of them. Those of a family
// that is being filled are read from what its members copy.
func inFamilies(scope *columns.Of, w *recipe.Write) (all []int) {
	for _, f := range scope.Families(w.Written()) {
		for _, i := range scope.Table.Members(f) {
			if c := scope.At(i); c.Shadows != "" {
				i = scope.Table.Column(c.Shadows)
			}
			all = append(all, i)
		}
	}
	return all
}
