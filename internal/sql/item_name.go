package sql

import (
	"bytes"

	"tunic/internal/sql/fingerprint"
	"tunic/internal/sql/lex"
)

// AppendLiteralName appends how servers name the column of an item that is a string or a number, whose
// parentheses and plus signs go for nothing: by the value of the string, without what is blank before it, and
// by the number as it is written. Of strings in a row MySQL takes the first, up to a zero byte (names.cc of
// MySQL, set_name of MariaDB's item.cc). false: the item is something else, which is named by its text.
func AppendLiteralName(dst, item []byte, m Modes) ([]byte, bool) {
	var lx lex.Lexer
	lx.Reset(item, m)
	open, t := 0, lx.Next()
	for ; t == lex.Open || t == lex.Op && item[lx.From] == '+' && lx.Pos == lx.From+1; t = lx.Next() {
		if t == lex.Open {
			open++
		}
	}
	if t == lex.Word && item[lx.From] == '_' {
		if t = lx.Next(); t != lex.String {
			return dst, false
		}
	}
	start := len(dst)
	switch t {
	case lex.String, lex.NString:
		dst = appendStringName(dst, &lx, t)
		for t = lex.String; t == lex.String; {
			t = lx.Next()
		}
		dst = append(dst[:start], withoutBlanks(dst[start:])...)
	case lex.Number, lex.Float:
		dst = append(dst, lx.Value()...)
		t = lx.Next()
	default:
		return dst, false
	}
	for ; t == lex.Close; t = lx.Next() {
		open--
	}
	if t != lex.End || open != 0 || lx.Unclean {
		return dst[:start], false
	}
	return dst, true
}

// appendStringName appends the value of the strings that begin with the current token, as far as it is
// in the name.
func appendStringName(dst []byte, lx *lex.Lexer, t lex.Token) []byte {
	ahead := *lx
	if lx.Modes&MariaDB != 0 {
		return fingerprint.AppendStrings(dst, &ahead, t)
	}
	start := len(dst)
	ahead.Text = ahead.Text[:ahead.Pos] // the first alone
	dst = fingerprint.AppendStrings(dst, &ahead, t)
	if zero := bytes.IndexByte(dst[start:], 0); zero >= 0 {
		dst = dst[:start+zero]
	}
	return dst
}

// withoutBlanks is a name without the characters before it that show nothing.
func withoutBlanks(name []byte) []byte {
	const del = 0x7f
	return bytes.TrimLeftFunc(name, func(r rune) bool { return r <= ' ' || r == del })
}
