package ddl

import (
	"strings"

	tsql "tunic/internal/sql"
)

// respell writes a text of SHOW CREATE TABLE's form for a session: where a
// backslash in a string stands for itself, strings have none.
func respell(text string, m tsql.Modes) string {
	if m&tsql.NoBackslashEscapes == 0 {
		return text
	}
	var edits []edit
	for _, t := range tokens(text) {
		if s := t.of(text); t.kind == tokenString && s[0] == '\'' && strings.IndexByte(s, '\\') >= 0 {
			edits = append(edits, edit{span: span{from: t.from, to: t.to}, text: string(tsql.AppendString(nil, []byte(unquoteString(s)), m))})
		}
	}
	return edited(text, edits...)
}
