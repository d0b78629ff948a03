package sql

import (
	"bytes"

	"tunic/internal/sql/lex"
)

// Asks is what a text may ask about the statement before it. A statement of tunic's own in between
// would change the answer.
type Asks struct {
	Rows     bool // ROW_COUNT() or FOUND_ROWS(), or GET DIAGNOSTICS with ROW_COUNT
	Warnings bool // @@warning_count or @@error_count
	List     bool // SHOW WARNINGS, SHOW ERRORS, or any GET DIAGNOSTICS
}

// Any reports whether it asks anything.
func (a Asks) Any() bool { return a != Asks{} }

func (a Asks) or(b Asks) Asks {
	return Asks{Rows: a.Rows || b.Rows, Warnings: a.Warnings || b.Warnings, List: a.List || b.List}
}

// AsksIn is what a text that is read in modes m may ask. What is in its strings and comments asks
// nothing, unless it may run them.
func AsksIn(text []byte, m Modes) Asks {
	if !asksByWords(text).Any() {
		return Asks{}
	}
	a := asker{text: text}
	a.lx.Reset(text, m)
	return a.read()
}

// AsksInAny is what a text may ask in any sql_mode and any character set of a client. The flavor is
// that of m.
func AsksInAny(text []byte, m Modes) Asks {
	if !asksByWords(text).Any() {
		return Asks{}
	}
	charsets := []lex.Charset{lex.CharsetUTF8}
	if !lex.ASCII(text) {
		charsets = append(charsets, lex.CharsetGBK, lex.CharsetSJIS, lex.CharsetBig5, lex.CharsetGB18030)
	}
	var all Asks
	for _, quotes := range []Modes{0, ANSIQuotes, MSSQL | ANSIQuotes} {
		for _, escapes := range []Modes{0, NoBackslashEscapes} {
			for _, cs := range charsets {
				a := asker{text: text}
				a.lx.Reset(text, (m&^(ANSIQuotes|MSSQL|NoBackslashEscapes) | quotes | escapes).WithClass(cs))
				all = all.or(a.read())
			}
		}
	}
	return all
}

// asksByWords is what the words in a text may ask, wherever they are.
func asksByWords(text []byte) Asks {
	diagnostics := ContainsFold(text, "diagnostics")
	return Asks{
		Rows:     calls(text, "row_count") || calls(text, "found_rows") || diagnostics && ContainsFold(text, "row_count"),
		Warnings: bytes.Contains(text, []byte("@@")) && (ContainsFold(text, "warning_count") || ContainsFold(text, "error_count")),
		List:     diagnostics || ContainsFold(text, "warnings") || ContainsFold(text, "errors"),
	}
}

// asker reads what a text asks.
type asker struct {
	lx    lex.Lexer
	text  []byte
	first []byte // the first word of the statement
	asks  Asks
}

func (a *asker) read() Asks {
	called := Asks{} // if a parenthesis follows
	for t := a.lx.Next(); ; t = a.lx.Next() {
		if t == lex.Open {
			a.asks = a.asks.or(called)
		}
		called = Asks{}
		switch t {
		case lex.End:
			if a.lx.Unclean {
				return asksByWords(a.text)
			}
			return a.asks
		case lex.Error:
			if a.unclosed() {
				return a.asks
			}
			return asksByWords(a.text)
		case lex.Semi:
			a.first = nil
		case lex.Word:
			if a.word(a.lx.Value()) {
				return asksByWords(a.text)
			}
			called.Rows = isCount(a.lx.Value())
		case lex.Quoted:
			called.Rows = isCount(bytes.Trim(a.lx.Value(), "`\"[]"))
		case lex.SysVar:
			a.asks.Warnings = a.asks.Warnings || asksByWords(a.lx.Value()).Warnings
		case lex.Note:
			a.asks = a.asks.or(asksByWords(a.lx.Value()))
		}
	}
}

// unclosed reports whether the lexer has stopped at a quote that nothing closes: no server carries
// out such a statement.
func (a *asker) unclosed() bool {
	return a.lx.From < len(a.text) && bytes.IndexByte([]byte("'\"`"), a.text[a.lx.From]) >= 0
}

// word notes a word that is not in quotes, and reports whether the statement may run others, which
// may be in its strings.
func (a *asker) word(word []byte) (runs bool) {
	if a.first == nil {
		a.first = word
	}
	switch {
	case lex.Is(a.first, "SHOW"):
		a.asks.List = a.asks.List || lex.Is(word, "WARNINGS") || lex.Is(word, "ERRORS")
	case lex.Is(a.first, "GET"):
		a.asks.List = a.asks.List || lex.Is(word, "DIAGNOSTICS")
		a.asks.Rows = a.asks.Rows || lex.Is(word, "ROW_COUNT")
	case lex.Is(a.first, "SET"):
		return lex.Is(word, "STATEMENT")
	}
	return !asksItself.Has(a.first)
}

// asksItself are the words that statements begin with which run no other, but SET STATEMENT.
var asksItself = lex.NewWordSet("SELECT", "WITH", "VALUES", "TABLE", "INSERT", "REPLACE", "UPDATE", "DELETE", "DO", "SET", "SHOW", "GET",
	"CREATE", "ALTER", "DROP", "RENAME", "TRUNCATE", "GRANT", "REVOKE", "ANALYZE", "CHECK", "OPTIMIZE", "REPAIR",
	"EXPLAIN", "DESCRIBE", "DESC", "LOAD", "USE", "COMMIT", "ROLLBACK", "SAVEPOINT", "START", "LOCK", "UNLOCK", "KILL", "FLUSH")

// isCount reports whether a name is that of a function which counts rows of the statement before.
func isCount(name []byte) bool { return lex.Is(name, "ROW_COUNT") || lex.Is(name, "FOUND_ROWS") }

// calls says whether the text may call a function, whose name is in lower-case ASCII
// letters: the name as a word, in quotes or not, before a parenthesis or a comment.
func calls(text []byte, name string) bool {
	for i := 0; i+len(name) < len(text); i++ {
		if text[i]|0x20 != name[0] || !bytes.EqualFold(text[i:i+len(name)], []byte(name)) || i > 0 && text[i-1] < 0x80 && lex.IsWord(text[i-1]) {
			continue
		}
		rest := bytes.TrimLeft(text[i+len(name):], "`\"] \t\r\n\v\f\x00")
		if len(rest) > 0 && bytes.IndexByte([]byte("(/#-"), rest[0]) >= 0 {
			return true
		}
	}
	return false
}

// ContainsFold is strings.Contains for a word of lower-case ASCII letters, in any case.
func ContainsFold(text []byte, word string) bool {
	for i := 0; i+len(word) <= len(text); i++ {
		if text[i]|0x20 == word[0] && bytes.EqualFold(text[i:i+len(word)], []byte(word)) {
			return true
		}
	}
	return false
}
