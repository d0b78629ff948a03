package fingerprint

import (
	"bytes"
	"hash/maphash"

	"tunic/internal/sql/lex"
)

// Fingerprint says what a text has in common with others of its form.
type Fingerprint struct {
	// Hash is of Template. It differs from process to process, so that nobody
	// can prepare texts whose hashes collide.
	Hash uint64
	// Template is the text with its values taken out. It is valid until the
	// Fingerprinter's next call.
	Template []byte
	// Clean is false when the text could not be lexed to its end (an
	// unterminated string or comment), when its parentheses do not match, and
	// when the server may read it otherwise. The template is then not one to look
	// anything up by.
	Clean bool
	// Statements counts the statements that semicolons separate. A stored
	// program's body counts as the text does: by its semicolons.
	Statements int
}

// Fingerprinter turns texts into templates. Each session has its own; it is
// not safe for concurrent use. After a few calls it allocates nothing.
//
// The template is the text, but that
//
//   - white space and comments between two tokens are one space, and none at
//     the ends;
//   - a literal is ? if exact, ?e0 if floating, '?' if a string, N'?' if
//     national, x'?' if hexadecimal or binary, so that literals of different
//     types, which compare by different rules, have different templates;
//     adjacent strings are one literal; an introducer (_utf8mb4) stays;
//   - a row of VALUES shows every cell that is one literal, NULL, TRUE or FALSE
//     as ?, and rows that have the template of the one before show as ...;
//     likewise the items of an IN: (?,?,?) is (?...);
//   - a prepared statement's parameter is :?, and parameters are never
//     collapsed.
//
// Everything else is kept as it is written: words with their case, quoted
// identifiers, variables, operators, hints, executable comments. So are the
// literals that are part of a statement's form, not of its data: positions
// after ORDER BY and GROUP BY, sizes of types, aliases, names of collations
// and character sets, separators, and the values of SET (but not those of a
// user variable).
//
// Two texts with one template therefore differ in the values of literals, in
// the number of equal rows of VALUES and items of IN, and in white space and
// comments, and in nothing else. The names that the server gives to result
// columns without an alias do depend on those: who makes such a name takes it
// from the text.
type Fingerprinter struct {
	lx     lex.Lexer
	out    []byte
	copied int // text[copied:] is not in out yet

	prev     lex.Token // the token before the current one, …
	prevFrom int       // … where it begins, and what else to know of it:
	prevRole role

	begun      bool // inside a statement
	statements int
	setting    setState

	depth  int    // open parentheses
	byList uint64 // bit d: in a list after BY at depth d
	byItem bool   // a position may stand here
	sized  uint64 // bit d: in the parentheses of a type at depth d
	listed uint64 // bit d: lists[d] is in use
	lists  [maxDepth]list
	seen   counts

	recording bool
	literals  Literals
}

// counts are the tokens seen so far, by what they mean to a list.
type counts struct {
	params   int
	literals int
	others   int // neither, and no sign, comma or parenthesis of a list
}

// maxDepth is how many nested parentheses have contexts of their own. Deeper,
// numbers are kept and nothing is collapsed.
const maxDepth = 64

// Limits of the buffer that a Fingerprinter keeps, in bytes.
const (
	bufferStart = 512
	bufferKeep  = 64 << 10 // a larger one is given back at the next call
)

// role is what a token was that the token after it must know.
type role uint8

const (
	roleNone     role = iota
	roleBraced        // a word after {, as in {d '2026-01-01'}
	roleMarked        // a string that became a mark: the next string joins it
	roleTemporal      // a string after DATE: one string is all it takes
	roleKept          // a string that is in the template
)

// setState is where in a SET statement the current token stands.
type setState uint8

const (
	setNot    setState = iota // in another statement
	setTarget                 // a name is next
	setValue                  // in the assignment of a variable of the server's
	setUser                   // in the assignment of a user variable
)

// marks stand for literals in a template.
var marks = [...]string{lex.Number: "?", lex.Float: "?e0", lex.Hex: "x'?'", lex.String: "'?'", lex.NString: "N'?'"}

var hashSeed = maphash.MakeSeed()

// Fingerprint makes text's template. It keeps no reference to text.
func (f *Fingerprinter) Fingerprint(text []byte, m lex.Modes) Fingerprint {
	f.reset(text, m)
	for f.step() {
	}
	f.endStatement()
	f.flush(f.lx.Gap)
	f.lx.Text = nil
	if f.recording {
		f.literals.finish()
	}
	return Fingerprint{
		Hash:       maphash.Bytes(hashSeed, f.out),
		Template:   f.out,
		Clean:      !f.lx.Unclean,
		Statements: f.statements,
	}
}

func (f *Fingerprinter) reset(text []byte, m lex.Modes) {
	if cap(f.out) > bufferKeep || f.out == nil {
		f.out = make([]byte, 0, bufferStart)
	}
	f.out = f.out[:0]
	f.lx.Reset(text, m)
	f.copied, f.prev, f.prevFrom, f.prevRole = 0, lex.End, 0, roleNone
	f.statements, f.seen, f.depth = 0, counts{}, 0
	if f.recording {
		f.literals.reset()
	}
	f.endStatement()
}

// endStatement forgets every context. A parenthesis that is still open is no
// SQL, and its list may be half collapsed.
func (f *Fingerprinter) endStatement() {
	f.lx.Unclean = f.lx.Unclean || f.depth > 0
	f.begun, f.setting = false, setNot
	f.depth, f.byList, f.byItem, f.sized, f.listed = 0, 0, false, 0, 0
}

// step handles one token; false when there is none.
func (f *Fingerprinter) step() bool {
	t := f.lx.Next()
	if t <= lex.Error {
		return false
	}
	if t == lex.String && f.prevRole == roleMarked {
		f.copied = f.lx.Pos
		if f.recording {
			f.recordJoined()
		}
		return true
	}
	if gap := f.lx.Gap; gap != f.lx.From && (f.lx.From-gap != 1 || gap == 0 || f.lx.Text[gap] != ' ') {
		f.space()
	}
	if !f.begun && f.begin(t) {
		return f.done(t, roleNone)
	}
	// Outside lists and SET most words and operators are kept and mean nothing.
	if f.listed|f.byList == 0 && f.setting == setNot && f.nothing(t) {
		return f.done(t, roleNone)
	}
	return f.done(f.handle(t))
}

// begin notes the first token of a statement; true if that is all there is to
// it.
func (f *Fingerprinter) begin(t lex.Token) bool {
	if t == lex.Semi || t >= lex.Code {
		return false
	}
	f.begun = true
	f.statements++
	if t == lex.Word && lex.Is(f.lx.Value(), "SET") {
		f.setting = setTarget
		return true
	}
	return false
}

// nothing says that token t, outside of any context, is kept and changes none.
func (f *Fingerprinter) nothing(t lex.Token) bool {
	switch t {
	case lex.Word:
		if f.prev == lex.Dot || (f.prev == lex.Op && f.lx.Text[f.prevFrom] == '{') {
			return false
		}
		return f.lx.Pos-f.lx.From != 2 || f.lx.Text[f.lx.From]|0x20 != 'b'
	case lex.Op, lex.Comma:
		return true
	}
	return false
}

// done remembers the token for the next one.
func (f *Fingerprinter) done(t lex.Token, r role) bool {
	f.prev, f.prevFrom, f.prevRole = t, f.lx.From, r
	return true
}

// handle puts token t where it belongs and says what the next token should
// take it for.
func (f *Fingerprinter) handle(t lex.Token) (lex.Token, role) {
	if f.setting != setNot {
		f.set(t)
	}
	switch t {
	case lex.Word:
		return f.word()
	case lex.Number, lex.Float, lex.Hex:
		f.number(t)
	case lex.String, lex.NString:
		return t, f.string(t)
	case lex.Param:
		f.other()
		f.seen.params++
		f.replace(":?")
	case lex.Open:
		return f.open(), roleNone
	case lex.Close:
		f.close()
	case lex.Comma:
		f.comma()
	case lex.Semi:
		f.endStatement()
	case lex.Dot:
		f.dot()
	case lex.Op:
		f.operator()
	default:
		f.other()
	}
	return t, roleNone
}

// space makes the gap before the current token one space, or none at the start.
func (f *Fingerprinter) space() {
	f.flush(f.lx.Gap)
	if f.lx.Gap > 0 {
		f.out = append(f.out, ' ')
	}
	f.copied = f.lx.From
}

// flush copies what is kept of the text before index end.
func (f *Fingerprinter) flush(end int) {
	if end > f.copied {
		f.out = append(f.out, f.lx.Text[f.copied:end]...)
		f.copied = end
	}
}

// replace writes mark in place of the current token.
func (f *Fingerprinter) replace(mark string) {
	f.flush(f.lx.From)
	f.out = append(f.out, mark...)
	f.copied = f.lx.Pos
}

// other notes a token that is more than one literal of a list.
func (f *Fingerprinter) other() {
	f.seen.others++
	f.byItem = false
	if f.inList() {
		f.list().disturb(f)
	}
}

// word handles a keyword or a name. After a dot it is a name, whatever it says.
func (f *Fingerprinter) word() (lex.Token, role) {
	if f.prev == lex.Dot {
		f.other()
		return lex.Quoted, roleNone
	}
	w := f.lx.Value()
	if f.inList() && f.list().constant(f, w) {
		return lex.Word, roleNone
	}
	f.other()
	switch {
	case len(w) == 2 && w[0]|0x20 == 'b' && w[1]|0x20 == 'y':
		f.byList |= f.bit()
		f.byItem = true
	case f.byList&f.bit() != 0 && endOfBy.Has(w):
		f.byList &^= f.bit()
	case f.prev == lex.Op && f.lx.Text[f.prevFrom] == '{':
		return lex.Word, roleBraced
	}
	return lex.Word, roleNone
}

// number handles a literal that is not a string.
func (f *Fingerprinter) number(t lex.Token) {
	if f.byItem || f.sized&f.bit() != 0 || f.depth >= maxDepth || f.setting == setValue || f.afterColon() {
		f.other()
		return
	}
	f.literal(t)
}

// literal replaces the current token by its mark.
func (f *Fingerprinter) literal(t lex.Token) {
	f.byItem = false
	f.seen.literals++
	if f.inList() {
		f.list().literal(f, t)
	}
	if f.recording {
		f.recordMark(t)
	}
	f.replace(marks[t])
}

// afterColon says that the current token follows a colon, where a mark would
// look like a parameter's.
func (f *Fingerprinter) afterColon() bool {
	return f.prev == lex.Op && f.lx.Text[f.prevFrom] == ':'
}

// string handles a string: data where only a value can stand, else form.
func (f *Fingerprinter) string(t lex.Token) role {
	r := roleMarked
	switch {
	case f.setting == setValue:
		r = roleKept
	case f.prev == lex.Word:
		r = f.stringAfterWord()
	case f.prev == lex.Open, f.prev == lex.Comma, f.prev == lex.Assign:
	case f.prev == lex.Op:
		switch f.lx.Text[f.prevFrom] {
		case '}', ':', '@', '\\', ']':
			r = roleKept
		}
	default:
		r = roleKept // an alias, or not SQL
	}
	if r == roleKept {
		f.other()
	} else {
		f.literal(t)
	}
	return r
}

func (f *Fingerprinter) stringAfterWord() role {
	w := f.prevWord()
	switch {
	case f.prevRole == roleBraced, lex.BeforeTemporal.Has(w):
		return roleTemporal
	case beforeValue.Has(w), w[0] == '_' && lex.Introducers.Has(w):
		return roleMarked
	}
	return roleKept
}

// dot refuses what looks like the mark of a collapsed list.
func (f *Fingerprinter) dot() {
	f.other()
	f.flush(f.lx.From)
	if bytes.HasSuffix(f.out, []byte("..")) {
		f.lx.Unclean = true
	}
}

// operator handles an operator of one byte. A sign before a number belongs to
// it in a list, and leaves a position what it is.
func (f *Fingerprinter) operator() {
	if c := f.lx.Text[f.lx.From]; c != '-' && c != '+' {
		f.other()
		return
	}
	if f.inList() {
		f.list().sign(f)
	}
}

// set follows a SET statement: which literals are the server's to act upon.
func (f *Fingerprinter) set(t lex.Token) {
	switch {
	case f.depth > 0:
	case t == lex.Comma:
		f.setting = setTarget
	case t == lex.Word && lex.Is(f.lx.Value(), "FOR"):
		f.setting = setNot // SET STATEMENT … FOR a statement of any kind
	case f.setting != setTarget:
	case t == lex.Var:
		f.setting = setUser
	default:
		f.setting = setValue
	}
}

// bit is the bit of the current depth, or none deeper than maxDepth.
func (f *Fingerprinter) bit() uint64 { return 1 << uint(f.depth) }
