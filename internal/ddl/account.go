package ddl

import (
	"strings"

	"tunic/internal/catalog"
)

// Account is what of a table's logical definition is in no other part of the
// catalog, but in its text.
type Account struct {
	Comment string
	Columns []ColumnAccount // of all columns, in their order
	Checks  []Check
}

// ColumnAccount is what the text says of a column.
type ColumnAccount struct {
	// Default is what follows DEFAULT, as SHOW CREATE TABLE writes it; "" without one.
	Default string
	Comment string
	// Generated is the expression of a generated column, as SHOW CREATE TABLE writes it;
	// "" of others. Stored says that it is STORED, and not VIRTUAL.
	Generated string
	Stored    bool
}

// Read reads the definition of a protected table.
func Read(t *catalog.Table) (*Account, error) {
	s, err := readShown(t.Definition)
	if err != nil || len(s.Columns) != len(t.Known()) {
		return nil, errShown
	}
	a := &Account{Columns: make([]ColumnAccount, len(s.Columns))}
	for i := range s.Columns {
		text := s.Columns[i].Text
		parts := readColumn(text)
		a.Columns[i] = ColumnAccount{
			Default:   text[parts.value.from:parts.value.to],
			Comment:   unquoteString(text[parts.comment.from:parts.comment.to]),
			Generated: text[parts.as.from:parts.as.to], Stored: parts.stored,
		}
	}
	a.Checks = checksOf(t, s)
	_, comment := optionComment(s.Options)
	a.Comment = unquoteString(s.Options[comment.from:comment.to])
	return a, nil
}

// Unquote is the value of a DEFAULT: what stands in quotes, or the text itself.
func (c *ColumnAccount) Unquote() string { return unquoteString(c.Default) }

// CheckName is the name of the constraint that a stored table has of tunic's own.
func CheckName(t *catalog.Table) string { return checkName(t) }

// Requote writes a definition with names in double quotes, as servers do under
// ANSI_QUOTES.
func Requote(definition string) string {
	var edits []edit
	for _, t := range tokens(definition) {
		if t.kind == tokenName {
			name := unquoteName(t.of(definition))
			edits = append(edits, edit{span: span{from: t.from, to: t.to}, text: `"` + strings.ReplaceAll(name, `"`, `""`) + `"`})
		}
	}
	return edited(definition, edits...)
}
