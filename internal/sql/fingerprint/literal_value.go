package fingerprint

import (
	"bytes"

	"tunic/internal/sql/lex"
)

// LiteralKind says what a literal is.
type LiteralKind uint8

// The kinds of literals, and what [Literal.AppendValue] appends for them.
const (
	LiteralInvalid   LiteralKind = iota // no literal in these modes; nothing is appended
	LiteralInteger                      // digits, after a - if negative; of any length
	LiteralDecimal                      // as an integer, with a point: 1.5, .5 and 1. are possible
	LiteralFloat                        // as a decimal or an integer, with an exponent
	LiteralString                       // its bytes, in the client's character set
	LiteralNational                     // N'…': its bytes, in utf8mb3
	LiteralHex                          // x'…': its bytes
	LiteralHexNumber                    // 0x…: its bytes; in MariaDB this one is a number where one is needed
	LiteralBit                          // b'…' and 0b…: its bytes
	LiteralNull                         // nothing
	LiteralTrue                         // nothing
	LiteralFalse                        // nothing
	LiteralDate                         // DATE '…' and {d '…'}: the string's bytes
	LiteralTime                         // TIME '…' and {t '…'}: the string's bytes
	LiteralTimestamp                    // TIMESTAMP '…' and {ts '…'}: the string's bytes
)

// literalKindNames are for messages and tests.
var literalKindNames = [...]string{
	"invalid", "integer", "decimal", "float", "string", "national string", "hex", "hex number", "bit",
	"null", "true", "false", "date", "time", "timestamp",
}

func (k LiteralKind) String() string { return literalKindNames[k] }

// AppendValue appends the literal's value to dst, read from the text that it is
// of as the server reads it in modes m. It allocates only if dst is too small;
// the value is never longer than the literal.
func (l Literal) AppendValue(dst, text []byte, m lex.Modes) ([]byte, LiteralKind) {
	var lx lex.Lexer
	lx.Reset(text[:l.To], m)
	lx.Pos = int(l.From)
	start := len(dst)
	t := lx.Next()
	for ; t == lex.Op; t = lx.Next() {
		switch c := text[lx.From]; {
		case c == '-' && len(dst) == start:
			dst = append(dst, c)
		case c != '+' || len(dst) > start:
			return dst[:start], LiteralInvalid
		}
	}
	switch t {
	case lex.Number, lex.Float:
		return append(dst, lx.Value()...), numberKind(t, lx.Value())
	case lex.Hex:
		return AppendBytes(dst, lx.Value())
	case lex.String, lex.NString:
		return AppendStrings(dst, &lx, t), l.stringKind(t, text)
	case lex.Word:
		return dst[:start], constantKind(lx.Value())
	}
	return dst[:start], LiteralInvalid
}

// Introducer is the character set, without the underscore, that stands before
// the string: utf8mb4 in _utf8mb4'…'. It is nil without one.
func (l Literal) Introducer(text []byte) []byte {
	if l.word <= 0 || text[l.word] != '_' {
		return nil
	}
	return text[l.word+1 : lex.WordEnd(text, int(l.word))]
}

func numberKind(t lex.Token, value []byte) LiteralKind {
	switch {
	case t == lex.Float:
		return LiteralFloat
	case bytes.IndexByte(value, '.') >= 0:
		return LiteralDecimal
	}
	return LiteralInteger
}

func constantKind(word []byte) LiteralKind {
	switch {
	case lex.Is(word, "NULL"):
		return LiteralNull
	case lex.Is(word, "TRUE"):
		return LiteralTrue
	case lex.Is(word, "FALSE"):
		return LiteralFalse
	}
	return LiteralInvalid
}

// stringKind is the kind of a string, which the word before it may change.
func (l Literal) stringKind(t lex.Token, text []byte) LiteralKind {
	if t == lex.NString {
		return LiteralNational
	}
	if l.word <= 0 {
		return LiteralString
	}
	switch w := text[l.word:lex.WordEnd(text, int(l.word))]; {
	case lex.Is(w, "DATE"), lex.Is(w, "D"):
		return LiteralDate
	case lex.Is(w, "TIME"), lex.Is(w, "T"):
		return LiteralTime
	case lex.Is(w, "TIMESTAMP"), lex.Is(w, "TS"):
		return LiteralTimestamp
	}
	return LiteralString
}

// AppendStrings appends the value of the current token, a string, and of those
// that follow it.
func AppendStrings(dst []byte, lx *lex.Lexer, t lex.Token) []byte {
	for ; t == lex.String || t == lex.NString; t = lx.Next() {
		text := lx.Value()
		if t == lex.NString {
			text = text[1:]
		}
		dst = lex.AppendUnquoted(dst, text[1:len(text)-1], text[0], lx.Modes&lex.NoBackslashEscapes == 0, lx.Charset)
	}
	return dst
}

// AppendBytes appends the value of a hexadecimal or binary literal: x'…', 0x…,
// b'…' or 0b…, filled up with zeros on the left to whole bytes.
func AppendBytes(dst, value []byte) ([]byte, LiteralKind) {
	kind, letter, text := LiteralHex, value[0], value[2:]
	if letter == '0' {
		kind, letter = LiteralHexNumber, value[1]
	} else {
		text = text[:len(text)-1]
	}
	bits := 4
	if letter|0x20 == 'b' {
		kind, bits = LiteralBit, 1
	}
	var b byte
	for i, c := range text {
		b = b<<bits | digit(c)
		if (len(text)-1-i)*bits%8 == 0 {
			dst = append(dst, b)
			b = 0
		}
	}
	return dst, kind
}

func digit(c byte) byte {
	if lex.IsDigit(c) {
		return c - '0'
	}
	return c | 0x20 - 'a' + 10
}
