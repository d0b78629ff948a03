package account

import (
	"encoding/hex"
	"strings"

	"tunic/internal/catalog"
	"tunic/internal/ddl/showcreate"
	"tunic/internal/identifier"
	"tunic/internal/value"
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
	s, err := showcreate.Read(t.Definition)
	if err != nil || len(s.Columns) != len(t.Known()) {
		return nil, showcreate.ErrUnread
	}
	a := &Account{Columns: make([]ColumnAccount, len(s.Columns))}
	for i := range s.Columns {
		text := s.Columns[i].Text
		parts := showcreate.PartsOf(text)
		a.Columns[i] = ColumnAccount{
			Default:   text[parts.Value.From:parts.Value.To],
			Comment:   showcreate.UnquoteString(text[parts.Comment.From:parts.Comment.To]),
			Generated: text[parts.As.From:parts.As.To], Stored: parts.Stored,
		}
	}
	a.Checks = ChecksOf(t, s)
	_, comment := showcreate.OptionComment(s.Options)
	a.Comment = showcreate.UnquoteString(s.Options[comment.From:comment.To])
	return a, nil
}

// Unquote is the value of a DEFAULT: what stands in quotes, or the text itself.
func (c *ColumnAccount) Unquote() string { return showcreate.UnquoteString(c.Default) }

// Requote writes a definition with names in double quotes, as servers do under
// ANSI_QUOTES.
func Requote(definition string) string {
	var edits []showcreate.Edit
	for _, t := range showcreate.Tokens(definition) {
		if t.Kind == showcreate.TokenName {
			name := identifier.Unquoted(t.Of(definition))
			edits = append(edits, showcreate.Edit{Span: showcreate.Span{From: t.From, To: t.To}, Text: `"` + strings.ReplaceAll(name, `"`, `""`) + `"`})
		}
	}
	return showcreate.Edited(definition, edits...)
}

// Told is COLUMN_DEFAULT: MariaDB tells expressions, MySQL values.
func (a *ColumnAccount) Told(c *catalog.Column, flavor value.Flavor) string {
	if flavor == value.MariaDB {
		return a.Default
	}
	said := a.Unquote()
	if !c.Type.Kind.IsBytes() || strings.HasPrefix(a.Default, "0x") {
		return said
	}
	if c.Type.Kind == value.Binary {
		said = strings.TrimRight(said, "\x00")
	}
	return "0x" + strings.ToUpper(hex.EncodeToString([]byte(said)))
}
