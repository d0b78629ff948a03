package show

import (
	"regexp"
	"strings"

	"tunic/internal/ddl/account"
	"tunic/internal/value"
)

// checkColumns are the expressions that have, of a row of information_schema.COLUMNS,
// what servers tell of a constraint that a column has in its definition: MariaDB makes
// one of the type JSON.
var checkColumns = map[string]string{
	"CONSTRAINT_CATALOG": "r.TABLE_CATALOG", "CONSTRAINT_SCHEMA": "r.TABLE_SCHEMA", "CONSTRAINT_NAME": "r.COLUMN_NAME",
	"TABLE_SCHEMA": "r.TABLE_SCHEMA", "TABLE_NAME": "r.TABLE_NAME",
	"CONSTRAINT_TYPE": "'CHECK'", "LEVEL": "'Column'", "ENFORCED": "'YES'",
	"CHECK_CLAUSE": "CONCAT('json_valid(`', REPLACE(r.COLUMN_NAME, '`', '``'), '`)')",
}

// checks adds the constraints that protected tables have in their logical definitions,
// and their stored forms have not, for whoever may see the columns.
func (a *Answer) checks(name string, columns []Column) string {
	if name != "table_constraints" && name != "check_constraints" {
		return ""
	}
	var documents []string
	var others strings.Builder
	for _, t := range a.tables {
		for _, f := range t.fields {
			if a.session.Env.Flavor == value.MariaDB && f.column.Protected() && f.column.ValidJSON {
				documents = append(documents, "("+a.is(tableKeys, "r.", t.keysInUTF8(f.column.Name))+")")
			}
		}
		for _, c := range t.account.Checks {
			others.WriteString(checkRows(columns, t.told(a.words, &c)))
			others.WriteString(a.is(tableKeys, "r.", t.keysInUTF8(c.Column)))
		}
	}
	if len(documents) == 0 {
		return others.String()
	}
	return checkRows(columns, nil) + strings.Join(documents, " OR ") + others.String()
}

// checkRows is the beginning of a query of such constraints, up to the condition of
// which columns. own are expressions of this one.
func checkRows(columns []Column, own map[string]string) string {
	list := make([]string, len(columns))
	for i, c := range columns {
		name := strings.ToUpper(c.Name)
		if list[i] = own[name]; list[i] == "" {
			list[i] = checkColumns[name]
		}
		if list[i] == "" {
			list[i] = none
		}
	}
	return " UNION ALL SELECT " + strings.Join(list, ", ") + " FROM information_schema.columns AS r WHERE "
}

// saidByType are CHECKs without a secret, which frameworks write beside types: that a number
// has no sign, that a text is a document. What is computed over the others is refused.
var saidByType = regexp.MustCompile("^\\(?(?i:`[^`]+` >= 0|json_valid\\(`[^`]+`\\))\\)?$")

// told are the expressions of what is one CHECK's own.
func (t *table) told(w *words, c *account.Check) map[string]string {
	clause := t.fields[0].expressionShown(c.Clause)
	if saidByType.MatchString(clause) {
		clause = literal(clause)
	} else {
		clause = w.text(wordOf{checkWord, t.ID, c.Name}, clause)
	}
	own := map[string]string{"CONSTRAINT_NAME": literal(c.Name), "CHECK_CLAUSE": clause}
	if !c.InColumn {
		own["LEVEL"] = "'Table'"
	}
	return own
}

// is is the condition that keys have these values.
func (a *Answer) is(keys []string, of string, values []string) string {
	return keysAre(keys, of, values, a.inquiry.Catalog.Folds())
}
