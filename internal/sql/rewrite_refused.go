package sql

import "tunic/internal/sql/lex"

// What the library reads and no server does is refused here, where the words tell it.

// spacedNames are the functions that are called only without a space before the parenthesis, on all servers,
// unless IGNORE_SPACE is set: with one they are names of anything else, also of a function of the client's.
var spacedNames = lex.NewWordSet("ADDDATE", "BIT_AND", "BIT_OR", "BIT_XOR", "CAST", "COUNT", "CURDATE", "CURTIME", "DATE_ADD", "DATE_SUB", "EXTRACT",
	"GROUP_CONCAT", "JSON_ARRAYAGG", "JSON_OBJECTAGG", "MAX", "MID", "MIN", "NOW", "POSITION", "SESSION_USER", "STD", "STDDEV", "STDDEV_POP",
	"STDDEV_SAMP", "SUBDATE", "SUBSTR", "SUBSTRING", "SUM", "SYSTEM_USER", "TRIM", "VARIANCE", "VAR_POP", "VAR_SAMP")

// beforeValue are words behind which a value stands.
var beforeValue = lex.NewWordSet("SELECT", "ALL", "DISTINCT", "DISTINCTROW", "SQL_SMALL_RESULT", "SQL_BIG_RESULT", "SQL_BUFFER_RESULT", "SQL_CACHE",
	"SQL_NO_CACHE", "SQL_CALC_FOUND_ROWS", "WHERE", "HAVING", "ON", "BY", "AND", "OR", "XOR", "NOT", "BETWEEN", "LIKE", "REGEXP", "RLIKE", "CASE", "WHEN",
	"THEN", "ELSE", "DIV", "MOD", "INTERVAL", "BINARY", "RETURN", "RETURNING")

// written says of the tokens that were read last what makes the next one wrong.
type written struct {
	spaced bool // the word before is the name of a function that no space may follow
	alias  bool // the string before is an alias
}

// follow takes note of a token that stands behind prev, which is the word prevWord if it is one.
func (w *written) follow(lx *lex.Lexer, t, prev lex.Token, prevWord []byte, k Kind) {
	switch t {
	case lex.Word:
		w.spaced = spacedNames.Has(lx.Value()) && lx.Modes&lex.IgnoreSpace == 0 && hasValues[k] && isBeforeValue(prev, prevWord)
	case lex.String, lex.NString:
		w.alias = prev == lex.Close || prev == lex.Quoted || prev == lex.Null || prev.IsLiteral() || prev == lex.Word && lex.Is(prevWord, "AS")
	}
}

// isSpaced reports whether a token is the parenthesis of such a function, and something is before it.
func (w *written) isSpaced(lx *lex.Lexer, t, prev lex.Token) bool {
	return w.spaced && t == lex.Open && prev == lex.Word && lx.Gap < lx.From
}

// hasValues are the kinds of statements that define no table.
var hasValues = map[Kind]bool{
	Select: true, SetOperation: true, Values: true, Insert: true, Replace: true, Update: true, Delete: true, Do: true, Explain: true,
}

// isBeforeValue reports whether a value stands behind a token.
func isBeforeValue(t lex.Token, word []byte) bool {
	return t == lex.Open || t == lex.Comma || t == lex.Op || t == lex.Word && beforeValue.Has(word)
}

// isOne says that strings in a row are one where they stand: an alias is one string alone, and so is what a definition of
// a table has of them, as the members of an ENUM, but for what is in its expressions.
func (w *written) isOne(k Kind) bool { return !w.alias && k != CreateTable && k != AlterTable }
