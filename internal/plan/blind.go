package plan

import (
	"bytes"

	"tunic/internal/sql"
	"tunic/internal/sqlerr"
)

// Protects says whether anything may be protected. If not, no plan depends on
// how a text is read.
func (p *Planner) Protects() bool { return p.catalog != nil || !p.names.Empty() }

// PlanBlind is Plan for a session of which nobody knows in which modes the
// server reads its texts; m is a guess. A text that all servers read alike in
// all modes gets its plan; any other might name something protected, and is
// refused if anything is.
func (p *Planner) PlanBlind(fp *sql.Fingerprinter, text []byte, m sql.Modes, schema string) *Plan {
	if !p.Protects() || readsAlike(text) {
		return p.Plan(fp, text, m, schema)
	}
	return unread
}

// unread is the plan of a text that cannot be read.
var unread = &Plan{
	Action:     Refuse,
	Refusal:    sqlerr.StatementUnread(),
	Statements: []Statement{{Kind: sql.Unknown, Effects: sql.Effects{Stale: true}}},
}

// readsAlike says that the bytes of text are read alike under every sql_mode and
// in every character set of a client. Left out are the quotes that modes turn
// into each other, the backslash, and what is a letter in a national set of 7
// bits or a part of a character in a set of several bytes.
func readsAlike(text []byte) bool {
	for _, c := range text {
		if c >= 0x7f || bytes.IndexByte([]byte("\"\\`[]{}|^~"), c) >= 0 {
			return false
		}
	}
	return true
}

// ReadsOutcome says whether the text may ask how the statement before it went:
// how many rows it found or changed, its warnings and errors. A statement of
// tunic's own in between would change the answer. True where in doubt: the text
// is not read, only searched.
func ReadsOutcome(text []byte) bool {
	for _, word := range outcomeWords {
		if containsFold(text, word) {
			return true
		}
	}
	return false
}

// outcomeWords are in ROW_COUNT(), FOUND_ROWS(), @@warning_count and
// @@error_count, SHOW WARNINGS and SHOW ERRORS, and GET DIAGNOSTICS, in lower
// case.
var outcomeWords = []string{"row_count", "found_rows", "warning", "error", "diagnostics"}

// ReadsRowCounts says whether the text may ask how many rows the statement before it
// found or changed, with ROW_COUNT() or FOUND_ROWS(), or by GET DIAGNOSTICS.
// SQL_CALC_FOUND_ROWS asks for nothing.
func ReadsRowCounts(text []byte) bool {
	return calls(text, "row_count") || calls(text, "found_rows") || containsFold(text, "diagnostics") && containsFold(text, "row_count")
}

// ReadsCounts says whether the text may ask for @@warning_count or @@error_count.
func ReadsCounts(text []byte) bool {
	return bytes.Contains(text, []byte("@@")) && (containsFold(text, "warning_count") || containsFold(text, "error_count"))
}

// calls says whether the text may call a function, whose name is in lower-case ASCII
// letters: the name as a word, in quotes or not, before a parenthesis or a comment.
func calls(text []byte, name string) bool {
	for i := 0; i+len(name) < len(text); i++ {
		if text[i]|0x20 != name[0] || !bytes.EqualFold(text[i:i+len(name)], []byte(name)) || i > 0 && isWord(text[i-1]) {
			continue
		}
		rest := bytes.TrimLeft(text[i+len(name):], "`\" \t\r\n\v\f\x00")
		if len(rest) > 0 && bytes.IndexByte([]byte("(/#-"), rest[0]) >= 0 {
			return true
		}
	}
	return false
}

// isWord reports whether a byte is one of a name's.
func isWord(c byte) bool {
	return c == '_' || c == '$' || c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z'
}

// containsFold is strings.Contains for a word of lower-case ASCII letters, in any
// case.
func containsFold(text []byte, word string) bool {
	for i := 0; i+len(word) <= len(text); i++ {
		if text[i]|0x20 == word[0] && bytes.EqualFold(text[i:i+len(word)], []byte(word)) {
			return true
		}
	}
	return false
}
