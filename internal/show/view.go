package show

import (
	"strconv"
	"strings"

	"tunic/internal/catalog"
	"tunic/internal/ddl/account"
	"tunic/internal/ddl/viewtext"
	"tunic/internal/ledger"
	"tunic/internal/value"
)

// readView prepares a view. Of its stored form the last column is hidden.
func readView(v *catalog.Table) *table {
	return &table{Table: v, account: &account.Account{}, layers: map[string]int{strings.ToLower(ledger.ViewMark(v)): 0}}
}

// viewRow changes a row of SHOW COLUMNS of a view.
func (a *Answer) viewRow(name string) error {
	at := a.table.Column(name)
	if at < 0 {
		return ErrAnswer
	}
	told := a.table.View.Facts[at]
	set := func(column, fact string) {
		text, ok := told[fact]
		a.set(column, text, ok)
	}
	set("type", "COLUMN_TYPE")
	set("null", "IS_NULLABLE")
	set("collation", "COLLATION_NAME")
	set("key", "COLUMN_KEY")
	set("extra", "EXTRA")
	set("comment", "COLUMN_COMMENT")
	text, ok := a.viewDefault(at)
	a.set("default", text, ok)
	return nil
}

// viewDefault is what SHOW COLUMNS has as the default of a view's column, where
// information_schema may have an expression.
func (a *Answer) viewDefault(at int) (text string, ok bool) {
	text, ok = a.table.View.Facts[at]["COLUMN_DEFAULT"]
	if !ok || a.session.Env.Flavor != value.MariaDB {
		return text, ok
	}
	if strings.EqualFold(text, "NULL") {
		return "", false
	}
	return (&account.ColumnAccount{Default: text}).Unquote(), true
}

// viewDefinition is SHOW CREATE VIEW, where the server has shown the stored view: its
// head is that of the logical one. How names are quoted, and whether the view's own has
// its schema, is the session's choice, which the server has followed.
func viewDefinition(v *catalog.Table, shown string) (string, error) {
	head, compact, ok := viewtext.ViewHead(shown, v)
	if !ok {
		return "", ErrAnswer
	}
	query := v.View.Shown
	if compact {
		query = viewtext.WithoutSchema(query, v)
	}
	if strings.Contains(head, `"`+v.Name+`"`) {
		query = account.Requote(query)
	}
	out := head + query
	if v.View.Check != "" {
		out += " WITH " + v.View.Check + " CHECK OPTION"
	}
	return out, nil
}

// viewFacts are those of the columns of views.
func (a *Answer) viewFacts() (all []fact) {
	for _, v := range a.views {
		if !a.only.has("columns", v.Name) {
			continue
		}
		for i := range v.Columns {
			told := v.View.Facts[i]
			row := fact{keys: v.keys(v.Columns[i].Name), state: replaced}
			for _, f := range facts {
				row.values = append(row.values, a.viewFact(v, i, f, told))
			}
			row.values = append(row.values, strconv.Itoa(i+1))
			all = append(all, row)
		}
		all = append(all, fact{keys: v.keys(ledger.ViewMark(v.Table)), state: hidden})
	}
	return all
}

// viewFact is one of them, as a literal: labels, defaults and comments are words.
func (a *Answer) viewFact(v *table, i int, f string, told map[string]string) string {
	text, ok := told[f]
	switch {
	case f == "GENERATION_EXPRESSION" && a.session.Env.Flavor != value.MariaDB:
		return "''"
	case f == "IS_GENERATED":
		return "'NEVER'"
	case !ok:
		return none
	}
	name := v.Columns[i].Name
	switch f {
	case "COLUMN_DEFAULT":
		if strings.EqualFold(text, "NULL") {
			return literal(text)
		}
		return a.words.text(wordOf{defaultWord, v.ID, name}, text)
	case "COLUMN_COMMENT":
		return a.words.text(wordOf{commentWord, v.ID, name}, text)
	case "COLUMN_TYPE":
		if k := v.Columns[i].Type.Kind; k == value.Enum || k == value.Set {
			return a.words.text(wordOf{typeWord, v.ID, name}, text)
		}
	case "CHARACTER_MAXIMUM_LENGTH", "CHARACTER_OCTET_LENGTH", "NUMERIC_PRECISION", "NUMERIC_SCALE", "DATETIME_PRECISION", "SRS_ID":
		return text
	}
	return literal(text)
}

// markFacts hide the last columns of stored views.
func (a *Answer) markFacts() (all []fact) {
	for _, v := range a.views {
		all = append(all, fact{keys: v.keys(ledger.ViewMark(v.Table)), state: hidden})
	}
	return all
}

// definitionFacts are those of information_schema.VIEWS.
func (a *Answer) definitionFacts() (all []fact) {
	for _, v := range a.views {
		if !a.only.has("views", v.Name) {
			continue
		}
		check, updatable := v.View.Check, "NO"
		if check == "" {
			check = "NONE"
		}
		if v.View.Updatable {
			updatable = "YES"
		}
		text := a.words.text(wordOf{viewWord, v.ID, ""}, v.View.Shown)
		all = append(all, fact{v.keys(), replaced, []string{text, literal(check), literal(updatable)}})
	}
	return all
}
