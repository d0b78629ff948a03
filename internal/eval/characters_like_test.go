package eval

import (
	"testing"

	"pgregory.net/rapid"

	"tunic/internal/value"
	"tunic/internal/value/charset"
)

// TestMatch: a pattern matches as its definition says, tried in every way.
func TestMatch(t *testing.T) {
	collation, _ := charset.Lookup(value.MariaDB, "utf8mb4_general_ci")
	binary, _ := charset.CharsetByName(value.MariaDB, "binary")
	matchers := map[string]*matcher{
		"text":  newMatcher(collation.Charset, collation, '\\'),
		"bytes": newMatcher(binary, nil, -1),
	}
	for name, m := range matchers {
		text := rapid.StringOfN(rapid.RuneFrom([]rune(`aAbB%_\é`)), 0, 8, -1)
		rapid.Check(t, func(t *rapid.T) {
			s, p := []byte(text.Draw(t, "text")), []byte(text.Draw(t, "pattern"))
			if got, want := m.match(s, p), m.tried(s, p); got != want {
				t.Errorf("%s: %q LIKE %q is %t, want %t", name, s, p, got, want)
			}
		})
	}
}

// tried matches by trying all ways in which a % can stand for something.
func (m *matcher) tried(s, p []byte) bool {
	if len(s) == 0 && len(p) == 0 {
		return true
	}
	n, ok := m.matchOne(s, p)
	switch {
	case !ok:
		return false
	case !n.many:
		return m.tried(s[n.text:], p[n.pattern:])
	}
	for {
		if m.tried(s, p[1:]) {
			return true
		}
		if len(s) == 0 {
			return false
		}
		s = s[m.step(s):]
	}
}
