package identifier

import "strings"

// Quoted is a name as a statement has it, in every sql_mode.
func Quoted(name string) string { return "`" + strings.ReplaceAll(name, "`", "``") + "`" }

// Append appends a name as Quoted has it.
func Append[Name string | []byte](dst []byte, name Name) []byte {
	dst = append(dst, '`')
	for i := range len(name) {
		if name[i] == '`' {
			dst = append(dst, '`')
		}
		dst = append(dst, name[i])
	}
	return append(dst, '`')
}

// Unquoted is the name that Quoted has written. A text that is not in backquotes is returned as it is.
func Unquoted(text string) string {
	if len(text) < 2 || text[0] != '`' || text[len(text)-1] != '`' {
		return text
	}
	return strings.ReplaceAll(text[1:len(text)-1], "``", "`")
}
