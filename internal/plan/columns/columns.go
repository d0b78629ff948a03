package columns

import (
	"slices"

	"tunic/internal/catalog"
	"tunic/internal/recipe"
	"tunic/internal/resolve"
	"tunic/internal/sql/ast"
	"tunic/internal/value"
)

// ProtectedIn are the protected columns of an expression, each once.
func (o *Of) ProtectedIn(e ast.Node) []int {
	var all []int
	_ = ast.Walk(func(n ast.Node) (bool, error) {
		if name, ok := n.(*ast.ColName); ok {
			if i := o.Protected(name); i >= 0 && !slices.Contains(all, i) {
				all = append(all, i)
			}
		}
		return true, nil
	}, e)
	return all
}

// At is a column of the table by its number.
func (o *Of) At(i int) *catalog.Column { return &o.Table.Columns[i] }

// IsDate reports whether a column's dates may be without a month or day.
func (o *Of) IsDate(i int) bool {
	k := o.At(i).Type.Kind
	return k == value.Date || k == value.DateTime
}

// IsMoment reports whether a column's values are moments, which clocks of two zones show differently.
func (o *Of) IsMoment(i int) bool { return o.At(i).Type.Kind == value.Timestamp }

// AnyProtected reports whether a query has anything to do with a protected column.
func (o *Of) AnyProtected(n *ast.Select) (found bool) {
	_ = ast.Walk(func(node ast.Node) (bool, error) {
		if name, ok := node.(*ast.ColName); ok {
			i, known := o.Column(name)
			found = found || !known || o.At(i).Protected()
		}
		return !found, nil
	}, n)
	return found
}

// Unqualified is a list without the table's name before its columns: the twin has
// another.
func (o *Of) Unqualified(list *ast.SelectExprs) *ast.SelectExprs {
	made := ast.Clone(list)
	_ = ast.Walk(func(n ast.Node) (bool, error) {
		switch n := n.(type) {
		case *ast.ColName:
			if _, ok := o.Column(n); ok {
				n.Qualifier = ast.TableName{}
			}
		case *ast.StarExpr:
			if o.Star(n) {
				n.TableName = ast.TableName{}
			}
		}
		return true, nil
	}, made)
	return made
}

// StarsOf are how many columns each * stands for.
func (o *Of) StarsOf(exprs []ast.SelectExpr) (stars []int) {
	visible := 0
	for i := range o.Table.Columns {
		if !o.At(i).Invisible {
			visible++
		}
	}
	for _, e := range exprs {
		if _, ok := e.(*ast.StarExpr); ok {
			stars = append(stars, visible)
		}
	}
	return stars
}

// Protected is the protected column that an expression is, -1 if it is
// something else.
func (o *Of) Protected(e ast.Expr) int {
	n, ok := e.(*ast.ColName)
	if !ok {
		return -1
	}
	i, ok := o.Column(n)
	if !ok || !o.At(i).Protected() {
		return -1
	}
	return i
}

// Derived is, for each item of a query of one table, whether there is a protected column
// in it.
func (o *Of) Derived(items []recipe.Item) []bool {
	all := make([]bool, len(items))
	for i, it := range items {
		use, err := o.UseOf(it.Expr)
		all[i] = err != nil || use == resolve.Protected
	}
	return all
}
