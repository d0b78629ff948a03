package sql

import (
	"bytes"
	"errors"

	"tunic/internal/identifier"
	"tunic/internal/sql/lex"
)

// Errors of [Statement.Tree]. They name what is in the way and nothing of the
// text.
var (
	ErrNoTree       = errors.New("sql: the parser has no tree for this kind of statement")
	ErrTreeTooLarge = errors.New("sql: the statement is too long or too deep to parse")
	ErrTreeSyntax   = errors.New("sql: the parser does not know this syntax")
	ErrTreeMode     = errors.New("sql: the parser does not know this sql_mode")
)

// Bounds of what is given to the parser: its trees are walked by recursion,
// and a goroutine's stack that overflows takes the process with it.
const (
	treeTokensMax = 100_000
	treeDepthMax  = 1_000
	// treeLevelsMax bounds how deep nodes are in one another, of which a hundred fit into
	// some ten kilobytes of stack.
	treeLevelsMax = 10_000
)

// respeller writes a statement's tokens so that the parser library reads them
// as the server does:
//
//   - comments are gone, except optimizer hints where they are ones, and
//     executable comments are code or gone; the library has its own idea of
//     versions, and takes // for a comment;
//   - strings are in single quotes with doubled quotes and backslashes, whatever
//     the sql_mode and the character set; adjacent ones are one;
//   - identifiers that it would not lex are in backquotes: those outside ASCII,
//     those that begin with a digit, those in double quotes;
//   - what it would read as its own (:name is a bind variable to it) is an
//     error.
type respeller struct {
	lx       lex.Lexer
	out      []byte
	prev     lex.Token
	prevWord []byte // the word, if prev is one
	temporal bool   // the word before the string prev is DATE, TIME or TIMESTAMP
	depth    int
	tokens   int
	places   *placer // if bind variables stand for literals
	bound    bool    // bind variables are in the text

	kind      Kind
	returning int      // where the list after RETURNING begins in out; 0 if there is none
	brace     bool     // the token before is {
	named     bool     // CONSTRAINT was the last of CONSTRAINT and CHECK
	traced    bool     // what is written is noted in traces
	traces    [][2]int // where tokens begin in out, and in the text
	windows   windowList
	sets      setReader
	column    string // whose definition is read
	defines   int    // how many names come before a definition in ALTER TABLE
	typed     bool   // the token before is the name of a column that is defined
	optional  optional
	marked    bool
	locked    lockedTables
	defaults  calledDefault
	// dropping, adding and changing say which was the last of DROP, ADD, and of MODIFY and
	// CHANGE, in ALTER TABLE.
	dropping, adding, changing bool
	written                    written
}

// spelled is a respelled statement.
type spelled struct {
	text      string
	returning string // the list after RETURNING; "" if there is none
	marked    bool   // it has names that stand for what the library has not
}

func respell(text []byte, k Kind, m Modes) (spelled, error) {
	r := respeller{out: make([]byte, 0, len(text)+16), kind: k}
	return r.respell(text, m)
}

func (r *respeller) respell(text []byte, m Modes) (spelled, error) {
	if m&(Oracle|MSSQL) != 0 {
		return spelled{}, ErrTreeMode
	}
	r.lx.Reset(text, m)
	for {
		t := r.lx.Next()
		if r.places != nil {
			t = r.leaveGroup(t)
		}
		if t <= lex.Error {
			break
		}
		if r.traced {
			r.traces = append(r.traces, [2]int{len(r.out), r.lx.From})
		}
		if err := r.token(t); err != nil {
			return spelled{}, err
		}
	}
	if l := r.level(); l.with == withBody {
		if err := r.leaveBody(l, lex.End, nil); err != nil {
			return spelled{}, err
		}
	}
	r.closeSet()
	switch {
	case r.lx.Unclean:
		return spelled{}, ErrUnclean
	case r.brace:
		return spelled{}, ErrTreeSyntax
	case r.returning > 0:
		return spelled{text: string(r.out[:r.returning]), returning: string(r.out[r.returning:])}, nil
	}
	return spelled{text: string(r.out), marked: r.marked}, nil
}

func (r *respeller) token(t lex.Token) error {
	if r.tokens++; r.tokens > treeTokensMax {
		return ErrTreeTooLarge
	}
	if r.places != nil {
		if done, err := r.place(t); done || err != nil {
			return err
		}
	}
	value := r.lx.Value()
	if done, err := r.rewrite(t, value); done || err != nil {
		return err
	}
	if t == lex.String && (r.prev == lex.String || r.prev == lex.NString) && !r.temporal {
		return r.adjacent(t)
	}
	if r.written.isSpaced(&r.lx, t, r.prev) {
		return ErrTreeSyntax
	}
	r.written.follow(&r.lx, t, r.prev, r.prevWord, r.kind)
	r.separate(t)
	return r.append(t, value)
}

// append writes a token.
func (r *respeller) append(t lex.Token, value []byte) error {
	switch t {
	case lex.Word:
		if err := r.word(value); err != nil {
			return err
		}
	case lex.Quoted:
		c := lex.Cursor{Lexer: r.lx, Token: t}
		r.out = identifier.Append(r.out, c.Identifier())
	case lex.String, lex.NString:
		if err := r.introduced(); err != nil {
			return err
		}
		r.temporal = r.prev == lex.Word && lex.BeforeTemporal.Has(r.prevWord)
		if t == lex.NString {
			r.out = append(r.out, 'N')
		}
		r.out = append(r.out, '\'')
		r.string(t)
	case lex.Var:
		r.variable(value)
	case lex.SysVar:
		r.out = append(r.out, bytes.ReplaceAll(value, []byte("`"), nil)...)
	case lex.Null:
		r.out = append(r.out, "NULL"...)
	case lex.Code, lex.CodeEnd:
		return nil
	case lex.Note:
		r.hint(value)
		return nil
	default:
		if err := r.operator(t, value); err != nil {
			return err
		}
	}
	r.prev = t
	if t == lex.Word {
		r.prevWord = value
	}
	return nil
}

// adjacent writes a string behind another one, which it belongs to.
func (r *respeller) adjacent(t lex.Token) error {
	if !r.written.isOne(r.kind) {
		return ErrTreeSyntax
	}
	r.out = r.out[:len(r.out)-1]
	r.string(t)
	return nil
}

// separate writes a space where the text has one, and where the library would
// read two tokens as one.
func (r *respeller) separate(t lex.Token) {
	glued := r.lx.Gap == r.lx.From
	if t == lex.Dot || r.prev == lex.Dot {
		glued = true
	} else if isJoinable(t) && isJoinable(r.prev) {
		glued = false
	}
	if !glued && len(r.out) > 0 {
		r.out = append(r.out, ' ')
	}
}

// isJoinable reports whether the library may read a token and another one right behind it as one. What is
// not in quotes in the text may be in what is written.
func isJoinable(t lex.Token) bool { return t.IsWordy() || t == lex.Quoted || t == lex.Null }

func (r *respeller) word(w []byte) error {
	if lex.IsDigit(w[0]) || !lex.ASCII(w) {
		r.out = identifier.Append(r.out, w)
		return nil
	}
	if r.lx.Modes&HighNotPrecedence != 0 && lex.Is(w, "NOT") {
		return ErrTreeMode
	}
	r.out = append(r.out, w...)
	return nil
}

// string writes the rest of a string whose opening quote is written.
func (r *respeller) string(t lex.Token) {
	c := lex.Cursor{Lexer: r.lx, Token: t}
	for _, b := range []byte(c.StringValue()) {
		if b == '\'' || b == '\\' {
			r.out = append(r.out, b)
		}
		r.out = append(r.out, b)
	}
	r.out = append(r.out, '\'')
}

// introduced refuses the introducer that the library takes for a column, which
// would make the string its alias.
func (r *respeller) introduced() error {
	if r.prev == lex.Word && lex.Is(r.prevWord, "_FILENAME") {
		return ErrTreeSyntax
	}
	return nil
}

// variable writes a user variable; the space after it keeps the library from
// reading on.
func (r *respeller) variable(value []byte) {
	r.out = append(r.out, '@')
	if lex.IsWord(value[1]) || value[1] == '.' {
		r.out = append(r.out, value[1:]...)
	} else {
		c := lex.Cursor{Lexer: r.lx, Token: lex.Var}
		r.out = identifier.Append(r.out, variableName(&c))
	}
	r.out = append(r.out, ' ')
}

// hint keeps an optimizer hint where the server takes it for one.
func (r *respeller) hint(value []byte) {
	first := r.prev == lex.Word &&
		(lex.Is(r.prevWord, "SELECT") || lex.Is(r.prevWord, "INSERT") || lex.Is(r.prevWord, "REPLACE") ||
			lex.Is(r.prevWord, "UPDATE") || lex.Is(r.prevWord, "DELETE"))
	if first && r.lx.Modes&MariaDB == 0 && bytes.HasPrefix(value, []byte("/*+")) {
		r.out = append(r.out, value...)
	}
}

func (r *respeller) operator(t lex.Token, value []byte) error {
	switch {
	case t == lex.Open:
		if r.depth++; r.depth > treeDepthMax {
			return ErrTreeTooLarge
		}
	case t == lex.Close:
		r.depth--
	case t == lex.Op:
		switch value[0] {
		case ':', '@':
			if !r.bound || value[0] == '@' {
				return ErrTreeSyntax
			}
		case '|':
			if r.lx.Modes&PipesAsConcat != 0 && r.last() == '|' {
				return ErrTreeMode
			}
		case '/':
			if r.last() == '/' {
				return ErrTreeSyntax
			}
		}
	}
	r.out = append(r.out, value...)
	r.defaults.close(r, t)
	return nil
}

func (r *respeller) last() byte {
	if len(r.out) == 0 {
		return 0
	}
	return r.out[len(r.out)-1]
}
