package show

import (
	"encoding/hex"
	"strings"
)

// literal is a string that reads alike in every session. Without an introducer it
// has the collation of the client's own literals.
func literal(s string) string {
	if strings.ContainsFunc(s, func(r rune) bool { return !strings.ContainsRune(plainRunes, r) }) {
		return "_utf8mb4 X'" + hex.EncodeToString([]byte(s)) + "'"
	}
	return "'" + s + "'"
}

// plainRunes need no care within quotes.
const plainRunes = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_$ (),.+-"

// keysAre is the condition that keys, of which the first two name a table, have these values. Names of tables are compared by
// their bytes where their case matters.
func keysAre(keys []string, of string, values []string, folds bool) string {
	var all []string
	for i, k := range keys {
		all = append(all, of+k+" = "+values[i])
		if i < 2 && !folds {
			all = append(all, "CAST("+of+k+" AS BINARY) = CAST("+values[i]+" AS BINARY)")
		}
	}
	return strings.Join(all, " AND ")
}

// inUTF8 is a literal whose bytes are those of UTF-8 whatever the session's character set.
func inUTF8(literal string) string {
	if literal[0] == '\'' {
		return "_utf8mb4" + literal
	}
	return literal
}
