package viewtext

import (
	"strings"

	"tunic/internal/catalog"
	tsql "tunic/internal/sql"
	"tunic/internal/sql/ast"
)

// Facts are the columns of information_schema.COLUMNS that differ between a view and
// its stored form; MySQL has one more.
var Facts = []string{
	"COLUMN_DEFAULT", "IS_NULLABLE", "DATA_TYPE", "CHARACTER_MAXIMUM_LENGTH", "CHARACTER_OCTET_LENGTH", "NUMERIC_PRECISION",
	"NUMERIC_SCALE", "DATETIME_PRECISION", "CHARACTER_SET_NAME", "COLLATION_NAME", "COLUMN_TYPE", "COLUMN_KEY", "EXTRA", "COLUMN_COMMENT",
}

// FactOfMySQL is one more, which only MySQL has.
const FactOfMySQL = "SRS_ID"

// Origin is the column of a table or view that a column of a view is.
type Origin struct {
	Table  *catalog.Table // nil of a plain one
	Column int
}

// Origins are those of a view's columns, nil for one that is computed.
func (v *View) Origins() []*Origin {
	all, err := tsql.Parse([]byte(v.Text), 0)
	if err != nil || len(all) != 1 {
		return nil
	}
	tree, err := all[0].Tree()
	if err != nil {
		return nil
	}
	q, ok := tree.Root().(*ast.Select)
	if !ok {
		return nil
	}
	found := make([]*Origin, len(q.SelectExprs.Exprs))
	for i, e := range q.SelectExprs.Exprs {
		if item, ok := e.(*ast.AliasedExpr); ok {
			if name, ok := item.Expr.(*ast.ColName); ok {
				found[i] = v.originOf(q, name)
			}
		}
	}
	return found
}

// originOf is the column that a name means; nil if it may be that of a derived table, or
// of two.
func (v *View) originOf(q *ast.Select, name *ast.ColName) (found *Origin) {
	qualifier := name.Qualifier.Name.String()
	certain := true
	_ = ast.Walk(func(n ast.Node) (bool, error) {
		switch n := n.(type) {
		case *ast.Subquery, *ast.With:
			return false, nil
		case *ast.AliasedTableExpr:
			alias := n.As.String()
			table, isTable := n.Expr.(ast.TableName)
			if isTable && alias == "" {
				alias = table.Name.String()
			}
			if qualifier != "" && !strings.EqualFold(alias, qualifier) {
				return false, nil
			}
			if !isTable {
				certain = certain && qualifier == "" && found != nil
				return false, nil
			}
			for i := range v.Reads {
				r := &v.Reads[i]
				if r.Table == nil || !strings.EqualFold(r.Name, table.Name.String()) || !strings.EqualFold(r.Schema, table.Qualifier.String()) {
					continue
				}
				if at := r.Table.Column(name.Name.String()); at >= 0 {
					certain = certain && found == nil
					found = &Origin{r.Table, at}
				}
			}
			return false, nil
		}
		return true, nil
	}, q)
	if !certain {
		return nil
	}
	return found
}
