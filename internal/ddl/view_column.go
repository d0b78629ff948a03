package ddl

import (
	"context"
	"errors"
	"strings"

	"tunic/internal/catalog"
	"tunic/internal/ddl/account"
	tsql "tunic/internal/sql"
	"tunic/internal/sql/ast"
	"tunic/internal/sqlerr"
	"tunic/internal/value"
)

// viewFacts are the columns of information_schema.COLUMNS that differ between a view and
// its stored form; MySQL has one more.
var viewFacts = []string{
	"COLUMN_DEFAULT", "IS_NULLABLE", "DATA_TYPE", "CHARACTER_MAXIMUM_LENGTH", "CHARACTER_OCTET_LENGTH", "NUMERIC_PRECISION",
	"NUMERIC_SCALE", "DATETIME_PRECISION", "CHARACTER_SET_NAME", "COLLATION_NAME", "COLUMN_TYPE", "COLUMN_KEY", "EXTRA", "COLUMN_COMMENT",
}

const viewFactMySQL = "SRS_ID"

// viewColumns reads the columns of a view from its twin.
func (w *work) viewColumns(ctx context.Context, s *service, v *View, t *catalog.Table) error {
	facts := viewFacts
	if w.o.Flavor != value.MariaDB {
		facts = append(facts[:len(facts):len(facts)], viewFactMySQL)
	}
	rows, err := s.query(ctx, "SELECT COLUMN_NAME, "+strings.Join(facts, ", ")+
		" FROM information_schema.COLUMNS WHERE TABLE_SCHEMA = ? AND TABLE_NAME = ? ORDER BY ORDINAL_POSITION", catalog.Schema, t.Twin)
	if err != nil {
		return err
	}
	from := v.origins()
	for i, row := range rows {
		told := map[string]string{}
		for n, f := range facts {
			if row[n+1] != nil {
				told[f] = *row[n+1]
			}
		}
		var of *origin
		if len(from) == len(rows) {
			of = from[i]
		}
		if err := w.toldOfView(text(row[0]), told, of); err != nil {
			return err
		}
		c := catalog.Column{Name: text(row[0]), TypeText: told["COLUMN_TYPE"], CollationName: told["COLLATION_NAME"]}
		if c.Type, err = catalog.TypesOf(w.o.Flavor)(c.TypeText, c.CollationName, told["IS_NULLABLE"] == "NO"); err != nil {
			return sqlerr.ViewColumn(c.Name, "it has a type or collation that tunic does not know")
		}
		t.Columns, t.View.Facts = append(t.Columns, c), append(t.View.Facts, told)
	}
	updatable, err := s.query(ctx, "SELECT IS_UPDATABLE FROM information_schema.VIEWS WHERE TABLE_SCHEMA = ? AND TABLE_NAME = ?", catalog.Schema, t.Twin)
	if err != nil || len(updatable) == 0 {
		return errors.Join(err, noRow(len(updatable)))
	}
	t.View.Updatable = text(updatable[0][0]) == "YES"
	return nil
}

// origin is the column of a table or view that a column of a view is.
type origin struct {
	table  *catalog.Table // nil of a plain one
	column int
}

// origins are those of a view's columns, nil for one that is computed.
func (v *View) origins() []*origin {
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
	found := make([]*origin, len(q.SelectExprs.Exprs))
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
func (v *View) originOf(q *ast.Select, name *ast.ColName) (found *origin) {
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
					found = &origin{r.Table, at}
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

// toldOfView puts into what the server says of a column of a twin what stands there by
// proxy.
func (w *work) toldOfView(column string, told map[string]string, of *origin) error {
	labels := told["DATA_TYPE"] == "enum" || told["DATA_TYPE"] == "set"
	switch {
	case of == nil && labels:
		return sqlerr.ViewColumn(column, "its labels are not those of a column of a table")
	case of == nil:
		return nil
	case of.table.View != nil:
		for _, f := range []string{"COLUMN_TYPE", "COLUMN_DEFAULT", "COLUMN_COMMENT"} {
			if known, ok := of.table.View.Facts[of.column][f]; ok && told[f] != "" {
				told[f] = known
			}
		}
		return nil
	}
	c := &of.table.Columns[of.column]
	account, err := account.Read(of.table)
	if err != nil {
		return err
	}
	if labels {
		told["COLUMN_TYPE"] = c.TypeText
	}
	if told["COLUMN_COMMENT"] != "" {
		told["COLUMN_COMMENT"] = account.Columns[of.column].Comment
	}
	if _, has := told["COLUMN_DEFAULT"]; has && c.Protected() && c.Default.Kind == catalog.DefaultValue {
		told["COLUMN_DEFAULT"] = account.Columns[of.column].Told(c, w.o.Flavor)
	}
	return nil
}
