package lex

import "encoding/binary"

// A class says what kind of token may begin with a byte.
type class uint8

const (
	classOther class = iota // an operator of one byte, or a byte without meaning
	classSpace
	classWord // letters, _, $ and every byte above 0x7f
	classDigit
	classQuote  // '
	classDouble // "
	classTick   // `
	classBracket
	classAt
	classDot
	classColon
	classSlash
	classDash
	classHash
	classStar
	classOpen
	classClose
	classComma
	classSemi
	classParam
	classBackslash
	classes_ // how many there are
)

// classes is the lexer's first table, by byte. wordBytes is the second: what
// may continue a word.
var classes, wordBytes = makeClasses()

func makeClasses() (c [256]class, word [256]bool) {
	for _, b := range []byte(" \t\n\v\f\r") {
		c[b] = classSpace
	}
	for b := range 256 {
		switch {
		case b >= 'a' && b <= 'z', b >= 'A' && b <= 'Z', b == '_', b == '$', b >= 0x80:
			c[b], word[b] = classWord, true
		case b >= '0' && b <= '9':
			c[b], word[b] = classDigit, true
		}
	}
	for b, k := range map[byte]class{
		'\'': classQuote, '"': classDouble, '`': classTick, '[': classBracket, '@': classAt, '.': classDot,
		':': classColon, '/': classSlash, '-': classDash, '#': classHash, '*': classStar, '(': classOpen,
		')': classClose, ',': classComma, ';': classSemi, '?': classParam, '\\': classBackslash,
	} {
		c[b] = k
	}
	return c, word
}

// IsSpace says whether a byte is white space outside quotes.
func IsSpace(b byte) bool { return classes[b] == classSpace }

// IsDigit says whether a byte is a decimal digit.
func IsDigit(b byte) bool { return classes[b] == classDigit }

// IsWord says whether a byte may continue a word.
func IsWord(b byte) bool { return wordBytes[b] }

// SkipSpace returns the index of the first byte at or after text[i] that is no white space.
func SkipSpace(text []byte, i int) int {
	for i < len(text) && IsSpace(text[i]) {
		i++
	}
	return i
}

// CharLen is the number of bytes of the character at text[i] when the
// character is of more than one byte and one of them may be below 0x80; else 1.
// A sequence that is not valid is read byte by byte, as the server does.
func (c Charset) CharLen(text []byte, i int) int {
	if i+1 >= len(text) || text[i] < 0x80 {
		return 1
	}
	head, tail := text[i], text[i+1]
	switch c {
	case CharsetGBK:
		if head >= 0x81 && head <= 0xfe && (in(tail, 0x40, 0x7e) || in(tail, 0x80, 0xfe)) {
			return 2
		}
	case CharsetSJIS:
		if (in(head, 0x81, 0x9f) || in(head, 0xe0, 0xfc)) && (in(tail, 0x40, 0x7e) || in(tail, 0x80, 0xfc)) {
			return 2
		}
	case CharsetBig5:
		if in(head, 0xa1, 0xf9) && (in(tail, 0x40, 0x7e) || in(tail, 0xa1, 0xfe)) {
			return 2
		}
	case CharsetGB18030:
		return gb18030Len(text[i:])
	}
	return 1
}

// gb18030Len is the length of the character at the start of a text of at least
// two bytes: two bytes, four, or one where the sequence is not valid.
func gb18030Len(text []byte) int {
	if !in(text[0], 0x81, 0xfe) {
		return 1
	}
	if in(text[1], 0x40, 0x7e) || in(text[1], 0x80, 0xfe) {
		return 2
	}
	if len(text) >= 4 && in(text[1], '0', '9') && in(text[2], 0x81, 0xfe) && in(text[3], '0', '9') {
		return 4
	}
	return 1
}

func in(b, low, high byte) bool { return b >= low && b <= high }

// mixed says that a byte below 0x80 may be the second of a character, so that
// quoted text has to be read character by character.
func (c Charset) mixed() bool {
	return c >= CharsetGBK && c <= CharsetGB18030
}

// findEither returns the first index at or after i of a or b in text, or
// len(text). Eight bytes at a time: it runs over every string literal.
func findEither(text []byte, i int, a, b byte) int {
	const ones, highs = 0x0101010101010101, 0x8080808080808080
	wordA, wordB := ones*uint64(a), ones*uint64(b)
	for ; i+8 <= len(text); i += 8 {
		w := binary.LittleEndian.Uint64(text[i:])
		x, y := w^wordA, w^wordB
		if ((x-ones)&^x|(y-ones)&^y)&highs != 0 {
			break
		}
	}
	for ; i < len(text); i++ {
		if text[i] == a || text[i] == b {
			return i
		}
	}
	return len(text)
}
