package characters

import (
	"sync"

	"tunic/internal/value/charset"
)

// Matcher matches text with patterns of LIKE.
type Matcher struct {
	set    *charset.Charset
	fold   *folding // nil to compare bytes
	escape int      // -1 for none
}

// NewMatcher matches characters in a collation, or bytes if it is nil.
func NewMatcher(set *charset.Charset, collation *charset.Collation, escape int) *Matcher {
	m := &Matcher{set: set, escape: escape}
	if collation != nil {
		m.fold = foldingOf(collation)
	}
	return m
}

// step is the length of the first character of s.
func (m *Matcher) step(s []byte) int {
	if s[0] < 0x80 || m.set.BytesMax == 1 {
		return 1
	}
	return len(m.set.TruncateChars(s, 1))
}

// Match matches with one place to come back to: the last % seen.
func (m *Matcher) Match(s, p []byte) bool {
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
func (m *Matcher) skip(s, p []byte) []byte {
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

func (m *Matcher) matchOne(s, p []byte) (n matched, ok bool) {
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
func (m *Matcher) same(a, b []byte) bool {
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
