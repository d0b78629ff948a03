package sql

import (
	"strconv"
	"strings"

	"vitess.io/vitess/go/vt/sqlparser"
)

// shapeBytesMax is the length of a shape.
const shapeBytesMax = 400

// unmarked are the marks of a template that a lexer reads otherwise.
var unmarked = strings.NewReplacer("?e0", "?", "x'?'", "'?'", ":?", "?")

// unlisted are those that a grammar has no place for, as well.
var unlisted = strings.NewReplacer("...", "")

// Shape is a template for people who may see no value of it: its tokens, with ? for every
// literal, @? for every variable, and without comments and hints. Of words only those of
// the grammar stay, and those that show lets stay; call says that a word is followed by a
// parenthesis. All others, and quoted names that show does not let stay, are numbered: n1,
// n2. A template that ends in the middle, or that cannot be lexed to its end, ends in "…".
func Shape(template []byte, m Modes, show func(name string, call bool) bool) string {
	s := shaper{show: show, numbers: map[string]int{}}
	s.lx.reset([]byte(unmarked.Replace(string(template))), m)
	last := tokenEnd
	for t := s.lx.next(); t != tokenEnd; t = s.lx.next() {
		if t == tokenError || s.out.Len() > shapeBytesMax {
			s.out.WriteString("…")
			break
		}
		if t >= tokenCode || t.literal() && last.literal() {
			continue // adjacent strings are one
		}
		if s.lx.gap < s.lx.from && s.out.Len() > 0 {
			s.out.WriteByte(' ')
		}
		s.token(t)
		last = t
	}
	return s.out.String()
}

// shaper makes one shape.
type shaper struct {
	lx      lexer
	out     strings.Builder
	show    func(string, bool) bool
	numbers map[string]int // of names that are not shown, in lower case
}

func (s *shaper) token(t token) {
	switch {
	case t.literal(), t == tokenParam, t == tokenNull:
		s.out.WriteByte('?')
	case t == tokenVar:
		s.out.WriteString("@?")
	case t == tokenSysVar:
		s.out.WriteString("@@?")
	case t == tokenWord, t == tokenQuoted:
		s.name(t)
	case t == tokenOp && (s.lx.value()[0] < ' ' || s.lx.value()[0] > '~'):
		s.out.WriteByte('.')
	default:
		s.out.Write(s.lx.value())
	}
}

func (s *shaper) name(t token) {
	name, next := string(s.lx.value()), s.lx.pos
	for next < len(s.lx.text) && isSpace(s.lx.text[next]) {
		next++
	}
	call := next < len(s.lx.text) && s.lx.text[next] == '('
	if t == tokenQuoted {
		if name[0] == '`' && plainName(name[1:len(name)-1]) && s.show(name[1:len(name)-1], false) {
			s.out.WriteString(name)
			return
		}
	} else if isKeyword(name) || plainName(name) && s.show(name, call) {
		s.out.WriteString(name)
		return
	}
	lower := strings.ToLower(strings.Trim(name, "`"))
	if s.numbers[lower] == 0 {
		s.numbers[lower] = len(s.numbers) + 1
	}
	s.out.WriteByte('n')
	s.out.WriteString(strconv.Itoa(s.numbers[lower]))
}

// nameBytesMax is the most that a name has on any server, in characters.
const nameBytesMax = 64

// plainName reports whether a name is one that can be shown as it is: letters, digits and
// signs of ASCII that need no quoting.
func plainName(name string) bool {
	for i := range len(name) {
		if b := name[i]; b >= 0x80 || !isWord(b) {
			return false
		}
	}
	return len(name) > 0 && len(name) <= nameBytesMax
}

// isKeyword reports whether the grammar has a word of its own.
func isKeyword(word string) bool {
	if !plainName(word) {
		return false
	}
	kind, _ := parser.NewStringTokenizer(word).Scan()
	return kind != sqlparser.ID && kind != sqlparser.LEX_ERROR && kind != sqlparser.INTEGRAL
}

// Words are the names and keywords of a template, in lower case and without quotes.
func Words(template []byte, m Modes) map[string]bool {
	var lx lexer
	lx.reset([]byte(unmarked.Replace(string(template))), m)
	words := map[string]bool{}
	for t := lx.next(); t > tokenError; t = lx.next() {
		if t == tokenWord || t == tokenQuoted {
			words[strings.ToLower(strings.Trim(string(lx.value()), "`\"[]"))] = true
		}
	}
	return words
}

// Readable is a template as a text that [Parse] reads: with a literal for each mark.
func Readable(template []byte) []byte {
	return []byte(unlisted.Replace(unmarked.Replace(string(template))))
}
