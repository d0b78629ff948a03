package lex

// QuotedEnd returns the index after the quote that ends the text that begins
// at text[i], or -1 when nothing ends it. A doubled quote stands for one; a
// backslash escapes the next byte when escapes is set.
func QuotedEnd(text []byte, i int, quote byte, escapes bool, cs Charset) int {
	if cs.mixed() {
		return quotedEndMixed(text, i, quote, escapes, cs)
	}
	second := quote
	if escapes {
		second = '\\'
	}
	for {
		i = findEither(text, i, quote, second)
		switch {
		case i >= len(text):
			return -1
		case text[i] != quote:
			i += 2
		case i+1 < len(text) && text[i+1] == quote:
			i += 2
		default:
			return i + 1
		}
	}
}

// quotedEndMixed is quotedEnd where a quote or a backslash may be the second
// byte of a character. What a backslash escapes is a byte, though.
func quotedEndMixed(text []byte, i int, quote byte, escapes bool, cs Charset) int {
	for i < len(text) {
		n := cs.CharLen(text, i)
		switch {
		case n > 1:
			i += n
		case escapes && text[i] == '\\':
			i += 2
		case text[i] != quote:
			i++
		case i+1 < len(text) && text[i+1] == quote:
			i += 2
		default:
			return i + 1
		}
	}
	return -1
}

// ReadNumber reads what begins with a digit at text[i], or with a dot and a digit.
// It may be a word after all: 1a, 0xg and 1e are identifiers; and it may be
// nothing that the server accepts (1.5e, 1.5e+).
func ReadNumber(text []byte, i int) (Token, int) {
	start := i
	if text[i] == '0' && i+1 < len(text) {
		if end := prefixed(text, i+1); end > 0 {
			return Hex, end
		}
		// The server reads 0x and 0b as the start of a word when no number
		// follows; so does the code below, since x and b are letters.
	}
	i = digits(text, i)
	if i >= len(text) || (!IsWord(text[i]) && text[i] != '.') {
		return Number, i
	}
	if text[i] == '.' {
		return fraction(text, i+1)
	}
	if end := exponent(text, i); end > 0 {
		return Float, end
	}
	return Word, WordEnd(text, start)
}

// fraction reads what follows a decimal point.
func fraction(text []byte, i int) (Token, int) {
	i = digits(text, i)
	if i >= len(text) || text[i]|0x20 != 'e' {
		return Number, i
	}
	if end := exponent(text, i); end > 0 {
		return Float, end
	}
	return Error, i
}

// exponent returns the end of the exponent at text[i], or 0 if there is none.
func exponent(text []byte, i int) int {
	if text[i]|0x20 != 'e' {
		return 0
	}
	i++
	if i < len(text) && (text[i] == '+' || text[i] == '-') {
		i++
	}
	if i >= len(text) || !IsDigit(text[i]) {
		return 0
	}
	return digits(text, i)
}

// prefixed returns the end of 0x… or 0b…, given the index of the x or the b,
// or 0: both letters are small in a number, at least one digit follows, and no
// other letter ends it.
func prefixed(text []byte, i int) int {
	end := i + 1
	switch text[i] {
	case 'x':
		for end < len(text) && isHexDigit(text[end]) {
			end++
		}
	case 'b':
		for end < len(text) && (text[end] == '0' || text[end] == '1') {
			end++
		}
	default:
		return 0
	}
	if end == i+1 || (end < len(text) && IsWord(text[end])) {
		return 0
	}
	return end
}

// quotedHex returns the end of the x'…' or b'…' whose quote is at text[i], or
// -1 where the server refuses it: another digit, or an odd number of hex ones.
func quotedHex(text []byte, i int, letter byte) int {
	end := i + 1
	for end < len(text) && isHexDigit(text[end]) {
		if letter|0x20 == 'b' && text[end] > '1' {
			return -1
		}
		end++
	}
	if end >= len(text) || text[end] != '\'' || (letter|0x20 == 'x' && (end-i-1)%2 != 0) {
		return -1
	}
	return end + 1
}

func isHexDigit(b byte) bool { return IsDigit(b) || in(b|0x20, 'a', 'f') }

func digits(text []byte, i int) int {
	for i < len(text) && IsDigit(text[i]) {
		i++
	}
	return i
}

// WordEnd returns the index of the first byte at or after text[i] that is in no word.
func WordEnd(text []byte, i int) int {
	for i < len(text) && wordBytes[text[i]] {
		i++
	}
	return i
}
