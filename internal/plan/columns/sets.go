package columns

import (
	"slices"
	"strings"

	"tunic/internal/catalog"
	"tunic/internal/recipe"
	"tunic/internal/resolve"
	"tunic/internal/sql/ast"
)

// StaysInOrder reports whether there is an order that MariaDB does not leave out: it does where
// WHERE says that what the rows are in order of is equal to constants.
func (o *Of) StaysInOrder(where *ast.Where, order ast.OrderBy) bool {
	for _, by := range order {
		if name, ok := by.Expr.(*ast.ColName); ok {
			if at, known := o.Column(name); known && !o.mayBeEqual(where.Expr, at) {
				return true
			}
		}
	}
	return false
}

// mayBeEqual reports whether a condition has a column in it, other than as what is less or more
// than something.
func (o *Of) mayBeEqual(e ast.Expr, column int) (found bool) {
	_ = ast.Walk(func(n ast.Node) (bool, error) {
		switch n := n.(type) {
		case *ast.ComparisonExpr:
			switch n.Operator {
			case ast.LessThanOp, ast.GreaterThanOp, ast.LessEqualOp, ast.GreaterEqualOp, ast.NotEqualOp:
				for _, side := range []ast.Expr{n.Left, n.Right} {
					if _, alone := side.(*ast.ColName); !alone {
						found = found || o.mayBeEqual(side, column)
					}
				}
				return false, nil
			default:
			}
		case *ast.ColName:
			at, known := o.Column(n)
			found = found || !known || at == column
		}
		return !found, nil
	}, e)
	return found
}

// SetsPrimary reports whether a column of the primary key is set, by which InnoDB has the rows in
// order whatever they are found by; not if it may be one row, found by a unique key.
func (o *Of) SetsPrimary(set []recipe.Assignment, where *ast.Where) bool {
	table := o.Table
	has := func(k *catalog.Key, column int) bool {
		return slices.ContainsFunc(k.Parts, func(p catalog.Part) bool { return table.Column(p.Column) == column })
	}
	sets := false
	for i := range table.Keys {
		k := &table.Keys[i]
		if !k.Distinct() {
			continue
		}
		of := map[int]bool{}
		for column := range table.Columns {
			of[column] = has(k, column)
		}
		if o.Reads(where.Expr, of) {
			return false
		}
		sets = sets || k.Kind == catalog.Primary && slices.ContainsFunc(set, func(a recipe.Assignment) bool { return has(k, a.Column) })
	}
	return sets && strings.Contains(table.Definition, "\n) ENGINE=InnoDB")
}

// Constants reports whether protected columns are set to values and plain ones to
// what the server can compute.
func (o *Of) Constants(set []recipe.Assignment) bool {
	for _, a := range set {
		if !o.At(a.Column).Protected() {
			if use, _ := o.UseOf(a.To); use == resolve.Protected {
				return false
			}
			continue
		}
		if !a.Given {
			return false
		}
	}
	return true
}

// Reads reports whether an expression has one of these columns in it.
func (o *Of) Reads(e ast.Expr, columns map[int]bool) (found bool) {
	_ = ast.Walk(func(n ast.Node) (bool, error) {
		if name, ok := n.(*ast.ColName); ok {
			i, known := o.Column(name)
			found = found || known && columns[i]
		}
		return !found, nil
	}, e)
	return found
}

// Stamps are the protected columns that are ON UPDATE CURRENT_TIMESTAMP and are not
// set: which rows they change in is known when the rows have been read.
func (o *Of) Stamps(set []recipe.Assignment) (all []int) {
	for i := range o.Table.Columns {
		c := o.At(i)
		given := slices.ContainsFunc(set, func(a recipe.Assignment) bool { return a.Column == i })
		if c.OnUpdateNow && c.Protected() && !given {
			all = append(all, i)
		}
	}
	return all
}
