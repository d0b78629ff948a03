package build

import (
	"slices"

	"tunic/internal/catalog"
	"tunic/internal/sql/ast"
)

// withoutAnyValue is a query with its expression in the place of each ANY_VALUE: that is
// no aggregate function, but says that whichever row of a group may stand for it (MySQL
// manual, "ANY_VALUE"), as is so of all columns here.
func withoutAnyValue(n *ast.Select) *ast.Select {
	found := false
	_ = ast.Walk(func(n ast.Node) (bool, error) {
		if _, ok := n.(*ast.AnyValue); ok {
			found = true
		}
		return !found, nil
	}, n)
	if !found {
		return n
	}
	made, ok := ast.Rewrite(ast.Clone(n), nil, func(c *ast.Cursor) bool {
		if a, ok := c.Node().(*ast.AnyValue); ok {
			c.Replace(a.Arg)
		}
		return true
	}).(*ast.Select)
	if !ok {
		return n
	}
	return made
}

// ofFilled refuses ANY_VALUE of a column that is ZEROFILL: it is a number without the zeros.
func ofFilled(n *ast.Select, tables ...*catalog.Table) *ending {
	return walk(func(n ast.Node) (bool, *ending) {
		a, ok := n.(*ast.AnyValue)
		if !ok {
			return true, nil
		}
		return true, walk(func(n ast.Node) (bool, *ending) {
			if name, ok := n.(*ast.ColName); ok && slices.ContainsFunc(tables, hasFilled(name.Name.String())) {
				return false, beyond("ANY_VALUE of a ZEROFILL column")
			}
			return true, nil
		}, a.Arg)
	}, n)
}

func hasFilled(column string) func(*catalog.Table) bool {
	return func(t *catalog.Table) bool {
		i := t.Column(column)
		return i >= 0 && t.Columns[i].Type.Zerofill
	}
}
