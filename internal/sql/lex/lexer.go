package lex

import "bytes"

// A Token is the kind of one lexical element of the text.
type Token uint8

// The tokens. Their order is part of what they say: what is no token of a statement comes first and last, and
// literals are neighbours.
const (
	End   Token = iota
	Error       // the text cannot be lexed from here on

	Word   // a keyword or an identifier without quotes
	Quoted // an identifier in quotes: `x`, "x" under ANSI_QUOTES, [x] under MSSQL
	Var    // @x, @'x', @`x`: a user variable, or the host of an account
	SysVar // @@x, with its scope if it has one: @@global.x

	Number // 1, 1.5, .5: exact
	Float  // 1e5
	Hex    // 0x4d, x'4d', 0b01, b'01'
	String // 'x', and "x" without ANSI_QUOTES
	NString
	Null // \N

	Param // ?
	Open
	Close
	Comma
	Semi
	Dot
	Assign // :=
	Op     // any other byte

	Code    // /*! or /*!40101 whose text is code for this server
	CodeEnd // the */ that closes it
	Note    // /*+ … */, or an executable comment that is none for this server: kept whole
)

// IsLiteral says that a token is the value of a constant.
func (t Token) IsLiteral() bool { return t >= Number && t <= NString }

// IsWordy says that two such tokens without a space between them may be one.
func (t Token) IsWordy() bool { return t == Word || t == Var || t == SysVar || t.IsLiteral() }

// A Lexer reads one text, from [Lexer.Reset] on.
type Lexer struct {
	Text    []byte
	Modes   Modes
	Charset Charset

	Pos  int // where the next token is looked for
	Gap  int // end of the token before: Text[Gap:From] is white space and comments
	From int // the current token is Text[From:Pos]
	Last Token

	Code    bool // inside an executable comment
	parted  bool // if Last is none of a statement: a string was the last that is
	Unclean bool // the server may read the text otherwise
}

// Reset begins to read text in modes m.
func (lx *Lexer) Reset(text []byte, m Modes) {
	*lx = Lexer{Text: text, Modes: m, Charset: m.Charset()}
	lx.Unclean = lx.Charset == CharsetSwe7
}

// Next reads one token. After End or Error it returns the same again.
//
// Words, plain integers and punctuation are most of any statement; they are
// read here, the rest in scan.
func (lx *Lexer) Next() Token {
	text, i := lx.Text, lx.Pos
	lx.Gap = i
	for {
		if i >= len(text) {
			lx.From, lx.Pos = i, i
			lx.Unclean = lx.Unclean || lx.Code
			return lx.end()
		}
		k := classes[text[i]]
		switch k {
		case classSpace:
			i++
			continue
		case classWord:
			if end := WordEnd(text, i+1); lx.plainWord(i, end) {
				lx.From, lx.Pos, lx.Last = i, end, Word
				return Word
			}
		case classDigit:
			if end := digits(text, i+1); end >= len(text) || numberEnds[text[end]] {
				if lx.Last == Dot {
					break
				}
				lx.From, lx.Pos, lx.Last = i, end, Number
				return Number
			}
		case classDash, classHash, classSlash:
			if end := lx.pass(k, i); end > i {
				i = end
				continue
			}
		default:
			if t := punctuation[k]; t != End {
				lx.From, lx.Pos, lx.Last = i, i+1, t
				return t
			}
		}
		t, end := lx.scan(k, i)
		return lx.found(t, i, end)
	}
}

// punctuation are the tokens of one byte, by class.
var punctuation = [classes_]Token{
	classOther: Op, classOpen: Open, classClose: Close,
	classComma: Comma, classSemi: Semi, classParam: Param,
}

// numberEnds are the bytes that end an integer and cannot continue it.
var numberEnds = func() (ends [256]bool) {
	for b := range 256 {
		ends[b] = !IsWord(byte(b)) && b != '.'
	}
	return ends
}()

// plainWord says that text[i:end] is a word and not the beginning of something
// else, and that its end does not depend on the character set.
func (lx *Lexer) plainWord(i, end int) bool {
	if lx.Charset != CharsetUTF8 || lx.Text[i] == '$' {
		return false
	}
	return end > i+1 || end >= len(lx.Text) || lx.Text[end] != '\''
}

// pass returns the end of the comment at text[i], or i if there is none that
// has no meaning.
func (lx *Lexer) pass(k class, i int) int {
	next := byte(0)
	if i+1 < len(lx.Text) {
		next = lx.Text[i+1]
	}
	switch {
	case k == classHash, k == classDash && next == '-' && lx.dashComment(i+2):
		return lx.lineEnd(i)
	case k == classSlash && next == '*' && !lx.marked(i) && !lx.hinted(i):
		if n := bytes.Index(lx.Text[i+2:], []byte("*/")); n >= 0 {
			return i + 2 + n + 2
		}
	}
	return i
}

func (lx *Lexer) end() Token {
	if lx.Last != Error {
		lx.Last = End
	}
	return lx.Last
}

// found makes the token that was read the current one. Strings in a row are one value to the server, with an
// executable comment or a hint between them as well. Readers here join only what has neither between, and would take
// the second for a name or for code.
func (lx *Lexer) found(t Token, from, end int) Token {
	switch {
	case t >= Code:
		lx.parted = lx.Last == String || lx.Last == NString || lx.Last >= Code && lx.parted
	case t == String && lx.Last >= Code && lx.parted:
		lx.Unclean = true
	}
	lx.From, lx.Pos, lx.Last = from, end, t
	if t == Error {
		lx.Unclean = true
		lx.Pos = len(lx.Text)
	}
	return t
}

// Value is the text of the current token.
func (lx *Lexer) Value() []byte { return lx.Text[lx.From:lx.Pos] }

// scan reads the token of class k that begins at text[i].
func (lx *Lexer) scan(k class, i int) (Token, int) {
	switch k {
	case classWord:
		return lx.word(i)
	case classDigit:
		if lx.Last == Dot && lx.Gap == i {
			return lx.word(i)
		}
		return lx.number(i)
	case classQuote:
		return lx.quoted(String, i, '\'', lx.Modes&NoBackslashEscapes == 0)
	case classDouble:
		if lx.Modes&ANSIQuotes != 0 {
			return lx.quoted(Quoted, i, '"', false)
		}
		return lx.quoted(String, i, '"', lx.Modes&NoBackslashEscapes == 0)
	case classTick:
		return lx.quoted(Quoted, i, '`', false)
	case classBracket:
		if lx.Modes&MSSQL != 0 {
			return lx.quoted(Quoted, i, ']', false)
		}
	case classAt:
		return lx.variable(i)
	case classDot:
		return lx.dot(i)
	case classColon:
		if i+1 < len(lx.Text) && lx.Text[i+1] == '=' {
			return Assign, i + 2
		}
	case classStar:
		if lx.Code && i+1 < len(lx.Text) && lx.Text[i+1] == '/' {
			lx.Code = false
			return CodeEnd, i + 2
		}
	case classSlash:
		if i+1 < len(lx.Text) && lx.Text[i+1] == '*' {
			return lx.comment(i)
		}
	case classBackslash:
		if i+1 < len(lx.Text) && lx.Text[i+1] == 'N' {
			return Null, i + 2
		}
	}
	return Op, i + 1
}

// word reads an identifier or keyword, or a literal that begins with a letter.
func (lx *Lexer) word(i int) (Token, int) {
	text := lx.Text
	end := lx.wordEnd(i)
	if end == i+1 && end < len(text) && text[end] == '\'' {
		switch text[i] | 0x20 {
		case 'n':
			return lx.quoted(NString, end, '\'', lx.Modes&NoBackslashEscapes == 0)
		case 'x', 'b':
			if end = quotedHex(text, end, text[i]); end < 0 {
				return Error, len(text)
			}
			return Hex, end
		}
	}
	if text[i] == '$' {
		lx.dollar(text[i:end])
	}
	return Word, end
}

// dollar notices what MySQL 9 reads as a dollar-quoted string ($$ … $$,
// $tag$ … $tag$) and every other server as an identifier.
func (lx *Lexer) dollar(word []byte) {
	if lx.Modes&MariaDB == 0 && bytes.IndexByte(word[1:], '$') >= 0 {
		lx.Unclean = true
	}
}

// wordEnd is the end of the word at text[i].
func (lx *Lexer) wordEnd(i int) int {
	if lx.Charset == CharsetUTF8 {
		return WordEnd(lx.Text, i)
	}
	for i < len(lx.Text) && IsWord(lx.Text[i]) {
		if lx.Text[i] < 0x80 {
			i++
			continue
		}
		n := lx.Charset.CharLen(lx.Text, i)
		// A letter in one of these character sets may be a space in another.
		lx.Unclean = lx.Unclean || n == 1
		i += n
	}
	return i
}

func (lx *Lexer) number(i int) (Token, int) {
	t, end := ReadNumber(lx.Text, i)
	if t == Word {
		end = lx.wordEnd(i)
	}
	return t, end
}

// dot reads a number that begins with one, or the separator of a name: after a
// word the server never reads a number (t.1 is a column).
func (lx *Lexer) dot(i int) (Token, int) {
	if i+1 < len(lx.Text) && IsDigit(lx.Text[i+1]) && !(lx.Gap == i && lx.named()) {
		return fraction(lx.Text, i+1)
	}
	return Dot, i + 1
}

// named says that the token before is a name.
func (lx *Lexer) named() bool {
	return lx.Last == Word || lx.Last == Quoted || lx.Last == SysVar
}

// quoted reads the rest of a token whose quote is at text[i].
func (lx *Lexer) quoted(t Token, i int, quote byte, escapes bool) (Token, int) {
	end := QuotedEnd(lx.Text, i+1, quote, escapes, lx.Charset)
	if end < 0 {
		return Error, len(lx.Text)
	}
	if lx.Charset == CharsetOpaque && !ASCII(lx.Text[i:end]) {
		lx.Unclean = true
	}
	return t, end
}

// ASCII says whether all bytes of text are below 0x80.
func ASCII(text []byte) bool {
	for _, b := range text {
		if b >= 0x80 {
			return false
		}
	}
	return true
}

// variable reads what begins with @ at text[i].
func (lx *Lexer) variable(i int) (Token, int) {
	text := lx.Text
	i++
	if i >= len(text) {
		return Op, i
	}
	switch text[i] {
	case '@':
		return lx.systemVariable(i + 1)
	case '`':
		return lx.quoted(Var, i, '`', false)
	case '\'':
		return lx.quoted(Var, i, '\'', lx.Modes&NoBackslashEscapes == 0)
	case '"':
		return lx.quoted(Var, i, '"', lx.Modes&(NoBackslashEscapes|ANSIQuotes) == 0)
	}
	end := i
	for end < len(text) && text[end] < 0x80 && (IsWord(text[end]) || text[end] == '.') {
		end++
	}
	if end == i {
		return Op, i
	}
	return Var, end
}

// systemVariable reads the names after @@, which dots separate: a scope, the
// name of a key cache or a plugin, the variable's name.
func (lx *Lexer) systemVariable(i int) (Token, int) {
	for {
		start := i
		if i < len(lx.Text) && lx.Text[i] == '`' {
			if i = QuotedEnd(lx.Text, i+1, '`', false, lx.Charset); i < 0 {
				return Error, len(lx.Text)
			}
		} else {
			i = WordEnd(lx.Text, i)
		}
		if i == start {
			return Error, len(lx.Text)
		}
		if i+1 >= len(lx.Text) || lx.Text[i] != '.' || (lx.Text[i+1] != '`' && !IsWord(lx.Text[i+1])) {
			return SysVar, i
		}
		i++
	}
}
