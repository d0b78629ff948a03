package eval

import (
	"sync"

	"tunic/internal/sql/ast"
	"tunic/internal/value"
	"tunic/internal/value/charset"
)

// like compiles LIKE and NOT LIKE. It compares character by character, and so
// spaces at the end count, and 'ß' LIKE 'ss' is false in every collation (MySQL
// manual, "String Comparison Functions and Operators").
func (c *compiler) like(e *ast.ComparisonExpr) (*node, error) {
	args, err := c.all([]ast.Expr{e.Left, e.Right})
	if err != nil {
		return nil, err
	}
	escape, err := c.escape(e.Escape)
	if err != nil {
		return nil, err
	}
	if err := c.allow("LIKE", args...); err != nil {
		return nil, err
	}
	m, err := c.matcher(args[0], args[1])
	if err != nil {
		return nil, err
	}
	m.escape = escape
	negated := e.Operator == ast.NotLikeOp
	text, pattern := m.text, m.pattern
	return derive(boolShape, func(r *Run) *datum {
		x := text(r)
		if x.null {
			return nullDatum
		}
		y := pattern(r)
		if y.null {
			return nullDatum
		}
		return boolDatum(m.match(x.b, y.b) != negated)
	}, args...), nil
}

// escape is the escape character of LIKE, -1 for none.
func (c *compiler) escape(e ast.Expr) (int, error) {
	if e == nil {
		if c.session.NoBackslashEscapes && !c.session.isMariaDB() { // MariaDB escapes in any mode
			return -1, nil
		}
		return '\\', nil
	}
	n, err := c.compile(e)
	if err != nil {
		return 0, err
	}
	if n.example == nil || n.example.Form != value.FormString || len(n.example.Bytes) > 1 {
		return 0, refuse("ESCAPE")
	}
	c.pin(n)
	if len(n.example.Bytes) == 0 {
		return -1, nil
	}
	if n.example.Bytes[0] >= 0x80 {
		return 0, refuse("ESCAPE")
	}
	return int(n.example.Bytes[0]), nil
}

// matcher matches text with patterns.
type matcher struct {
	text, pattern evaluator
	set           *charset.Charset
	fold          *folding // nil to compare bytes
	escape        int
}

func (c *compiler) matcher(text, pattern *node) (*matcher, error) {
	if text.class == classBytes || pattern.class == classBytes || text.class == classHex || pattern.class == classHex {
		return c.bytesMatcher(text, pattern)
	}
	collation, err := c.collationOf("LIKE", text, pattern)
	if err != nil {
		return nil, err
	}
	if exact, _ := collation.Exact(); !exact || collation.Charset.BytesMin > 1 {
		return nil, refuse("LIKE in " + collation.Name)
	}
	m := &matcher{set: collation.Charset, fold: foldingOf(collation)}
	if m.text, err = c.inCharset(text, m.set, "LIKE"); err != nil {
		return nil, err
	}
	if m.pattern, err = c.inCharset(pattern, m.set, "LIKE"); err != nil {
		return nil, err
	}
	m.pattern = c.once(pattern, m.pattern)
	return m, nil
}

func (c *compiler) bytesMatcher(text, pattern *node) (m *matcher, err error) {
	set, _ := charset.CharsetByName(c.session.Flavor, "binary")
	m = &matcher{set: set}
	if m.text, err = c.text(text, "LIKE"); err != nil {
		return nil, err
	}
	m.pattern, err = c.text(pattern, "LIKE")
	return m, err
}

// step is the length of the first character of s.
func (m *matcher) step(s []byte) int {
	if s[0] < 0x80 || m.set.BytesMax == 1 {
		return 1
	}
	return len(m.set.TruncateChars(s, 1))
}

// match matches with one place to come back to: the last % seen.
func (m *matcher) match(s, p []byte) bool {
	var backS, backP []byte
	anywhere := false
	for len(s) > 0 || len(p) > 0 {
		if n, ok := m.matchOne(s, p); ok {
			if n.many {
				if p = p[1:]; len(p) == 0 {
					return true
				}
				s = m.skip(s, p)
				anywhere, backS, backP = true, s, p
				continue
			}
			s, p = s[n.text:], p[n.pattern:]
			continue
		}
		if !anywhere || len(backS) == 0 {
			return false
		}
		backS = m.skip(backS[m.step(backS):], backP)
		s, p = backS, backP
	}
	return true
}

// skip leaves out the ASCII characters of s with which a match of p cannot begin, because
// p begins with another one.
func (m *matcher) skip(s, p []byte) []byte {
	first := p[0]
	if first == '%' || first == '_' || int(first) == m.escape || first >= 0x80 {
		return s
	}
	n := 0
	if m.fold == nil {
		for n < len(s) && s[n] < 0x80 && s[n] != first {
			n++
		}
		return s[n:]
	}
	same, ascii := m.fold.ascii[first], &m.fold.ascii
	for n < len(s) && s[n] < 0x80 && ascii[s[n]] != same {
		n++
	}
	return s[n:]
}

// matched is how much of text and pattern belong together; many is a %.
type matched struct {
	text, pattern int
	many          bool
}

func (m *matcher) matchOne(s, p []byte) (n matched, ok bool) {
	switch {
	case len(p) == 0:
		return n, false
	case int(p[0]) == m.escape && len(p) > 1:
		n.pattern, p = 1, p[1:]
	case p[0] == '%':
		return matched{many: true}, true
	case len(s) == 0:
		return n, false
	case p[0] == '_':
		return matched{text: m.step(s), pattern: 1}, true
	}
	if len(s) == 0 {
		return n, false
	}
	a, b := m.step(s), m.step(p)
	n.text, n.pattern = a, n.pattern+b
	return n, m.same(s[:a], p[:b])
}

// same reports whether two characters are equal.
func (m *matcher) same(a, b []byte) bool {
	if len(a) == 1 && len(b) == 1 && (a[0] == b[0] || m.fold == nil) {
		return a[0] == b[0]
	}
	return m.fold.same(a, b)
}

// folding says which single characters a collation takes for equal.
type folding struct {
	collation *charset.Collation
	// ascii has, for every ASCII character, the first one that is equal to it.
	ascii [128]byte
}

var foldings sync.Map // of *charset.Collation

func foldingOf(c *charset.Collation) *folding {
	if f, ok := foldings.Load(c); ok {
		known, _ := f.(*folding)
		return known
	}
	f := &folding{collation: c}
	for i := range f.ascii {
		f.ascii[i] = byte(i)
		for j := range i {
			if f.weighs([]byte{byte(i)}, []byte{byte(j)}) {
				f.ascii[i] = f.ascii[j]
				break
			}
		}
	}
	foldings.Store(c, f)
	return f
}

func (f *folding) same(a, b []byte) bool {
	if len(a) == 1 && len(b) == 1 && a[0] < 0x80 && b[0] < 0x80 {
		return f.ascii[a[0]] == f.ascii[b[0]]
	}
	return f.weighs(a, b)
}

// weighs compares characters by their weights, with a digit behind them: a
// space at the end would not count.
func (f *folding) weighs(a, b []byte) bool {
	var roomA, roomB [8]byte
	x := append(append(roomA[:0], a...), '1')
	y := append(append(roomB[:0], b...), '1')
	return f.collation.Compare(x, y) == 0
}
