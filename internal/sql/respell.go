package sql

import (
	"bytes"
	"errors"
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
	lx       lexer
	out      []byte
	prev     token
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
	r.lx.reset(text, m)
	for {
		t := r.lx.next()
		if r.places != nil {
			t = r.leaveGroup(t)
		}
		if t <= tokenError {
			break
		}
		if r.traced {
			r.traces = append(r.traces, [2]int{len(r.out), r.lx.from})
		}
		if err := r.token(t); err != nil {
			return spelled{}, err
		}
	}
	if l := r.level(); l.with == withBody {
		if err := r.leaveBody(l, tokenEnd, nil); err != nil {
			return spelled{}, err
		}
	}
	r.closeSet()
	switch {
	case r.lx.unclean:
		return spelled{}, ErrUnclean
	case r.brace:
		return spelled{}, ErrTreeSyntax
	case r.returning > 0:
		return spelled{text: string(r.out[:r.returning]), returning: string(r.out[r.returning:])}, nil
	}
	return spelled{text: string(r.out), marked: r.marked}, nil
}

func (r *respeller) token(t token) error {
	if r.tokens++; r.tokens > treeTokensMax {
		return ErrTreeTooLarge
	}
	if r.places != nil {
		if done, err := r.place(t); done || err != nil {
			return err
		}
	}
	value := r.lx.value()
	if done, err := r.mend(t, value); done || err != nil {
		return err
	}
	if t == tokenString && (r.prev == tokenString || r.prev == tokenNString) && !r.temporal {
		r.out = r.out[:len(r.out)-1]
		r.string(t)
		return nil
	}
	r.separate(t)
	switch t {
	case tokenWord:
		if err := r.word(value); err != nil {
			return err
		}
	case tokenQuoted:
		c := cursor{lx: r.lx, t: t}
		r.quote([]byte(c.identifier()))
	case tokenString, tokenNString:
		if err := r.introduced(); err != nil {
			return err
		}
		r.temporal = r.prev == tokenWord && beforeTemporal.has(r.prevWord)
		if t == tokenNString {
			r.out = append(r.out, 'N')
		}
		r.out = append(r.out, '\'')
		r.string(t)
	case tokenVar:
		r.variable(value)
	case tokenSysVar:
		r.out = append(r.out, bytes.ReplaceAll(value, []byte("`"), nil)...)
	case tokenNull:
		r.out = append(r.out, "NULL"...)
	case tokenCode, tokenCodeEnd:
		return nil
	case tokenNote:
		r.hint(value)
		return nil
	default:
		if err := r.operator(t, value); err != nil {
			return err
		}
	}
	r.prev = t
	if t == tokenWord {
		r.prevWord = value
	}
	return nil
}

// separate writes a space where the text has one, and where the library would
// read two tokens as one.
func (r *respeller) separate(t token) {
	glued := r.lx.gap == r.lx.from
	if t == tokenDot || r.prev == tokenDot {
		glued = true
	} else if wordy(t) && wordy(r.prev) {
		glued = false
	}
	if !glued && len(r.out) > 0 {
		r.out = append(r.out, ' ')
	}
}

func wordy(t token) bool { return t == tokenWord || t == tokenVar || t == tokenSysVar || t.literal() }

func (r *respeller) word(w []byte) error {
	if isDigit(w[0]) || !ascii(w) {
		r.quote(w)
		return nil
	}
	if r.lx.modes&HighNotPrecedence != 0 && is(w, "NOT") {
		return ErrTreeMode
	}
	r.out = append(r.out, w...)
	return nil
}

// quote writes an identifier in backquotes.
func (r *respeller) quote(name []byte) {
	r.out = append(r.out, '`')
	for _, c := range name {
		if c == '`' {
			r.out = append(r.out, c)
		}
		r.out = append(r.out, c)
	}
	r.out = append(r.out, '`')
}

// string writes the rest of a string whose opening quote is written.
func (r *respeller) string(t token) {
	c := cursor{lx: r.lx, t: t}
	for _, b := range []byte(c.stringValue()) {
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
	if r.prev == tokenWord && is(r.prevWord, "_FILENAME") {
		return ErrTreeSyntax
	}
	return nil
}

// variable writes a user variable; the space after it keeps the library from
// reading on.
func (r *respeller) variable(value []byte) {
	r.out = append(r.out, '@')
	if isWord(value[1]) || value[1] == '.' {
		r.out = append(r.out, value[1:]...)
	} else {
		c := cursor{lx: r.lx, t: tokenVar}
		r.quote([]byte(variableName(&c)))
	}
	r.out = append(r.out, ' ')
}

// hint keeps an optimizer hint where the server takes it for one.
func (r *respeller) hint(value []byte) {
	first := r.prev == tokenWord &&
		(is(r.prevWord, "SELECT") || is(r.prevWord, "INSERT") || is(r.prevWord, "REPLACE") ||
			is(r.prevWord, "UPDATE") || is(r.prevWord, "DELETE"))
	if first && r.lx.modes&MariaDB == 0 && bytes.HasPrefix(value, []byte("/*+")) {
		r.out = append(r.out, value...)
	}
}

func (r *respeller) operator(t token, value []byte) error {
	switch {
	case t == tokenOpen:
		if r.depth++; r.depth > treeDepthMax {
			return ErrTreeTooLarge
		}
	case t == tokenClose:
		r.depth--
	case t == tokenOp:
		switch value[0] {
		case ':', '@':
			if !r.bound || value[0] == '@' {
				return ErrTreeSyntax
			}
		case '|':
			if r.lx.modes&PipesAsConcat != 0 && r.last() == '|' {
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
