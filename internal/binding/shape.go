package binding

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"tunic/internal/local"
	"tunic/internal/sql"
	"tunic/internal/sql/ast"
	"tunic/internal/sqlerr"
	"tunic/internal/value"
	"tunic/internal/value/charset"
)

// A literal that is selected decides how long its column is said to be. What is
// described has another one there, of the same length.

// FindListed finds the places of the described statement that are in its list, and formats that it cannot be
// prepared without.
func (st *Statement) FindListed() {
	if st.Run.Answer.Describe == nil {
		return
	}
	type hole struct {
		sql.Hole
		at int
	}
	var holes []hole
	text, err := st.Run.Answer.Describe.Fill(nil, func(int) int { return 1 }, func(dst []byte, h sql.Hole, _ int) ([]byte, error) {
		holes = append(holes, hole{h, len(dst)})
		return append(dst, '1'), nil
	})
	if err != nil {
		return
	}
	items, formats := sql.AppendItems(nil, text, 0), sql.AppendFormats(nil, text, 0)
	for _, h := range holes {
		if h.Kind == sql.HolePlace && h.Place.Group < 0 && slices.Contains(formats, h.at) {
			st.listed, st.elements = append(st.listed, h.Place), append(st.elements, h.Place)
			continue
		}
		switch inItems := slices.ContainsFunc(items, func(it sql.Item) bool { return h.at >= it.From && h.at < it.To }); {
		case inItems && h.Kind == sql.HolePlace:
			st.listed = append(st.listed, h.Place)
		case inItems && h.Kind == sql.HoleParam:
			st.listParam(h.Number)
		}
		if h.Kind == sql.HoleParam && h.Number < sql.FirstVariable {
			st.marks = append(st.marks, h.Number)
		}
	}
	if st.Run.Tree != nil {
		st.listInner()
	}
	if len(st.listed) > 0 {
		st.listed = append(st.listed, st.Run.Answer.Keys...)
	}
}

// listInner adds the places that are in the lists of inner queries: those of a UNION
// have columns in common, and those of a derived table pass theirs on.
func (st *Statement) listInner() {
	_ = ast.Walk(func(n ast.Node) (bool, error) {
		if a, ok := n.(*ast.Argument); ok {
			st.listArgument(a)
		}
		return true, nil
	}, local.ItemsIn(st.Run.Tree.Root)...)
}

// ShapeOf is of which kind and how long the literals are that are selected.
func (b *Binder) ShapeOf(st *Statement) []byte {
	if b.Prepared != nil {
		if len(st.listedParams) == 0 {
			return b.Prepared.Shape
		}
		b.shape = b.AlikeExecution(append(b.shape[:0], b.Prepared.Shape...), st)
		return b.shape
	}
	b.shape = b.AlikeExecution(b.shape[:0], st)
	for i, place := range st.listed {
		l := b.Literals.At(place, 0)
		var kind sql.LiteralKind
		b.scratch, kind = l.AppendValue(b.scratch[:0], b.Text, b.Env.Modes)
		b.shape = append(strconv.AppendInt(b.shape, int64(kind), 10), ':')
		b.shape = append(b.appendListed(b.shape, st, i, b.Text[l.From:l.To], kind), ';')
	}
	return b.shape
}

// digitsMost is how many digits a number has that is a number of digits or of
// characters.
const digitsMost = 3

// appendListed appends what stands for a literal that is selected, by its number
// among these: the literal itself, if it says how many digits or characters a
// function leaves; else another, which is the same for literals that are the same. Of
// a format or a time it has what says so.
func (b *Binder) appendListed(dst []byte, st *Statement, i int, literal []byte, kind sql.LiteralKind) []byte {
	if kind == sql.LiteralInteger && len(literal) <= digitsMost && slices.Contains(st.Run.Answer.Digits, st.listed[i]) {
		return append(dst, literal...)
	}
	same := 0
	for ; same < i; same++ {
		if l := b.Literals.At(st.listed[same], 0); bytes.Equal(b.Text[l.From:l.To], literal) {
			break
		}
	}
	if kind == sql.LiteralString && slices.Contains(st.elements, st.listed[i]) {
		return append(b.appendElements(append(dst, '\''), b.scratch, same), '\'')
	}
	if kind == sql.LiteralString && slices.Contains(st.Run.Answer.Formats, st.listed[i]) {
		return append(b.appendFormat(append(dst, '\''), b.scratch, same), '\'')
	}
	if kind == sql.LiteralHex || kind == sql.LiteralHexNumber {
		l := b.Literals.At(st.listed[i], 0)
		if set, ok := charset.CharsetByName(b.Env.Value.Flavor, string(l.Introducer(b.Text))); ok {
			return b.appendCharactersIn(set, dst, same)
		}
	}
	return b.appendAlike(dst, literal, kind, same)
}

// appendCharactersIn appends a hexadecimal literal of as many characters of its character set as the client's has, which is in
// b.scratch: digits that are all the same are no character of each set, and others of them than the client's.
func (b *Binder) appendCharactersIn(set *charset.Charset, dst []byte, which int) []byte {
	letter := []byte{byte(lettersAlike[which%len(lettersAlike)])}
	utf8mb4, _ := charset.CharsetByName(b.Env.Value.Flavor, "utf8mb4")
	if ok, _ := set.Convertible(); ok {
		letter, _ = charset.Convert(nil, set, utf8mb4, letter)
	}
	padded := append(make([]byte, charset.Fill(set, b.scratch)), b.scratch...)
	return fmt.Appendf(dst, "x'%x'", bytes.Repeat(letter, set.CharLen(padded)))
}

// Letters and digits that stand for those of the client's literals.
var (
	digitsAlike  = []byte("1234567890")
	lettersAlike = []rune("xyzwvutsrq")
	accentsAlike = []rune("éèêëíìîïóò")
)

// appendAlike appends a literal that is as long as one of the client's, whose value
// is in b.scratch, and has nothing else of it: digits become one digit, characters
// become one letter, which is none of ASCII if one of them is not. which chooses
// among several of them.
func (b *Binder) appendAlike(dst, literal []byte, kind sql.LiteralKind, which int) []byte {
	switch kind {
	case sql.LiteralString:
		if day, ok := dayAlike(b.scratch, which); ok {
			return append(append(append(dst, '\''), day...), '\'')
		}
		return append(b.appendLetters(append(dst, '\''), b.scratch, which), '\'')
	case sql.LiteralNational:
		utf8mb3, _ := charset.CharsetByName(b.Env.Value.Flavor, "utf8mb3")
		return append(b.appendLettersIn(utf8mb3, append(dst, "N'"...), b.scratch, which), '\'')
	case sql.LiteralInteger, sql.LiteralDecimal, sql.LiteralFloat, sql.LiteralHexNumber:
		return appendDigits(dst, literal, digitsAlike[which%len(digitsAlike)])
	case sql.LiteralHex:
		digit := digitsAlike[which%len(digitsAlike)]
		return append(append(append(dst, "x'"...), bytes.Repeat([]byte{digit}, 2*len(b.scratch))...), '\'')
	default:
		return append(dst, neutralLiterals[kind]...)
	}
}

// dayAlike is a date, or a date and time with a fraction or without, as long as a string
// of the client's: servers insist on one where it is compared with a date.
func dayAlike(s []byte, which int) (string, bool) {
	const clock = " 00:00:00"
	day := fmt.Sprintf("2000-01-%02d", 1+which%28)
	if bytes.ContainsFunc(s, func(r rune) bool { return r >= 0x80 }) {
		return "", false
	}
	const fraction = ".000000"
	behind := len(s) - len(day) - len(clock)
	switch {
	case len(s) == len(day):
		return day, true
	case behind == 0:
		return day + clock, true
	case behind > 1 && behind <= len(fraction):
		return day + clock + fraction[:behind], true
	}
	return "", false
}

// appendDigits appends a number with every digit the same. Those of an exponent are zeros, but for the last:
// 3e333 would be no DOUBLE where 1e308 is one.
func appendDigits(dst, number []byte, digit byte) []byte {
	hexadecimal := bytes.HasPrefix(number, []byte("0x"))
	exponent := len(number)
	if at := bytes.IndexAny(number, "eE"); at >= 0 && !hexadecimal {
		exponent = at
	}
	for i, c := range number {
		switch {
		case hexadecimal && i < 2 || c < '0' || c > '9' && !hexadecimal:
			dst = append(dst, c)
		case i > exponent && i+1 < len(number):
			dst = append(dst, '0')
		default:
			dst = append(dst, digit)
		}
	}
	return dst
}

// appendLetters appends as many letters as a string of the client's has characters.
func (b *Binder) appendLetters(dst, s []byte, which int) []byte {
	return b.appendLettersIn(b.Env.Client, dst, s, which)
}

// appendLettersIn is appendLetters for a string in a character set.
func (b *Binder) appendLettersIn(set *charset.Charset, dst, s []byte, which int) []byte {
	letter := []byte(string(lettersAlike[which%len(lettersAlike)]))
	if bytes.ContainsFunc(s, func(r rune) bool { return r >= 0x80 }) {
		utf8mb4, _ := charset.CharsetByName(b.Env.Value.Flavor, "utf8mb4")
		accent := []byte(string(accentsAlike[which%len(accentsAlike)]))
		if converted, bad := charset.Convert(nil, set, utf8mb4, accent); bad < 0 {
			letter = converted
		}
	}
	return append(dst, bytes.Repeat(letter, set.CharLen(s))...)
}

// formatPunctuation is what stands in formats and in times between their parts.
const formatPunctuation = " :.,-/"

// appendFormat appends a format that becomes as long as one of the client's, or a time
// with as many digits: its specifiers and punctuation. Digits become one digit, other
// characters letters.
func (b *Binder) appendFormat(dst, s []byte, which int) []byte {
	if !strings.HasPrefix(b.Env.Client.Name, "utf8") {
		return b.appendLetters(dst, s, which)
	}
	for len(s) > 0 {
		c, size := utf8.DecodeRune(s)
		switch {
		case c == '%' && len(s) > 1 && isSpecifier(s[1]):
			size = 2
			dst = append(dst, s[:size]...)
		case c >= '0' && c <= '9':
			dst = append(dst, '1')
		case strings.ContainsRune(formatPunctuation, c):
			dst = append(dst, s[:size]...)
		default:
			dst = b.appendLetters(dst, s[:size], which)
		}
		s = s[size:]
	}
	return dst
}

func isSpecifier(c byte) bool { return c == '%' || c|0x20 >= 'a' && c|0x20 <= 'z' }

// Describes is the statement that is described.
func (b *Binder) Describes(st *Statement) ([]byte, error) {
	if b.Prepared != nil {
		return b.Prepared.Describes, nil
	}
	return st.Run.Answer.Describe.Fill(nil, func(int) int { return 1 }, b.NeutralOf(st))
}

// NeutralOf is what fills the holes of what is described of a statement.
func (b *Binder) NeutralOf(st *Statement) FillFunc {
	b.listed, b.listing = st.listed, st
	return b.neutralHole
}

// neutral fills a hole of what is described: never with a value of the client's.
func (b *Binder) neutral(dst []byte, h sql.Hole, element int) ([]byte, error) {
	switch h.Kind {
	case sql.HoleParam:
		if h.Number >= sql.FirstVariable {
			return appendDescribed(dst, h.Number-sql.FirstVariable), nil
		}
		return append(dst, '?'), nil
	case sql.HolePlace:
		l := b.Literals.At(h.Place, element)
		var kind sql.LiteralKind
		b.scratch, kind = l.AppendValue(b.scratch[:0], b.Text, b.Env.Modes)
		if i := slices.Index(b.listed, h.Place); i >= 0 {
			return b.appendListed(dst, b.listing, i, b.Text[l.From:l.To], kind), nil
		}
		if literal, ok := neutralLiterals[kind]; ok {
			return append(dst, literal...), nil
		}
	default:
	}
	return dst, sqlerr.StatementUnread()
}

// neutralLiterals stand for literals of their kinds in what is described. A string
// can be read as a date, which servers insist on where a date is compared with it.
var neutralLiterals = map[sql.LiteralKind]string{
	sql.LiteralInteger: "1", sql.LiteralDecimal: "1.0", sql.LiteralFloat: "1e0",
	sql.LiteralString: "'2000-01-01 00:00:00'", sql.LiteralNational: "N'2000-01-01 00:00:00'",
	sql.LiteralHex: "x'00'", sql.LiteralHexNumber: "0x00", sql.LiteralBit: "b'0'",
	sql.LiteralNull: "NULL", sql.LiteralTrue: "TRUE", sql.LiteralFalse: "FALSE",
	sql.LiteralDate: "'2000-01-01'", sql.LiteralTime: "'00:00:00'", sql.LiteralTimestamp: "'2000-01-01 00:00:00'",
}

// NameVariables makes what sets the session of a Describer: its variables are of the same
// types.
func (b *Binder) NameVariables() {
	b.scratch = b.scratch[:0]
	for i := range b.Variables {
		if v := &b.Variables[i]; v.Null && v.Source.Form == value.FormString && v.Source.Collation == nil { // NULL keeps a type
			b.scratch = append(appendDescribed(append(b.scratch, ", "...), i), " = _binary ''"...)
		}
		b.scratch = append(appendDescribed(append(b.scratch, ", "...), i), " = "...)
		b.scratch = b.Variables[i].appendType(b.scratch)
	}
	if string(b.scratch) != b.variableTypes {
		b.variableTypes = string(b.scratch)
	}
}

// describedVariable is what the names of variables begin with in what is described.
const describedVariable = "tunic"

// appendDescribed appends the name of a variable in what is described.
func appendDescribed(dst []byte, n int) []byte {
	return strconv.AppendInt(append(append(dst, '@'), describedVariable...), int64(n), 10)
}
