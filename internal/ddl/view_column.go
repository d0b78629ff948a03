package ddl

import (
	"context"
	"errors"
	"strings"

	"tunic/internal/catalog"
	"tunic/internal/ddl/account"
	"tunic/internal/ddl/service"
	"tunic/internal/ddl/viewtext"
	"tunic/internal/sqlerr"
	"tunic/internal/value"
)

// viewColumns reads the columns of a view from its twin.
func viewColumns(ctx context.Context, flavor value.Flavor, s *service.Connection, v *viewtext.View, t *catalog.Table) error {
	facts := viewtext.Facts
	if flavor != value.MariaDB {
		facts = append(facts[:len(facts):len(facts)], viewtext.FactOfMySQL)
	}
	rows, err := s.Query(ctx, "SELECT COLUMN_NAME, "+strings.Join(facts, ", ")+
		" FROM information_schema.COLUMNS WHERE TABLE_SCHEMA = ? AND TABLE_NAME = ? ORDER BY ORDINAL_POSITION", catalog.Schema, t.Twin)
	if err != nil {
		return err
	}
	from := v.Origins()
	for i, row := range rows {
		told := map[string]string{}
		for n, f := range facts {
			if row[n+1] != nil {
				told[f] = *row[n+1]
			}
		}
		var of *viewtext.Origin
		if len(from) == len(rows) {
			of = from[i]
		}
		if err := toldOfView(flavor, service.Text(row[0]), told, of); err != nil {
			return err
		}
		c := catalog.Column{Name: service.Text(row[0]), TypeText: told["COLUMN_TYPE"], CollationName: told["COLLATION_NAME"]}
		if c.Type, err = catalog.TypesOf(flavor)(c.TypeText, c.CollationName, told["IS_NULLABLE"] == "NO"); err != nil {
			return sqlerr.ViewColumn(c.Name, "it has a type or collation that tunic does not know")
		}
		t.Columns, t.View.Facts = append(t.Columns, c), append(t.View.Facts, told)
	}
	updatable, err := s.Query(ctx, "SELECT IS_UPDATABLE FROM information_schema.VIEWS WHERE TABLE_SCHEMA = ? AND TABLE_NAME = ?", catalog.Schema, t.Twin)
	if err != nil || len(updatable) == 0 {
		return errors.Join(err, service.NoRow(len(updatable)))
	}
	t.View.Updatable = service.Text(updatable[0][0]) == "YES"
	return nil
}

// toldOfView puts into what the server says of a column of a twin what stands there by
// proxy.
func toldOfView(flavor value.Flavor, column string, told map[string]string, of *viewtext.Origin) error {
	labels := told["DATA_TYPE"] == "enum" || told["DATA_TYPE"] == "set"
	switch {
	case of == nil && labels:
		return sqlerr.ViewColumn(column, "its labels are not those of a column of a table")
	case of == nil:
		return nil
	case of.Table.View != nil:
		for _, f := range []string{"COLUMN_TYPE", "COLUMN_DEFAULT", "COLUMN_COMMENT"} {
			if known, ok := of.Table.View.Facts[of.Column][f]; ok && told[f] != "" {
				told[f] = known
			}
		}
		return nil
	}
	c := &of.Table.Columns[of.Column]
	account, err := account.Read(of.Table)
	if err != nil {
		return err
	}
	if labels {
		told["COLUMN_TYPE"] = c.TypeText
	}
	if told["COLUMN_COMMENT"] != "" {
		told["COLUMN_COMMENT"] = account.Columns[of.Column].Comment
	}
	if _, has := told["COLUMN_DEFAULT"]; has && c.Protected() && c.Default.Kind == catalog.DefaultValue {
		told["COLUMN_DEFAULT"] = account.Columns[of.Column].Told(c, flavor)
	}
	return nil
}
