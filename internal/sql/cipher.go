package sql

import (
	"bytes"
	"slices"

	"tunic/internal/sql/lex"
)

// Ciphers are the calls of AES_ENCRYPT and AES_DECRYPT in a statement, those in one another
// as one.
type Ciphers struct {
	Calls []CipherCall
	// Params is where the parameters of the statement are, in its text.
	Params []int
	// Keys are the user variables in keys, in lower case; KeyParams are the parameters in
	// keys, by their numbers.
	Keys      []string
	KeyParams []int
	// Keyed says that a key has something in it that the text says: a literal, a parameter,
	// a user variable. Unclear says that calls may be elsewhere, or reach further, than can
	// be told.
	Keyed, Unclear bool
	// Assigns says that the statement sets a user variable on its way.
	Assigns bool
}

// CipherCall is where a call is in the text.
type CipherCall struct{ From, To int }

// Ciphers finds the calls. A key is all that follows the first argument: the key itself,
// the initialization vector, and what a function that derives keys takes.
func (s *Statement) Ciphers() Ciphers {
	f := cipherFinder{}
	f.lx.Reset(s.text[s.Start:s.End], s.modes)
	for f.t = f.lx.Next(); f.t > lex.Error; f.t = f.lx.Next() {
		f.token()
	}
	f.found.Unclear = f.found.Unclear || f.lx.Unclean || len(f.open) > 0
	return f.found
}

// cipherFinder reads the tokens of a statement.
type cipherFinder struct {
	lx    lex.Lexer
	t     lex.Token
	found Ciphers
	// named says that the token before is the name of a cipher's function, which begins at
	// name; dotted that it is a dot.
	named, dotted bool
	name, depth   int
	open          []openCipher // the calls that the token is in, the outermost first
}

// openCipher is a call whose end has not been read.
type openCipher struct {
	from, depth int
	argument    int // the number of the one that is being read
}

// token takes the current token.
func (f *cipherFinder) token() {
	named := false
	switch f.t {
	case lex.Word, lex.Quoted:
		c := lex.Cursor{Lexer: f.lx, Token: f.t}
		if named = !f.dotted && isCipher([]byte(c.Identifier())); named {
			f.name = f.lx.From
		}
	case lex.Open:
		if f.named {
			f.open = append(f.open, openCipher{from: f.name, depth: f.depth})
		}
		f.depth++
	case lex.Close:
		f.depth--
		f.close()
	case lex.Comma:
		if last := len(f.open) - 1; last >= 0 && f.open[last].depth == f.depth-1 {
			f.open[last].argument++
		}
	case lex.Note:
		f.found.Unclear = f.found.Unclear || noted(f.lx.Value(), f.lx.Modes, isCipher)
	case lex.Code, lex.CodeEnd, lex.Semi:
		f.found.Unclear = f.found.Unclear || len(f.open) > 0
		named = f.named // as if it were not there
	default:
		f.value()
	}
	f.named, f.dotted = named, f.t == lex.Dot
}

// value takes a token that may be a value.
func (f *cipherFinder) value() {
	inKey := slices.ContainsFunc(f.open, func(c openCipher) bool { return c.argument > 0 })
	switch {
	case f.t == lex.Param:
		if inKey {
			f.found.Keyed, f.found.KeyParams = true, append(f.found.KeyParams, len(f.found.Params))
		}
		f.found.Params = append(f.found.Params, f.lx.From)
	case f.t == lex.Assign:
		f.found.Assigns = true
	case f.t == lex.Var && inKey:
		c := lex.Cursor{Lexer: f.lx, Token: f.t}
		f.found.Keys, f.found.Keyed = append(f.found.Keys, variableName(&c)), true
	case f.t.IsLiteral() && inKey:
		f.found.Keyed = true
	}
}

// close ends the innermost call, if this is its parenthesis.
func (f *cipherFinder) close() {
	last := len(f.open) - 1
	if last < 0 || f.open[last].depth != f.depth {
		return
	}
	if last == 0 {
		f.found.Calls = append(f.found.Calls, CipherCall{f.open[0].from, f.lx.Pos})
	}
	f.open = f.open[:last]
}

// isCipher reports whether a name is that of such a function.
func isCipher(name []byte) bool {
	return bytes.EqualFold(name, []byte("AES_ENCRYPT")) || bytes.EqualFold(name, []byte("AES_DECRYPT"))
}

// Text is the statement as it was written.
func (s *Statement) Text() []byte { return s.text[s.Start:s.End] }
