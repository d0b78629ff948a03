package sql

import "bytes"

// AppendLiteralName appends how servers name the column of an item that is a string or a number, whose
// parentheses and plus signs go for nothing: by the value of the string, without what is blank before it, and
// by the number as it is written. Of strings in a row MySQL takes the first, up to a zero byte (names.cc of
// MySQL, set_name of MariaDB's item.cc). false: the item is something else, which is named by its text.
func AppendLiteralName(dst, item []byte, m Modes) ([]byte, bool) {
	var lx lexer
	lx.reset(item, m)
	open, t := 0, lx.next()
	for ; t == tokenOpen || t == tokenOp && item[lx.from] == '+' && lx.pos == lx.from+1; t = lx.next() {
		if t == tokenOpen {
			open++
		}
	}
	if t == tokenWord && item[lx.from] == '_' {
		if t = lx.next(); t != tokenString {
			return dst, false
		}
	}
	start := len(dst)
	switch t {
	case tokenString, tokenNString:
		dst = appendStringName(dst, &lx, t)
		for t = tokenString; t == tokenString; {
			t = lx.next()
		}
		dst = append(dst[:start], withoutBlanks(dst[start:])...)
	case tokenNumber, tokenFloat:
		dst = append(dst, lx.value()...)
		t = lx.next()
	default:
		return dst, false
	}
	for ; t == tokenClose; t = lx.next() {
		open--
	}
	if t != tokenEnd || open != 0 || lx.unclean {
		return dst[:start], false
	}
	return dst, true
}

// appendStringName appends the value of the strings that begin with the current token, as far as it is
// in the name.
func appendStringName(dst []byte, lx *lexer, t token) []byte {
	ahead := *lx
	if lx.modes&MariaDB != 0 {
		return appendStrings(dst, &ahead, t)
	}
	start := len(dst)
	ahead.text = ahead.text[:ahead.pos] // the first alone
	dst = appendStrings(dst, &ahead, t)
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
