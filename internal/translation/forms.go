package translation

import (
	"regexp"
	"strings"
)

// literals are strings and hexadecimal numbers, and names in backquotes, which may
// have either in them. What a string has no end of is all of it.
var literals = regexp.MustCompile("(?s)`(?:[^`]|``)*`|[xXbBnN]?'(?:[^'\\\\]|\\\\.|'')*(?:'|$)|\\b0[xX][0-9a-fA-F]+")

// HideForms puts a question mark in the place of each literal that can be a stored
// form, in a text of the server's about the stored statement.
func HideForms(text string) string {
	return literals.ReplaceAllStringFunc(text, func(found string) string {
		if strings.HasPrefix(found, "`") {
			return found
		}
		return "?"
	})
}
