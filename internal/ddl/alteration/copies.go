package alteration

import (
	"tunic/internal/catalog"
	"tunic/internal/sql/ast"
	"tunic/internal/value"
)

// CopiesRows reports whether a plain server copies all rows for a change, since it makes other values of a column's: of
// types of which both servers do, whatever the stored column is. Of others nothing is known.
func CopiesRows(stmt *ast.AlterTable, c *Change, next *catalog.Table) bool {
	for _, o := range stmt.AlterOptions {
		var name string
		switch o := o.(type) {
		case *ast.ModifyColumn:
			name = o.NewColDefinition.Name.String()
		case *ast.ChangeColumn:
			name = o.NewColDefinition.Name.String()
		default:
			continue
		}
		at, old := next.Column(name), c.Before(name)
		if at >= 0 && old != nil && copiesValues(&old.Type, &next.Columns[at].Type) {
			return true
		}
	}
	return false
}

// copiesValues is CopiesRows of two types.
func copiesValues(old, now *value.Type) bool {
	if old.Kind != now.Kind {
		return isPlainKind(old.Kind) && isPlainKind(now.Kind) && (!isShort(old.Kind) || !isShort(now.Kind))
	}
	switch {
	case now.Kind.IsInteger():
		return old.Unsigned != now.Unsigned
	case now.Kind == value.Decimal:
		return old.Unsigned != now.Unsigned || old.Length != now.Length || old.Decimals != now.Decimals
	case isShort(now.Kind):
		return now.Length < old.Length
	}
	return false
}

// isShort are the strings that MariaDB makes longer, and of another of these types, without a copy.
func isShort(k value.Kind) bool {
	return k == value.Char || k == value.VarChar || k == value.Binary || k == value.VarBinary
}

// isPlainKind are the types of numbers, dates and strings.
func isPlainKind(k value.Kind) bool {
	return k.IsNumber() || k.IsTemporal() || k.IsText() || k.IsBytes()
}
