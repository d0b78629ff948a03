package sql

import "bytes"

// A token is the kind of one lexical element of the text.
type token uint8

const (
	tokenEnd   token = iota
	tokenError       // the text cannot be lexed from here on

	tokenWord   // a keyword or an identifier without quotes
	tokenQuoted // an identifier in quotes: `x`, "x" under ANSI_QUOTES, [x] under MSSQL
	tokenVar    // @x, @'x', @`x`: a user variable, or the host of an account
	tokenSysVar // @@x, with its scope if it has one: @@global.x

	tokenNumber // 1, 1.5, .5: exact
	tokenFloat  // 1e5
	tokenHex    // 0x4d, x'4d', 0b01, b'01'
	tokenString // 'x', and "x" without ANSI_QUOTES
	tokenNString
	tokenNull // \N

	tokenParam // ?
	tokenOpen
	tokenClose
	tokenComma
	tokenSemi
	tokenDot
	tokenAssign // :=
	tokenOp     // any other byte

	tokenCode    // /*! or /*!40101 whose text is code for this server
	tokenCodeEnd // the */ that closes it
	tokenNote    // /*+ … */, or an executable comment that is none for this server: kept whole
)

// literal says that a token is the value of a constant.
func (t token) literal() bool { return t >= tokenNumber && t <= tokenNString }

// lexer reads one text. The zero value with text and modes set is ready.
type lexer struct {
	text  []byte
	modes Modes
	cs    charset

	pos  int // where the next token is looked for
	gap  int // end of the token before: text[gap:start] is white space and comments
	from int // the current token is text[from:pos]
	last token

	code    bool // inside an executable comment
	unclean bool // the server may read the text otherwise
}

func (lx *lexer) reset(text []byte, m Modes) {
	*lx = lexer{text: text, modes: m, cs: m.charset()}
	lx.unclean = lx.cs == charsetSwe7
}

// next reads one token. After tokenEnd or tokenError it returns the same again.
//
// Words, plain integers and punctuation are most of any statement; they are
// read here, the rest in scan.
func (lx *lexer) next() token {
	text, i := lx.text, lx.pos
	lx.gap = i
	for {
		if i >= len(text) {
			lx.from, lx.pos = i, i
			lx.unclean = lx.unclean || lx.code
			return lx.end()
		}
		k := classes[text[i]]
		switch k {
		case classSpace:
			i++
			continue
		case classWord:
			if end := wordEnd(text, i+1); lx.plainWord(i, end) {
				lx.from, lx.pos, lx.last = i, end, tokenWord
				return tokenWord
			}
		case classDigit:
			if end := digits(text, i+1); end >= len(text) || numberEnds[text[end]] {
				if lx.last == tokenDot {
					break
				}
				lx.from, lx.pos, lx.last = i, end, tokenNumber
				return tokenNumber
			}
		case classDash, classHash, classSlash:
			if end := lx.pass(k, i); end > i {
				i = end
				continue
			}
		default:
			if t := punctuation[k]; t != tokenEnd {
				lx.from, lx.pos, lx.last = i, i+1, t
				return t
			}
		}
		t, end := lx.scan(k, i)
		return lx.found(t, i, end)
	}
}

// punctuation are the tokens of one byte, by class.
var punctuation = [classes_]token{
	classOther: tokenOp, classOpen: tokenOpen, classClose: tokenClose,
	classComma: tokenComma, classSemi: tokenSemi, classParam: tokenParam,
}

// numberEnds are the bytes that end an integer and cannot continue it.
var numberEnds = func() (ends [256]bool) {
	for b := range 256 {
		ends[b] = !isWord(byte(b)) && b != '.'
	}
	return ends
}()

// plainWord says that text[i:end] is a word and not the beginning of something
// else, and that its end does not depend on the character set.
func (lx *lexer) plainWord(i, end int) bool {
	if lx.cs != charsetUTF8 || lx.text[i] == '$' {
		return false
	}
	return end > i+1 || end >= len(lx.text) || lx.text[end] != '\''
}

// pass returns the end of the comment at text[i], or i if there is none that
// has no meaning.
func (lx *lexer) pass(k class, i int) int {
	next := byte(0)
	if i+1 < len(lx.text) {
		next = lx.text[i+1]
	}
	switch {
	case k == classHash, k == classDash && next == '-' && lx.dashComment(i+2):
		return lx.lineEnd(i)
	case k == classSlash && next == '*' && !lx.marked(i) && !lx.hinted(i):
		if n := bytes.Index(lx.text[i+2:], []byte("*/")); n >= 0 {
			return i + 2 + n + 2
		}
	}
	return i
}

func (lx *lexer) end() token {
	if lx.last != tokenError {
		lx.last = tokenEnd
	}
	return lx.last
}

func (lx *lexer) found(t token, from, end int) token {
	lx.from, lx.pos, lx.last = from, end, t
	if t == tokenError {
		lx.unclean = true
		lx.pos = len(lx.text)
	}
	return t
}

// value is the text of the current token.
func (lx *lexer) value() []byte { return lx.text[lx.from:lx.pos] }

// scan reads the token of class k that begins at text[i].
func (lx *lexer) scan(k class, i int) (token, int) {
	switch k {
	case classWord:
		return lx.word(i)
	case classDigit:
		if lx.last == tokenDot && lx.gap == i {
			return lx.word(i)
		}
		return lx.number(i)
	case classQuote:
		return lx.quoted(tokenString, i, '\'', lx.modes&NoBackslashEscapes == 0)
	case classDouble:
		if lx.modes&ANSIQuotes != 0 {
			return lx.quoted(tokenQuoted, i, '"', false)
		}
		return lx.quoted(tokenString, i, '"', lx.modes&NoBackslashEscapes == 0)
	case classTick:
		return lx.quoted(tokenQuoted, i, '`', false)
	case classBracket:
		if lx.modes&MSSQL != 0 {
			return lx.quoted(tokenQuoted, i, ']', false)
		}
	case classAt:
		return lx.variable(i)
	case classDot:
		return lx.dot(i)
	case classColon:
		if i+1 < len(lx.text) && lx.text[i+1] == '=' {
			return tokenAssign, i + 2
		}
	case classStar:
		if lx.code && i+1 < len(lx.text) && lx.text[i+1] == '/' {
			lx.code = false
			return tokenCodeEnd, i + 2
		}
	case classSlash:
		if i+1 < len(lx.text) && lx.text[i+1] == '*' {
			return lx.comment(i)
		}
	case classBackslash:
		if i+1 < len(lx.text) && lx.text[i+1] == 'N' {
			return tokenNull, i + 2
		}
	}
	return tokenOp, i + 1
}

// word reads an identifier or keyword, or a literal that begins with a letter.
func (lx *lexer) word(i int) (token, int) {
	text := lx.text
	end := lx.wordEnd(i)
	if end == i+1 && end < len(text) && text[end] == '\'' {
		switch text[i] | 0x20 {
		case 'n':
			return lx.quoted(tokenNString, end, '\'', lx.modes&NoBackslashEscapes == 0)
		case 'x', 'b':
			if end = quotedHex(text, end, text[i]); end < 0 {
				return tokenError, len(text)
			}
			return tokenHex, end
		}
	}
	if text[i] == '$' {
		lx.dollar(text[i:end])
	}
	return tokenWord, end
}

// dollar notices what MySQL 9 reads as a dollar-quoted string ($$ … $$,
// $tag$ … $tag$) and every other server as an identifier.
func (lx *lexer) dollar(word []byte) {
	if lx.modes&MariaDB == 0 && bytes.IndexByte(word[1:], '$') >= 0 {
		lx.unclean = true
	}
}

// wordEnd is the end of the word at text[i].
func (lx *lexer) wordEnd(i int) int {
	if lx.cs == charsetUTF8 {
		return wordEnd(lx.text, i)
	}
	for i < len(lx.text) && isWord(lx.text[i]) {
		if lx.text[i] < 0x80 {
			i++
			continue
		}
		n := lx.cs.multibyte(lx.text, i)
		// A letter in one of these character sets may be a space in another.
		lx.unclean = lx.unclean || n == 1
		i += n
	}
	return i
}

func (lx *lexer) number(i int) (token, int) {
	t, end := number(lx.text, i)
	if t == tokenWord {
		end = lx.wordEnd(i)
	}
	return t, end
}

// dot reads a number that begins with one, or the separator of a name: after a
// word the server never reads a number (t.1 is a column).
func (lx *lexer) dot(i int) (token, int) {
	if i+1 < len(lx.text) && isDigit(lx.text[i+1]) && !(lx.gap == i && lx.named()) {
		return fraction(lx.text, i+1)
	}
	return tokenDot, i + 1
}

// named says that the token before is a name.
func (lx *lexer) named() bool {
	return lx.last == tokenWord || lx.last == tokenQuoted || lx.last == tokenSysVar
}

// quoted reads the rest of a token whose quote is at text[i].
func (lx *lexer) quoted(t token, i int, quote byte, escapes bool) (token, int) {
	end := quotedEnd(lx.text, i+1, quote, escapes, lx.cs)
	if end < 0 {
		return tokenError, len(lx.text)
	}
	if lx.cs == charsetOpaque && !ascii(lx.text[i:end]) {
		lx.unclean = true
	}
	return t, end
}

func ascii(text []byte) bool {
	for _, b := range text {
		if b >= 0x80 {
			return false
		}
	}
	return true
}

// variable reads what begins with @ at text[i].
func (lx *lexer) variable(i int) (token, int) {
	text := lx.text
	i++
	if i >= len(text) {
		return tokenOp, i
	}
	switch text[i] {
	case '@':
		return lx.systemVariable(i + 1)
	case '`':
		return lx.quoted(tokenVar, i, '`', false)
	case '\'':
		return lx.quoted(tokenVar, i, '\'', lx.modes&NoBackslashEscapes == 0)
	case '"':
		return lx.quoted(tokenVar, i, '"', lx.modes&(NoBackslashEscapes|ANSIQuotes) == 0)
	}
	end := i
	for end < len(text) && text[end] < 0x80 && (isWord(text[end]) || text[end] == '.') {
		end++
	}
	if end == i {
		return tokenOp, i
	}
	return tokenVar, end
}

// systemVariable reads the names after @@, which dots separate: a scope, the
// name of a key cache or a plugin, the variable's name.
func (lx *lexer) systemVariable(i int) (token, int) {
	for {
		start := i
		if i < len(lx.text) && lx.text[i] == '`' {
			if i = quotedEnd(lx.text, i+1, '`', false, lx.cs); i < 0 {
				return tokenError, len(lx.text)
			}
		} else {
			i = wordEnd(lx.text, i)
		}
		if i == start {
			return tokenError, len(lx.text)
		}
		if i+1 >= len(lx.text) || lx.text[i] != '.' || (lx.text[i+1] != '`' && !isWord(lx.text[i+1])) {
			return tokenSysVar, i
		}
		i++
	}
}
