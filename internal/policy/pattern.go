package policy

import (
	"errors"
	"strings"
	"unicode/utf8"
)

// Pattern matches columns by the three parts of their name. In each part * stands
// for any characters and ? for one; everything else stands for itself, whatever
// its case.
type Pattern struct {
	schema, table, column string // in lower case
}

// Errors of ParsePattern.
var (
	ErrParts = errors.New("a column's name has three parts: schema.table.column, each of which may have * and ?")
	ErrPart  = errors.New("a part of the name is empty, or is not UTF-8")
)

// ParsePattern reads schema.table.column. A part in backquotes may hold dots; a
// backquote in it is doubled.
func ParsePattern(text string) (Pattern, error) {
	parts, ok := splitName(text)
	if !ok || len(parts) != 3 {
		return Pattern{}, ErrParts
	}
	for _, p := range parts {
		if p == "" || !utf8.ValidString(text) {
			return Pattern{}, ErrPart
		}
	}
	return Pattern{schema: parts[0], table: parts[1], column: parts[2]}, nil
}

// splitName cuts a name at its dots and lowers its letters.
func splitName(text string) (parts []string, ok bool) {
	var part strings.Builder
	quoted := false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '`' && quoted && i+1 < len(text) && text[i+1] == '`':
			part.WriteByte(c)
			i++
		case c == '`':
			quoted = !quoted
		case c == '.' && !quoted:
			parts = append(parts, strings.ToLower(part.String()))
			part.Reset()
		default:
			part.WriteByte(c)
		}
	}
	return append(parts, strings.ToLower(part.String())), !quoted
}

// Matches reports whether the pattern is of this column.
func (p Pattern) Matches(schema, table, column string) bool {
	return p.matchesTable(schema, table) && matches(p.column, strings.ToLower(column))
}

func (p Pattern) matchesTable(schema, table string) bool {
	return matches(p.schema, strings.ToLower(schema)) && matches(p.table, strings.ToLower(table))
}

// namesTable reports whether the pattern has a table's name and its schema's in full. Then no other
// table matches.
func (p Pattern) namesTable() bool { return !strings.ContainsAny(p.schema+p.table, "*?") }

// matches is a glob over characters. A * that does not fit is tried one character
// further on; only the last one needs to be gone back to, which keeps the time
// within the product of the two lengths.
func matches(glob, name string) bool {
	star, from := -1, 0
	g, n := 0, 0
	for n < len(name) {
		_, width := utf8.DecodeRuneInString(name[n:])
		switch {
		case g < len(glob) && glob[g] == '*':
			star, from = g, n
			g++
		case g < len(glob) && glob[g] == '?':
			g, n = g+1, n+width
		case g < len(glob) && glob[g] == name[n]:
			g, n = g+1, n+1
		case star >= 0:
			_, width = utf8.DecodeRuneInString(name[from:])
			from += width
			g, n = star+1, from
		default:
			return false
		}
	}
	return strings.Trim(glob[g:], "*") == ""
}

// Glob reports whether a pattern, in which * stands for any characters and ? for one, is of
// a name, letter by letter.
func Glob(pattern, name string) bool { return matches(pattern, name) }
