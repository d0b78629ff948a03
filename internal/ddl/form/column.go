package form

import (
	"strings"

	"tunic/internal/catalog"
	"tunic/internal/ddl/account"
	"tunic/internal/ddl/proxy"
	"tunic/internal/ddl/showcreate"
	"tunic/internal/identifier"
	"tunic/internal/value"
)

// BareType is the type of a plain form.
func BareType(c *catalog.Column) string {
	if k := c.Type.Kind; k.IsText() || k == value.Enum || k == value.Set {
		return c.TypeText + " CHARACTER SET " + c.Type.Collation.Charset.Name + " COLLATE " + c.CollationName
	}
	return c.TypeText
}

// EmptyForm is a default of a type of bytes. One of a BLOB is an expression.
func EmptyForm(typ string) string {
	if strings.HasSuffix(typ, "blob") {
		return "('')"
	}
	return "''"
}

// NoValue is a default of a type for rows in which nobody reads it.
func NoValue(c *catalog.Column) string {
	switch k := c.Type.Kind; {
	case k == value.Enum:
		return proxy.FirstLabel(c.TypeText)
	case k == value.JSON:
		return "('null')"
	case k.IsNumber():
		return "0"
	case k == value.Date, k == value.DateTime, k == value.Timestamp:
		return "'2000-01-01'"
	case k == value.Time:
		return "'00:00:00'"
	case k == value.Char, k == value.VarChar, k == value.Binary, k == value.VarBinary, k == value.Set:
		return "''"
	}
	return "('')"
}

// AheadName is the name of a stored column that is there before it belongs to anything.
func AheadName(stored string) string {
	if catalog.Reserved(stored) {
		return stored
	}
	return catalog.ShadowName(stored)
}

// PlainColumn is a plain column without a CHECK that MariaDB has in its definition and
// that is over a protected one.
func PlainColumn(t *catalog.Table, c showcreate.Column) showcreate.Column {
	if at := showcreate.PartsOf(c.Text).Check; !at.Empty() && account.OverProtected(t, c.Text[at.From:at.To]) {
		c.Text = showcreate.Edited(c.Text, showcreate.Edit{Span: at})
	}
	return c
}

// Column is the definition of a stored column that takes NULL, or does not.
func Column(name, typ string, notNull bool) showcreate.Column {
	text := identifier.Quoted(name) + " " + typ
	if notNull {
		text += " NOT NULL"
	} else {
		text += " DEFAULT NULL"
	}
	return showcreate.Column{Name: name, Text: text}
}

// Member is the stored column of a member of a family: its name in its place, and no value.
func Member(name string) showcreate.Column {
	return showcreate.Column{Name: name, Text: showcreate.WithoutValue(name)}
}

// Key puts a key over the layers. A comment of a key over protected columns
// is not shown to the server.
func Key(t *catalog.Table, account *showcreate.Key, k *catalog.Key) showcreate.Key {
	out := *account
	out.Parts = append([]showcreate.Part(nil), account.Parts...)
	hides := false
	for i := range k.Parts {
		if k.Parts[i].Layer == 0 {
			continue
		}
		hides = true
		name := t.Columns[t.Column(k.Parts[i].Column)].Layer(k.Parts[i].Layer).Stored
		text := identifier.Quoted(name)
		if k.Parts[i].Desc {
			text += " DESC"
		}
		out.Parts[i] = showcreate.Part{Text: text, Name: name, Desc: k.Parts[i].Desc}
	}
	if at := showcreate.TailComment(out.Tail); hides && !at.Empty() {
		out.Tail = showcreate.Edited(out.Tail, showcreate.Edit{Span: at, Text: "''"})
	}
	return out
}

// InPlaceType says that servers make a stored type of another without copying the table: it is the
// same, or longer with as many bytes for the length.
func InPlaceType(from, to string) bool {
	const short = 255
	return from == to || strings.HasPrefix(from, "varbinary") && strings.HasPrefix(to, "varbinary") &&
		(showcreate.TypeLength(from) > short) == (showcreate.TypeLength(to) > short)
}
