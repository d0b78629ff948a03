package sql

import (
	"strconv"
	"strings"

	"vitess.io/vitess/go/vt/sqlparser"

	"tunic/internal/sql/lex"
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
	s.lx.Reset([]byte(unmarked.Replace(string(template))), m)
	last := lex.End
	for t := s.lx.Next(); t != lex.End; t = s.lx.Next() {
		if t == lex.Error || s.out.Len() > shapeBytesMax {
			s.out.WriteString("…")
			break
		}
		if t >= lex.Code || t.IsLiteral() && last.IsLiteral() {
			continue // adjacent strings are one
		}
		if s.lx.Gap < s.lx.From && s.out.Len() > 0 {
			s.out.WriteByte(' ')
		}
		s.token(t)
		last = t
	}
	return s.out.String()
}

// shaper makes one shape.
type shaper struct {
	lx      lex.Lexer
	out     strings.Builder
	show    func(string, bool) bool
	numbers map[string]int // of names that are not shown, in lower case
}

func (s *shaper) token(t lex.Token) {
	switch {
	case t.IsLiteral(), t == lex.Param, t == lex.Null:
		s.out.WriteByte('?')
	case t == lex.Var:
		s.out.WriteString("@?")
	case t == lex.SysVar:
		s.out.WriteString("@@?")
	case t == lex.Word, t == lex.Quoted:
		s.name(t)
	case t == lex.Op && (s.lx.Value()[0] < ' ' || s.lx.Value()[0] > '~'):
		s.out.WriteByte('.')
	default:
		s.out.Write(s.lx.Value())
	}
}

func (s *shaper) name(t lex.Token) {
	name, next := string(s.lx.Value()), s.lx.Pos
	for next < len(s.lx.Text) && lex.IsSpace(s.lx.Text[next]) {
		next++
	}
	call := next < len(s.lx.Text) && s.lx.Text[next] == '('
	if t == lex.Quoted {
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
		if b := name[i]; b >= 0x80 || !lex.IsWord(b) {
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
	var lx lex.Lexer
	lx.Reset([]byte(unmarked.Replace(string(template))), m)
	words := map[string]bool{}
	for t := lx.Next(); t > lex.Error; t = lx.Next() {
		if t == lex.Word || t == lex.Quoted {
			words[strings.ToLower(strings.Trim(string(lx.Value()), "`\"[]"))] = true
		}
	}
	return words
}

// Readable is a template as a text that [Parse] reads: with a literal for each mark.
func Readable(template []byte) []byte {
	return []byte(unlisted.Replace(unmarked.Replace(string(template))))
}
