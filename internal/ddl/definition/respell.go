package definition

import (
	"strings"

	tsql "tunic/internal/sql"

	"tunic/internal/ddl/showcreate"
)

// Respell writes a text of SHOW CREATE TABLE's form for a session: where a
// backslash in a string stands for itself, strings have none.
func Respell(text string, m tsql.Modes) string {
	if m&tsql.NoBackslashEscapes == 0 {
		return text
	}
	var edits []showcreate.Edit
	for _, t := range showcreate.Tokens(text) {
		if s := t.Of(text); t.Kind == showcreate.TokenString && s[0] == '\'' && strings.IndexByte(s, '\\') >= 0 {
			edits = append(edits, showcreate.Edit{Span: showcreate.Span{From: t.From, To: t.To}, Text: string(tsql.AppendString(nil, []byte(showcreate.UnquoteString(s)), m))})
		}
	}
	return showcreate.Edited(text, edits...)
}
