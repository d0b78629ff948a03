package sql

import (
	"bytes"

	"tunic/internal/sql/lex"
)

// spacedFunctions are the functions that IGNORE_SPACE is about (MySQL manual, "Function Name Parsing and Resolution"),
// those of MariaDB with them: their names are names of anything else where a space is before the parenthesis.
var spacedFunctions = lex.NewWordSet("ADDDATE", "ADD_MONTHS", "BIT_AND", "BIT_OR", "BIT_XOR", "CAST", "CONVERT", "COUNT", "CUME_DIST", "CURDATE", "CURTIME",
	"DATE_ADD", "DATE_FORMAT", "DATE_SUB", "DECODE", "DENSE_RANK", "EXTRACT", "FIRST_VALUE", "GROUP_CONCAT", "JSON_ARRAYAGG", "JSON_OBJECTAGG",
	"LAG", "LAST_VALUE", "LEAD", "MAX", "MEDIAN", "MID", "MIN", "NOW", "NTH_VALUE", "NTILE", "PERCENTILE_CONT", "PERCENTILE_DISC", "PERCENT_RANK",
	"POSITION", "RANK", "ROW_NUMBER", "SESSION_USER", "STD", "STDDEV", "STDDEV_POP", "STDDEV_SAMP", "ST_COLLECT", "SUBDATE", "SUBSTR", "SUBSTRING",
	"SUM", "SYSDATE", "SYSTEM_USER", "TRIM", "TRIM_ORACLE", "VARIANCE", "VAR_POP", "VAR_SAMP", "XMLAGG")

// hasSpacedFunction reports whether such a name has a space or a comment between it and a parenthesis.
func hasSpacedFunction(text []byte, m Modes) bool {
	named, end := false, 0
	c := lex.NewCursor(text, m)
	for ; !c.Ended(); c.Next() {
		switch c.Token {
		case lex.Code, lex.CodeEnd, lex.Note: // of a comment
			continue
		case lex.Open:
			if named && c.Lexer.From > end {
				return true
			}
		}
		named, end = c.Token == lex.Word && spacedFunctions.Has(c.Text()), c.Lexer.Pos
	}
	return !c.Finished()
}

// ReadAlike reports whether a text is read the same in two modes of one server, by what is in it: false
// where in doubt.
func ReadAlike(text []byte, a, b Modes) bool {
	if a == b {
		return true
	}
	differs := a ^ b
	if differs&lex.CharsetMask != 0 && (!lex.ASCII(text) || a.Charset() == lex.CharsetSwe7 || b.Charset() == lex.CharsetSwe7) {
		return false
	}
	for _, of := range []struct {
		mode  Modes
		bytes string
	}{{ANSIQuotes, `"`}, {NoBackslashEscapes, `\`}, {PipesAsConcat, "|"}} {
		if differs&of.mode != 0 && bytes.ContainsAny(text, of.bytes) {
			return false
		}
	}
	if differs&IgnoreSpace != 0 && hasSpacedFunction(text, a) {
		return false
	}
	if differs&HighNotPrecedence != 0 && ContainsFold(text, "not") {
		return false
	}
	return differs&^(lex.CharsetMask|ANSIQuotes|NoBackslashEscapes|PipesAsConcat|IgnoreSpace|HighNotPrecedence) == 0
}

// IsRead reports whether a text is one statement of which there is a tree.
func IsRead(text []byte, modes Modes) bool {
	read, err := Parse(text, modes)
	if err != nil || len(read) != 1 {
		return false
	}
	_, err = read[0].Tree()
	return err == nil
}
