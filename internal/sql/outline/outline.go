package outline

import (
	"bytes"
	"strconv"
	"strings"

	"tunic/internal/sql/lex"
)

// Outline is what is left of a text when everything is taken out of it that is its writer's:
// keywords and signs stay; names, literals and variables are others of the same form, which
// are numbered or constant; comments are gone. So a server can be asked what it makes of a
// text, and learns none of it: each byte of an outline is of a list in this package.
//
// A server does not accept an outline. Behind it are a semicolon and a byte that is in no
// grammar: a text that is right is wrong there.
//
// Where a string does not end where its writer has meant it to, as in 'O'Brien and sons', words
// of it stand outside of quotes. So where quotes look like that, the outline ends at the first
// keyword behind a string.
//
// Gaps are line feeds, and there are more of them than in the text, so that a place is told by
// its line where what is near it looks like something else.
type Outline struct {
	Text []byte

	places []outlined
	text   []byte
	cut    bool // Text ends before the text does
	params bool // the text is to be prepared
}

// outlined is where a token begins, in the outline and in the text.
type outlined struct {
	at, from, line int
	// literals are the line feeds in strings and quoted names before it in the text.
	literals int
}

// outlineBytesMax is the longest text that is outlined. Who writes more of it by hand?
const outlineBytesMax = 64 << 10

// sentinel makes every outline wrong: it is a byte that prints and that no grammar has.
const sentinel = "]"

// New makes the outline of a text. ok is false if the text cannot be read with
// certainty: then its outline is that of another one.
func New(text []byte, m lex.Modes, prepared bool) (o *Outline, ok bool) {
	if len(text) > outlineBytesMax || m.Charset() == lex.CharsetSwe7 || m&lex.TiDB != 0 {
		return nil, false
	}
	o = &Outline{text: text, params: prepared}
	w := outliner{Outline: o, names: map[string]int{}, misquoted: misquoted(text, m)}
	w.lx.Reset(text, m)
	for {
		t := w.lx.Next()
		switch {
		case t == lex.Error:
			o.cut = w.unended()
			return o, o.cut
		case w.lx.Unclean:
			return nil, false
		case w.misquoted && w.quoted && t == lex.Word && Keywords.Has(w.lx.Value()):
			o.cut = true // it may be a word of a value
			return o, true
		case t == lex.End:
			w.place(len(text))
			o.Text = append(o.Text, ";\n"...)
			w.place(len(text))
			o.Text = append(o.Text, sentinel...)
			return o, true
		case !w.token(t):
			return nil, false
		}
	}
}

// Stopped is where a server has stopped reading.
type Stopped struct {
	// Whole says that it has read the text to its end, which is right as far as it knows.
	Whole bool
	// At is where in the text the first token begins that it could not read; its length if
	// the text has ended too soon.
	At int
	// Line is the line of that place, counted from 1 as the server counts.
	Line int
}

// Bytes of a message that quotes what is near.
const (
	nearQuoted = 80 // what servers quote at most
	nearSure   = 60 // what they quote at least, if there is so much
)

// Where finds out of a server's message about the outline where in the text it has stopped. ok is
// false if that is not certain.
func (o *Outline) Where(message string, m lex.Modes) (s Stopped, ok bool) {
	found, line := -1, lastNumber(message)
	var counted outlined
	for i := range o.places {
		if !o.near(message, i) {
			continue
		}
		// MariaDB may have read one token more, and counts up to that.
		next := o.places[min(i+1, len(o.places)-1)]
		switch {
		case line != o.places[i].line && (m&lex.MariaDB == 0 || line != next.line):
			continue
		case found >= 0:
			return s, false
		case line == o.places[i].line:
			next = o.places[i]
		}
		found, counted = i, next
	}
	if found < 0 {
		return s, false
	}
	s = Stopped{At: o.places[found].from, Line: 1 + bytes.Count(o.text[:counted.from], []byte("\n"))}
	if m&lex.MariaDB != 0 {
		s.Line -= counted.literals // it does not count those
	}
	s.Whole = !o.cut && found == len(o.places)-1
	return s, true
}

// near reports whether a message quotes what begins at a place.
func (o *Outline) near(message string, place int) bool {
	p := o.places[place]
	rest := string(o.Text[p.at:])
	near := "'" + rest
	if len(rest) <= nearQuoted {
		near += "'"
	}
	near = near[:min(len(near), 1+nearSure)]
	if len(rest) <= nearSure {
		near = "'" + rest + "'"
	}
	return strings.Contains(message, near)
}

// lastNumber is the last number in a message, which is that of the line in all languages; -1
// without one.
func lastNumber(message string) int {
	end := strings.LastIndexFunc(message, isDecimal) + 1
	start := strings.LastIndexFunc(message[:end], func(r rune) bool { return !isDecimal(r) }) + 1
	n, err := strconv.Atoi(message[start:end])
	if err != nil {
		return -1
	}
	return n
}

func isDecimal(r rune) bool { return r >= '0' && r <= '9' }
