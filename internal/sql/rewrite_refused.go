package sql

import "tunic/internal/sql/lex"

// What the library reads and no server does is refused here, where the words tell it.

// spacedNames are the functions that are called only without a space before the parenthesis, on all servers,
// unless IGNORE_SPACE is set: with one they are names of anything else, also of a function of the client's.
var spacedNames = lex.NewWordSet("ADDDATE", "BIT_AND", "BIT_OR", "BIT_XOR", "CAST", "COUNT", "CURDATE", "CURTIME", "DATE_ADD", "DATE_SUB", "EXTRACT",
	"GROUP_CONCAT", "JSON_ARRAYAGG", "JSON_OBJECTAGG", "MAX", "MID", "MIN", "NOW", "POSITION", "SESSION_USER", "STD", "STDDEV", "STDDEV_POP",
	"STDDEV_SAMP", "SUBDATE", "SUBSTR", "SUBSTRING", "SUM", "SYSTEM_USER", "TRIM", "VARIANCE", "VAR_POP", "VAR_SAMP")

// beforeValue are words behind which a value stands.
var beforeValue = lex.NewWordSet("SELECT", "DISTINCT", "WHERE", "HAVING", "ON", "BY", "AND", "OR", "XOR", "NOT", "BETWEEN", "LIKE", "CASE", "WHEN", "THEN",
	"ELSE", "DIV", "MOD", "INTERVAL", "BINARY", "RETURN", "RETURNING")

// followRefused takes note of what the next tokens could make wrong.
func (r *respeller) followRefused(t lex.Token, value []byte) {
	switch t {
	case lex.Word:
		r.spaced = spacedNames.Has(value) && r.lx.Modes&IgnoreSpace == 0 && r.beforeValue()
	case lex.String, lex.NString:
		r.alias = r.prev == lex.Close || r.prev == lex.Quoted || r.prev == lex.Null || r.prev.IsLiteral() || r.after("AS")
	}
}

// isSpaced reports whether the current token is the parenthesis of such a function, and something is before it.
func (r *respeller) isSpaced(t lex.Token) bool {
	return t == lex.Open && r.prev == lex.Word && r.spaced && r.lx.Gap < r.lx.From
}

// beforeValue says that a value stands where the current token does, in a statement that defines no table.
func (r *respeller) beforeValue() bool {
	switch r.kind {
	case Select, SetOperation, Values, Insert, Replace, Update, Delete, Do, Explain:
	default:
		return false
	}
	return r.prev == lex.Open || r.prev == lex.Comma || r.prev == lex.Op || r.prev == lex.Word && beforeValue.Has(r.prevWord)
}

// isOne says that strings in a row are one where they stand: an alias is one string alone, and so is what a definition of
// a table has of them, as the members of an ENUM, but for what is in its expressions.
func (r *respeller) isOne() bool {
	return !r.alias && r.kind != CreateTable && r.kind != AlterTable
}
