package build

import (
	"slices"

	"tunic/internal/catalog"
	"tunic/internal/sql/ast"
	"tunic/internal/value"
)

// coveredBy reports whether a key of a stored table has all of these stored columns, or
// has them together with the primary key, whose columns the server has in each.
func coveredBy(table *catalog.Table, names []string) bool {
	var primary []string
	for i := range table.Keys {
		if table.Keys[i].Kind == catalog.Primary {
			primary = storedParts(table, &table.Keys[i])
		}
	}
	for i := range table.Keys {
		k := &table.Keys[i]
		if k.Kind != catalog.Index && k.Kind != catalog.Unique {
			continue
		}
		has := append(storedParts(table, k), primary...)
		if !slices.ContainsFunc(names, func(name string) bool { return !slices.Contains(has, name) }) {
			return true
		}
	}
	return false
}

// storedParts are the stored columns that a key has whole.
func storedParts(table *catalog.Table, k *catalog.Key) (all []string) {
	for _, p := range k.Parts {
		c := &table.Columns[table.Column(p.Column)]
		switch {
		case c.Protected():
			all = append(all, c.Layer(p.Layer).Stored)
		case p.Prefix == 0:
			all = append(all, c.Stored())
		}
	}
	return all
}

// retypes reports whether a query over a derived table may give a MIN or MAX another type. Where
// it groups by a temporary table, MySQL makes that of a TINYINT a BIGINT, that of a FLOAT a DOUBLE, with
// other digits, that of a BIT a number, that of a CHAR a VARCHAR, and that of a long VARCHAR a BLOB.
func retypes(table *catalog.Table, n *ast.Select) (found bool) {
	if n.GroupBy == nil {
		return false
	}
	of := func(e ast.Expr) bool {
		name, ok := e.(*ast.ColName)
		if !ok {
			return false
		}
		i := table.Column(name.Name.String())
		return i >= 0 && !keepsType(&table.Columns[i].Type)
	}
	_ = ast.Walk(func(n ast.Node) (bool, error) {
		switch n := n.(type) {
		case *ast.Min:
			found = found || of(n.Arg)
		case *ast.Max:
			found = found || of(n.Arg)
		}
		return !found, nil
	}, n)
	return found
}

// keepsType reports whether MIN and MAX have the type of their column wherever it is from.
func keepsType(t *value.Type) bool {
	const blobFrom = 513 // characters (MySQL's source, CONVERT_IF_BIGGER_TO_BLOB)
	switch t.Kind {
	case value.BigInt, value.Double, value.Decimal:
		return true
	case value.VarChar, value.VarBinary:
		return t.Length < blobFrom
	default:
		return t.Kind.IsTemporal()
	}
}
