package sqlerr

import "strings"

// Redacted is a message of a server's for a log or an operator, without what it quotes: a value may
// be in it, and may have quotes in it itself. So all between the first quote and the last is left out.
func Redacted(message string) string {
	const quotes = "'\"`"
	first, last := strings.IndexAny(message, quotes), strings.LastIndexAny(message, quotes)
	switch {
	case first < 0:
		return message
	case first == last:
		return message[:first] + "…"
	}
	return message[:first+1] + "…" + message[last:]
}
