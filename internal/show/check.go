package show

import (
	"strings"

	"tunic/internal/value"
)

// checkColumns are the expressions that have, of a row of information_schema.COLUMNS,
// what servers tell of the constraint that MariaDB makes of a column's type JSON.
var checkColumns = map[string]string{
	"CONSTRAINT_CATALOG": "r.TABLE_CATALOG", "CONSTRAINT_SCHEMA": "r.TABLE_SCHEMA", "CONSTRAINT_NAME": "r.COLUMN_NAME",
	"TABLE_SCHEMA": "r.TABLE_SCHEMA", "TABLE_NAME": "r.TABLE_NAME",
	"CONSTRAINT_TYPE": "'CHECK'", "LEVEL": "'Column'",
	"CHECK_CLAUSE": "CONCAT('json_valid(`', REPLACE(r.COLUMN_NAME, '`', '``'), '`)')",
}

// jsonChecks adds the constraints that protected JSON columns of MariaDB have, and
// their stored forms have not, for whoever may see the columns.
func (a *Answer) jsonChecks(name string, columns []Column) string {
	if a.session.Env.Flavor != value.MariaDB || name != "table_constraints" && name != "check_constraints" {
		return ""
	}
	var rows []string
	for _, t := range a.tables {
		for _, f := range t.fields {
			if f.column.Protected() && f.column.ValidJSON {
				rows = append(rows, "("+a.is(tableKeys, "r.", t.keysInUTF8(f.column.Name))+")")
			}
		}
	}
	if len(rows) == 0 {
		return ""
	}
	list := make([]string, len(columns))
	for i, c := range columns {
		if list[i] = checkColumns[strings.ToUpper(c.Name)]; list[i] == "" {
			list[i] = none
		}
	}
	return " UNION ALL SELECT " + strings.Join(list, ", ") + " FROM information_schema.columns AS r WHERE " + strings.Join(rows, " OR ")
}

// is is the condition that keys have these values. Names of tables are compared by
// their bytes where their case matters.
func (a *Answer) is(keys []string, of string, values []string) string {
	var all []string
	for i, k := range keys {
		all = append(all, of+k+" = "+values[i])
		if i < 2 && !a.inquiry.Catalog.Folds() {
			all = append(all, "CAST("+of+k+" AS BINARY) = CAST("+values[i]+" AS BINARY)")
		}
	}
	return strings.Join(all, " AND ")
}
