package plan

import (
	"bytes"

	"tunic/internal/policy"
	"tunic/internal/sql"
	"tunic/internal/sqlerr"
)

// A text that cannot be read with certainty is a mistake of the client's more often than
// not: a string without its end, a number that is none. The server says so best. It may
// have the text if nothing in it could be read as the name of anything protected, however
// it is read, nor make or run anything that is not in it.

// isWord reports whether a byte is one of a name's.
func isWord(c byte) bool {
	return c == '_' || c == '$' || c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z'
}

// guess is what can be told of a text that cannot be read: the words in it, which are
// wherever names can be.
type guess struct {
	words []string
	// tables says that it may name tables, quoted that names may be more than words.
	tables, quoted bool
}

// Limits of a text that is looked at.
const (
	guessBytesMax = 16 << 10
	guessWordsMax = 64
)

// guessed looks at a text; ok is false if the server must not have it.
func (k *knowledge) guessed(text []byte) (g guess, ok bool) {
	if k.catalog == nil || len(text) > guessBytesMax || bytes.IndexByte(text, '\\') >= 0 || policy.MayAnnotate(text) ||
		sql.ContainsFold(text, "mysql50") || k.catalog.Within(text) {
		return guess{}, false
	}
	g.quoted = bytes.ContainsAny(text, "`\"[")
	for rest := text; len(rest) > 0; {
		n := wordBytes(rest)
		if n < 0 || len(g.words) == guessWordsMax {
			return guess{}, false
		}
		if n == 0 {
			rest = rest[1:]
			continue
		}
		word := bytes.ToUpper(rest[:n])
		if runsOthers[string(word)] {
			return guess{}, false
		}
		g.tables = g.tables || beforeTables[string(word)]
		g.words = append(g.words, string(rest[:n]))
		rest = rest[n:]
	}
	return g, true
}

// wordBytes is how long the word at the beginning of a text is; -1 if that is a letter that
// not all servers read alike.
func wordBytes(text []byte) int {
	for i, c := range text {
		switch {
		case c >= 0x80 || c == 0:
			return -1
		case !isWord(c) && c != '$':
			return i
		}
	}
	return len(text)
}

// runsOthers are words by which a statement makes something that outlives it, or runs
// another that is not in it as it stands.
var runsOthers = map[string]bool{
	"CREATE": true, "ALTER": true, "RENAME": true, "PREPARE": true, "EXECUTE": true, "IMMEDIATE": true, "CALL": true,
	"LOAD": true, "BINLOG": true, "HANDLER": true, "IMPORT": true,
}

// beforeTables are the words without one of which no statement names a table.
var beforeTables = map[string]bool{
	"FROM": true, "JOIN": true, "STRAIGHT_JOIN": true, "INTO": true, "UPDATE": true, "INSERT": true, "REPLACE": true, "DELETE": true,
	"TABLE": true, "TABLES": true, "TRUNCATE": true, "DROP": true, "DESC": true, "DESCRIBE": true, "EXPLAIN": true, "ANALYZE": true,
	"SHOW": true, "LOCK": true, "USING": true, "FLUSH": true, "CHECKSUM": true, "CACHE": true, "GRANT": true, "REVOKE": true, "ON": true,
	"FOR": true, "OF": true, "VIEW": true, "VALUE": true,
}

// letUnread lets the server have what it will refuse.
func (k *knowledge) letUnread(p *Plan, s *sql.Statement, text []byte) bool {
	if s.Kind != sql.Unknown {
		return false
	}
	g, ok := k.guessed(text[s.Start:])
	if ok && g.tables {
		f := p.forward()
		f.Guesses, f.AnyTable = g.words, g.quoted
	}
	return ok
}

// misexecutes refuses an EXECUTE that cannot be read: it names no table, but may have values of
// protected columns.
func (k *knowledge) misexecutes(p *Plan, read []sql.Statement) bool {
	for i := range read {
		if read[i].Kind != sql.Execute || k.catalog == nil {
			continue
		}
		if _, ok := read[i].Textual(); !ok {
			p.refuse(sqlerr.StatementUnread())
			return true
		}
	}
	return false
}
