package build

import (
	"slices"
	"strings"

	"tunic/internal/catalog"
	"tunic/internal/recipe"
	"tunic/internal/sql"
	"tunic/internal/sql/ast"
)

// findsFirst reports whether MariaDB is known to find all rows of an UPDATE before it writes the
// first. It does where the rows have an order, or the key is set by which it scans them; strict
// mode is for what it writes then, and what it warns of in WHERE stays a warning.
func (b *Builder) findsFirst(set []recipe.Assignment, where *ast.Where, by ast.OrderBy) bool {
	if b.Modes&sql.MariaDB == 0 || b.Run.Kind != sql.Update || where == nil || ast.HasQuery(where) {
		return false
	}
	return b.staysInOrder(where, by) || b.setsPrimary(set, where)
}

// staysInOrder reports whether there is an order that MariaDB does not leave out: it does where
// WHERE says that what the rows are in order of is equal to constants.
func (b *Builder) staysInOrder(where *ast.Where, by ast.OrderBy) bool {
	for _, o := range by {
		if name, ok := o.Expr.(*ast.ColName); ok {
			if at, known := b.scope.Column(name); known && !b.mayBeEqual(where.Expr, at) {
				return true
			}
		}
	}
	return false
}

// mayBeEqual reports whether a condition has a column in it, other than as what is less or more
// than something.
func (b *Builder) mayBeEqual(e ast.Expr, column int) (found bool) {
	_ = ast.Walk(func(n ast.Node) (bool, error) {
		switch n := n.(type) {
		case *ast.ComparisonExpr:
			switch n.Operator {
			case ast.LessThanOp, ast.GreaterThanOp, ast.LessEqualOp, ast.GreaterEqualOp, ast.NotEqualOp:
				for _, side := range []ast.Expr{n.Left, n.Right} {
					if _, alone := side.(*ast.ColName); !alone {
						found = found || b.mayBeEqual(side, column)
					}
				}
				return false, nil
			default:
			}
		case *ast.ColName:
			at, known := b.scope.Column(n)
			found = found || !known || at == column
		}
		return !found, nil
	}, e)
	return found
}

// setsPrimary reports whether a column of the primary key is set, by which InnoDB has the rows in
// order whatever they are found by; not if it may be one row, found by a unique key.
func (b *Builder) setsPrimary(set []recipe.Assignment, where *ast.Where) bool {
	table := b.scope.Table
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
		if b.reads(where.Expr, of) {
			return false
		}
		sets = sets || k.Kind == catalog.Primary && slices.ContainsFunc(set, func(a recipe.Assignment) bool { return has(k, a.Column) })
	}
	return sets && strings.Contains(table.Definition, "\n) ENGINE=InnoDB")
}
