package pattern

import (
	"bytes"
	"slices"
	"strings"
	"unicode/utf8"

	"tunic/internal/eval/class"
	"tunic/internal/eval/coercion"
	"tunic/internal/eval/compilation"
	"tunic/internal/eval/program"
	"tunic/internal/eval/refusal"
	"tunic/internal/eval/regexp"
	"tunic/internal/sql/ast"
)

// matching is what the functions of regular expressions have in common.
type matching struct {
	name          string
	text, pattern program.Evaluator
	shape         class.Shape
	state         int // of the run's: the pattern that was read last
	ignoresCase   bool
	foldsStrings  bool
}

// readPatterns is a pattern as a run keeps it.
type readPatterns struct {
	text    []byte
	pattern *regexp.Pattern
}

// Regexp compiles text REGEXP pattern, and NOT REGEXP.
func Regexp(c *compilation.Compilation, e *ast.ComparisonExpr) (*program.Node, error) {
	return regexpLike(c, "REGEXP", e.Left, e.Right, nil, e.Operator == ast.NotRegexpOp)
}

// regexpLike compiles REGEXP and REGEXP_LIKE.
func regexpLike(c *compilation.Compilation, name string, text, pattern, how ast.Expr, negated bool) (*program.Node, error) {
	args, err := c.All([]ast.Expr{text, pattern})
	if err != nil {
		return nil, err
	}
	if how == nil && c.Session.IsMariaDB() && slices.ContainsFunc(args, func(n *program.Node) bool { return n.Class == class.Bytes }) {
		return regexpBytes(c, args, negated)
	}
	m, err := matchingOf(c, name, args, how)
	if err != nil {
		return nil, err
	}
	return program.Derive(class.BoolShape, func(r *program.Run) *program.Datum {
		s, p := m.next(r)
		if p == nil {
			return program.NullDatum
		}
		return program.BoolDatum(p.Match(s) != negated)
	}, args...), nil
}

// matchingOf evaluates text and pattern. how is the match type: an expression that
// says whether case counts, or nil.
func matchingOf(c *compilation.Compilation, name string, args []*program.Node, how ast.Expr) (*matching, error) {
	if err := c.Allow("REGEXP", args[0], args[1]); err != nil {
		return nil, err
	}
	if c.Session.RegexFlags != "" {
		return nil, refusal.Of(name + " with default_regex_flags")
	}
	evs, s, err := coercion.Texts(c, name, args[0], args[1])
	if err != nil {
		return nil, err
	}
	if s.Class != class.Text || !strings.HasPrefix(s.Collation.Charset.Name, "utf8") {
		return nil, refusal.Of(name + " of other than UTF-8")
	}
	m := &matching{name: name, text: evs[0], pattern: evs[1], shape: s, state: c.State()}
	m.ignoresCase, m.foldsStrings = s.Collation.CaseInsensitive, !c.Session.IsMariaDB()
	if how != nil {
		err = matchType(c, m, how)
	}
	return m, err
}

// matchType reads c and i of a match type that is a literal.
func matchType(c *compilation.Compilation, m *matching, how ast.Expr) error {
	n, err := c.Compile(how)
	if err != nil {
		return err
	}
	if n.Example == nil || n.Class != class.Text || len(n.Example.Bytes) == 0 {
		return refusal.Of(m.name + " with a match type that varies")
	}
	c.Pin(n)
	for _, b := range n.Example.Bytes {
		if b != 'c' && b != 'i' {
			return refusal.Of(m.name + " with other match types than c and i")
		}
		m.ignoresCase = b == 'i'
	}
	return nil
}

// next is the row's text and pattern; the pattern is nil if the result is NULL. A
// pattern that is none is an error to some servers even if the text is NULL.
func (m *matching) next(r *program.Run) ([]byte, *regexp.Pattern) {
	d, x := m.text(r), m.pattern(r)
	if x.Null {
		return nil, nil
	}
	p := m.read(r, x.B)
	switch {
	case p == nil:
		r.Refuse(m.name)
	case d.Null:
		return nil, nil
	case !p.Check(d.B):
		r.Refuse(m.name)
		p = nil
	}
	return d.B, p
}

// read reads a pattern if it is not the one before it.
func (m *matching) read(r *program.Run, text []byte) *regexp.Pattern {
	known, _ := r.States[m.state].(*readPatterns)
	if known == nil {
		known = &readPatterns{}
		r.States[m.state] = known
	}
	if known.pattern == nil || !bytes.Equal(known.text, text) {
		known.pattern, known.text = nil, append(known.text[:0], text...)
		if p, ok := regexp.Read(string(text), m.ignoresCase, m.foldsStrings); ok {
			known.pattern = p
		}
	}
	return known.pattern
}

// Function compiles the functions of regular expressions; the node is nil for another expression.
func Function(c *compilation.Compilation, e ast.Expr) (*program.Node, error) {
	switch e := e.(type) {
	case *ast.RegexpLikeExpr:
		if c.Session.IsMariaDB() {
			return nil, refusal.Of("REGEXP_LIKE")
		}
		return regexpLike(c, "REGEXP_LIKE", e.Expr, e.Pattern, e.MatchType, false)
	case *ast.RegexpInstrExpr:
		return regexpInstr(c, e)
	case *ast.RegexpSubstrExpr:
		return regexpSubstr(c, e)
	case *ast.RegexpReplaceExpr:
		return regexpReplace(c, e)
	}
	return nil, nil //nolint:nilnil // it is no function of regular expressions
}

// regexpBytes compiles MariaDB's REGEXP of bytes, as text REGEXP BINARY pattern is: it
// tells cases apart, and a character is a byte.
func regexpBytes(c *compilation.Compilation, args []*program.Node, negated bool) (*program.Node, error) {
	const name = "REGEXP BINARY"
	if err := c.Allow(name, args...); err != nil {
		return nil, err
	}
	if c.Session.RegexFlags != "" {
		return nil, refusal.Of(name + " with default_regex_flags")
	}
	evs, s, err := coercion.Texts(c, name, args...)
	if err != nil {
		return nil, err
	}
	m := &matching{name: name, shape: s, state: c.State()}
	m.text, m.pattern = byteRunes(c, evs[0]), byteRunes(c, evs[1])
	return program.Derive(class.BoolShape, func(r *program.Run) *program.Datum {
		text, p := m.next(r)
		if p == nil {
			return program.NullDatum
		}
		return program.BoolDatum(p.Match(text) != negated)
	}, args...), nil
}

// byteRunes evaluates bytes as text that has a character for each of them.
func byteRunes(c *compilation.Compilation, ev program.Evaluator) program.Evaluator {
	slot := c.Slot()
	return func(r *program.Run) *program.Datum {
		d := ev(r)
		if d.Null || r.Err != nil {
			return d
		}
		return r.Write(slot, func(dst []byte) []byte {
			for _, b := range d.B {
				dst = utf8.AppendRune(dst, rune(b))
			}
			return dst
		})
	}
}

// numbersOf compiles the position, the occurrence and the option that functions of
// regular expressions have in MySQL. One that is not there is its default.
func (m *matching) numbersOf(c *compilation.Compilation, list []ast.Expr, defaults []int64) (evs []program.Evaluator, nodes []*program.Node, err error) {
	for i, e := range list {
		if e == nil {
			d := &program.Datum{N: uint64(defaults[i])}
			evs = append(evs, func(*program.Run) *program.Datum { return d })
			continue
		}
		n, err := c.Compile(e)
		if err != nil {
			return nil, nil, err
		}
		if c.Session.IsMariaDB() || n.Class != class.Int {
			return nil, nil, refusal.Of(m.name + " with a position or an occurrence")
		}
		evs, nodes = append(evs, n.Ev), append(nodes, n)
	}
	return evs, nodes, nil
}

// numbers evaluates them. A position behind the start is refused: what stands
// before it would be seen by some patterns.
func (m *matching) numbers(r *program.Run, evs []program.Evaluator) (occurrence, option int64, ok bool) {
	var n [3]int64
	for i, ev := range evs {
		d := ev(r)
		if d.Null {
			return 0, 0, false
		}
		n[i] = int64(d.N)
	}
	if n[0] != 1 || n[1] < 0 || n[2] < 0 || n[2] > 1 {
		r.Refuse(m.name)
		return 0, 0, false
	}
	return n[1], n[2], true
}

// regexpInstr compiles REGEXP_INSTR: the position of a match, or of what follows
// it; 0 for none.
func regexpInstr(c *compilation.Compilation, e *ast.RegexpInstrExpr) (*program.Node, error) {
	args, err := c.All([]ast.Expr{e.Expr, e.Pattern})
	if err != nil {
		return nil, err
	}
	m, err := matchingOf(c, "REGEXP_INSTR", args, e.MatchType)
	if err != nil {
		return nil, err
	}
	evs, more, err := m.numbersOf(c, []ast.Expr{e.Position, e.Occurrence, e.ReturnOption}, []int64{1, 1, 0})
	if err != nil {
		return nil, err
	}
	slot, set := c.Slot(), coercion.SetOf(c, m.shape)
	return program.Castable(program.Derive(class.CountShape, func(r *program.Run) *program.Datum {
		s, p := m.next(r)
		n, end, ok := m.numbers(r, evs)
		if p == nil || !ok {
			return program.NullDatum
		}
		at, known := p.Nth(s, n)
		switch {
		case !known:
			return r.Refuse(m.name)
		case at == nil:
			return r.Slots[slot].SetInt(0)
		}
		return r.Slots[slot].SetInt(int64(set.CharLen(s[:at[end]])) + 1)
	}, append(args, more...)...)), nil
}

// regexpSubstr compiles REGEXP_SUBSTR: the text of a match. Of none MySQL makes
// NULL, and MariaDB nothing.
func regexpSubstr(c *compilation.Compilation, e *ast.RegexpSubstrExpr) (*program.Node, error) {
	args, err := c.All([]ast.Expr{e.Expr, e.Pattern})
	if err != nil {
		return nil, err
	}
	m, err := matchingOf(c, "REGEXP_SUBSTR", args, e.MatchType)
	if err != nil {
		return nil, err
	}
	evs, more, err := m.numbersOf(c, []ast.Expr{e.Position, e.Occurrence}, []int64{1, 1})
	if err != nil {
		return nil, err
	}
	m.shape.Chars = coercion.TextChars(args[0])
	slot, mariadb := c.Slot(), c.Session.IsMariaDB()
	return program.Castable(program.Derive(m.shape, func(r *program.Run) *program.Datum {
		s, p := m.next(r)
		n, _, ok := m.numbers(r, evs)
		if p == nil || !ok {
			return program.NullDatum
		}
		switch at, known := p.Nth(s, n); {
		case !known:
			return r.Refuse(m.name)
		case at != nil:
			return r.Slots[slot].SetBytes(s[at[0]:at[1]])
		case mariadb:
			return r.Slots[slot].SetBytes(nil)
		}
		return program.NullDatum
	}, append(args, more...)...)), nil
}

// regexpReplace compiles REGEXP_REPLACE: of all matches, or of the n-th.
func regexpReplace(c *compilation.Compilation, e *ast.RegexpReplaceExpr) (*program.Node, error) {
	args, err := c.All([]ast.Expr{e.Expr, e.Pattern, e.Repl})
	if err != nil {
		return nil, err
	}
	m, err := matchingOf(c, "REGEXP_REPLACE", args, e.MatchType)
	if err != nil {
		return nil, err
	}
	if err := c.Allow("REGEXP", args[0], args[2]); err != nil {
		return nil, err
	}
	to, s, err := coercion.Texts(c, m.name, args...)
	if err != nil {
		return nil, err
	}
	if s.Class != class.Text || s.Collation != m.shape.Collation {
		return nil, refusal.Of(m.name + " of text in two collations")
	}
	evs, more, err := m.numbersOf(c, []ast.Expr{e.Position, e.Occurrence}, []int64{1, 0})
	if err != nil {
		return nil, err
	}
	slot, sign := c.Slot(), byte('$')
	if c.Session.IsMariaDB() {
		sign = '\\'
	}
	return program.Castable(program.Derive(s, func(r *program.Run) *program.Datum {
		s, p := m.next(r)
		with := to[2](r)
		n, _, ok := m.numbers(r, evs)
		if p == nil || with.Null || !ok {
			return program.NullDatum
		}
		found, known := p.All(s, -1)
		if !known {
			return r.Refuse(m.name)
		}
		if n > 0 {
			found = found[min(n-1, int64(len(found))):]
			found = found[:min(1, len(found))]
		}
		out := r.Write(slot, func(dst []byte) []byte {
			dst, known = p.Replace(dst, s, found, regexp.Replacement{Text: with.B, Sign: sign}, program.GrownMax)
			return dst
		})
		if !known {
			return r.Refuse(m.name)
		}
		return out
	}, append(args, more...)...)), nil
}
