package eval

import (
	"bytes"
	"slices"
	"strings"

	"tunic/internal/eval/class"
	"tunic/internal/eval/program"
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

// regexp compiles text REGEXP pattern, and NOT REGEXP.
func (c *compiler) regexp(e *ast.ComparisonExpr) (*program.Node, error) {
	return c.regexpLike("REGEXP", e.Left, e.Right, nil, e.Operator == ast.NotRegexpOp)
}

// regexpLike compiles REGEXP and REGEXP_LIKE.
func (c *compiler) regexpLike(name string, text, pattern, how ast.Expr, negated bool) (*program.Node, error) {
	args, err := c.all([]ast.Expr{text, pattern})
	if err != nil {
		return nil, err
	}
	if how == nil && c.session.IsMariaDB() && slices.ContainsFunc(args, func(n *program.Node) bool { return n.Class == class.Bytes }) {
		return c.regexpBytes(args, negated)
	}
	m, err := c.matching(name, args, how)
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

// matching evaluates text and pattern. how is the match type: an expression that
// says whether case counts, or nil.
func (c *compiler) matching(name string, args []*program.Node, how ast.Expr) (*matching, error) {
	if err := c.allow("REGEXP", args[0], args[1]); err != nil {
		return nil, err
	}
	if c.session.RegexFlags != "" {
		return nil, refuse(name + " with default_regex_flags")
	}
	evs, s, err := c.texts(name, args[0], args[1])
	if err != nil {
		return nil, err
	}
	if s.Class != class.Text || !strings.HasPrefix(s.Collation.Charset.Name, "utf8") {
		return nil, refuse(name + " of other than UTF-8")
	}
	m := &matching{name: name, text: evs[0], pattern: evs[1], shape: s, state: c.states}
	m.ignoresCase, m.foldsStrings = s.Collation.CaseInsensitive, !c.session.IsMariaDB()
	c.states++
	if how != nil {
		err = c.matchType(m, how)
	}
	return m, err
}

// matchType reads c and i of a match type that is a literal.
func (c *compiler) matchType(m *matching, how ast.Expr) error {
	n, err := c.compile(how)
	if err != nil {
		return err
	}
	if n.Example == nil || n.Class != class.Text || len(n.Example.Bytes) == 0 {
		return refuse(m.name + " with a match type that varies")
	}
	c.pin(n)
	for _, b := range n.Example.Bytes {
		if b != 'c' && b != 'i' {
			return refuse(m.name + " with other match types than c and i")
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

// regexpFunction compiles the functions of regular expressions.
func (c *compiler) regexpFunction(e ast.Expr) (*program.Node, error) {
	switch e := e.(type) {
	case *ast.RegexpLikeExpr:
		if c.session.IsMariaDB() {
			return nil, refuse("REGEXP_LIKE")
		}
		return c.regexpLike("REGEXP_LIKE", e.Expr, e.Pattern, e.MatchType, false)
	case *ast.RegexpInstrExpr:
		return c.regexpInstr(e)
	case *ast.RegexpSubstrExpr:
		return c.regexpSubstr(e)
	case *ast.RegexpReplaceExpr:
		return c.regexpReplace(e)
	}
	return nil, refuse(nameOf(e))
}
