package outline

import (
	"bytes"
	"strconv"
	"strings"

	"tunic/internal/sql/lex"
)

// outliner writes an outline, token by token.
type outliner struct {
	*Outline
	lx       lex.Lexer
	line     int            // line feeds that are written
	literals int            // line feeds in what is quoted, of the text
	names    map[string]int // numbers of names

	last     lex.Token
	lastWord string // the keyword before, in upper case

	misquoted, quoted bool // the text is; a string is written
}

// place notes that the token which begins at an index of the text is written next.
func (w *outliner) place(from int) {
	w.places = append(w.places, outlined{at: len(w.Text), from: from, line: 1 + w.line, literals: w.literals})
}

// feed writes a gap.
func (w *outliner) feed() {
	if n := len(w.Text); n > 0 && w.Text[n-1] != '\n' {
		w.Text = append(w.Text, '\n')
		w.line++
	}
}

// token writes what stands for the current token; ok is false if nothing can.
func (w *outliner) token(t lex.Token) (ok bool) {
	if w.lx.Gap < w.lx.From || t >= lex.Code || t == lex.Close {
		if bytes.HasSuffix(w.Text, []byte("--")) { // which would become a comment
			return false
		}
		w.feed()
	}
	if t >= lex.Code {
		return true // what is in it follows, or it has no meaning
	}
	w.place(w.lx.From)
	stands := w.standsFor(t)
	if stands == "" {
		return false
	}
	w.Text = append(w.Text, stands...)
	w.literals += bytes.Count(w.lx.Value(), []byte("\n"))
	w.last, w.quoted = t, w.quoted || isQuoted(t, w.lx.Value())
	if t == lex.Comma {
		w.place(w.lx.Pos) // lex.MariaDB quotes from behind a comma
	}
	if t == lex.Comma || t == lex.Open {
		w.feed()
	}
	return true
}

// standsFor is what stands for the current token; empty if nothing can.
func (w *outliner) standsFor(t lex.Token) string {
	value := w.lx.Value()
	before := w.lastWord
	w.lastWord = ""
	switch t {
	case lex.Word:
		return w.word(value, before)
	case lex.Quoted:
		return w.quotedName(value)
	case lex.Var:
		if value[1] == '`' || value[1] == '\'' || value[1] == '"' {
			return "@" + w.quotedName(value[1:])
		}
		return "@" + w.name(value[1:])
	case lex.SysVar:
		return standingVariable(value)
	case lex.Number, lex.Float, lex.Hex:
		return plainNumber(t, value)
	case lex.String:
		return string(value[:1]) + stringAfter(before) + string(value[:1])
	case lex.NString:
		return "N'x'"
	case lex.Null:
		return `\N`
	case lex.Param:
		if w.params {
			return "?"
		}
		return sentinel // servers do not read it in a text to be run
	case lex.Assign:
		return ":="
	default:
		if c := value[0]; c > ' ' && c < 0x7f {
			return string(c)
		}
		return ""
	}
}

// word is what stands for a word: itself if it is one of SQL's, else a name.
func (w *outliner) word(value []byte, before string) string {
	if w.last == lex.Dot && w.lx.Gap == w.lx.From {
		return w.name(value)
	}
	if Keywords.Has(value) {
		w.lastWord = string(lex.UpperInto(nil, value))
		return w.lastWord
	}
	switch {
	case lex.Introducers.Has(value):
		return "_utf8mb4"
	case before == "COLLATE":
		return someCollation
	case lex.IsCharset(value):
		return "utf8mb4"
	}
	if rest := w.lx.Text[w.lx.Pos:]; len(rest) > 0 && rest[0] == '(' {
		// Of a function that no server has some say so before they have read on.
		if rest = bytes.TrimLeft(rest[1:], " \t\r\n"); len(rest) > 0 && rest[0] == ')' {
			return "pi"
		}
		return "concat"
	}
	return w.name(value)
}

// someCollation is one that every server has, of the character set that stands for others.
const someCollation = "utf8mb4_bin"

// stringAfter is what stands for the content of a string behind a keyword.
func stringAfter(before string) string {
	switch before {
	case "DATE":
		return "2000-01-01"
	case "TIME":
		return "00:00:00"
	case "TIMESTAMP":
		return "2000-01-01 00:00:00"
	case "COLLATE":
		return someCollation
	case "CHARSET", "NAMES":
		return "utf8mb4"
	}
	return "x"
}

// name is what stands for a name: the same for the same.
func (w *outliner) name(value []byte) string {
	key := strings.ToLower(string(value))
	if w.names[key] == 0 {
		w.names[key] = len(w.names) + 1
	}
	return "t" + strconv.Itoa(w.names[key])
}

// quotedName is what stands for a name in quotes.
func (w *outliner) quotedName(value []byte) string {
	inner := value[1 : len(value)-1]
	if len(inner) == 0 {
		return string(value)
	}
	return string(value[:1]) + w.name(inner) + string(value[len(value)-1:])
}

// scopes are the words before the name of a variable of the server's.
var scopes = lex.NewWordSet("GLOBAL", "SESSION", "LOCAL", "PERSIST", "PERSIST_ONLY")

// standingVariable is one that every server has, of the same scope.
func standingVariable(value []byte) string {
	if scope, _, ok := bytes.Cut(value[len("@@"):], []byte(".")); ok && scopes.Has(scope) {
		return "@@" + string(lex.UpperInto(nil, scope)) + ".sql_mode"
	}
	return "@@sql_mode"
}

// plainNumber is a number of the same form.
func plainNumber(t lex.Token, value []byte) string {
	switch {
	case t == lex.Hex && value[0] == '0':
		return "0" + string(value[1]) + "0"
	case t == lex.Hex && value[0]|0x20 == 'b':
		return "b'0'"
	case t == lex.Hex:
		return "x'00'"
	case t == lex.Float:
		return "1e0"
	case value[0] == '.':
		return ".0"
	case value[len(value)-1] == '.':
		return "1."
	case bytes.IndexByte(value, '.') >= 0:
		return "1.0"
	default:
		return "1"
	}
}

// isQuoted reports whether a token is a string, or what is one in other sql_modes.
func isQuoted(t lex.Token, value []byte) bool {
	return t == lex.String || t == lex.NString || t == lex.Quoted && value[0] == '"'
}

// misquoted reports whether quotes of a text may not be where they are meant to be: one has no
// other, or a word touches a string.
func misquoted(text []byte, m lex.Modes) bool {
	var lx lex.Lexer
	lx.Reset(text, m)
	var last lex.Token
	lastQuoted, introduces := false, false
	for {
		t := lx.Next()
		switch {
		case t == lex.End:
			return false
		case t == lex.Error:
			return true
		}
		quoted, touches := isQuoted(t, lx.Value()), lx.Gap == lx.From
		switch {
		case !touches:
		case lastQuoted && (t == lex.Word || t.IsLiteral()):
			return true
		case quoted && !introduces && (last == lex.Word || last.IsLiteral()):
			return true
		}
		last, lastQuoted, introduces = t, quoted, t == lex.Word && (lex.Introducers.Has(lx.Value()) || lex.BeforeTemporal.Has(lx.Value()))
	}
}

// unended writes the beginning of something without its end, if it is something that every
// server takes for that.
func (w *outliner) unended() bool {
	rest := w.lx.Text[w.lx.From:]
	if w.lx.Gap < w.lx.From {
		if bytes.HasSuffix(w.Text, []byte("--")) {
			return false
		}
		w.feed()
	}
	w.place(w.lx.From)
	switch c := rest[0]; {
	case c == '\'' || c == '"' || c == '`':
		w.Text = append(w.Text, c)
	case len(rest) > 1 && rest[1] == '\'' && (c|0x20 == 'x' || c|0x20 == 'b'): // no hexadecimal or binary number
		w.Text = append(w.Text, c, '\'', 'z', '\'')
	case c == '/' && len(rest) > 1 && rest[1] == '*':
		if bytes.Contains(rest[2:], []byte("*/")) {
			return false // one in another, which a server may read to its end
		}
		w.Text = append(w.Text, "/*"...)
	default:
		return false
	}
	return true
}
