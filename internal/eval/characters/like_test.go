package characters

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
	matchers := map[string]*Matcher{
		"text":  NewMatcher(collation.Charset, collation, '\\'),
		"bytes": NewMatcher(binary, nil, -1),
	}
	for name, m := range matchers {
		text := rapid.StringOfN(rapid.RuneFrom([]rune(`aAbB%_\é`)), 0, 8, -1)
		rapid.Check(t, func(t *rapid.T) {
			s, p := []byte(text.Draw(t, "text")), []byte(text.Draw(t, "pattern"))
			if got, want := m.Match(s, p), m.tried(s, p); got != want {
				t.Errorf("%s: %q LIKE %q is %t, want %t", name, s, p, got, want)
			}
		})
	}
}

// tried matches by trying all ways in which a % can stand for something.
func (m *Matcher) tried(s, p []byte) bool {
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

// FuzzLike compares the matcher with one that tries everything.
func FuzzLike(f *testing.F) {
	f.Add("abc", "a%c")
	f.Add("a%c", `a\%_`)
	f.Add("", "%")
	collation, _ := charset.Lookup(value.MySQL, "utf8mb4_bin")
	m := NewMatcher(collation.Charset, collation, '\\')
	f.Fuzz(func(t *testing.T, s, p string) {
		if len(s) > 12 || len(p) > 8 || !collation.Charset.Valid([]byte(s)) || !collation.Charset.Valid([]byte(p)) {
			return
		}
		if got, want := m.Match([]byte(s), []byte(p)), likes([]rune(s), []rune(p)); got != want {
			t.Errorf("%q LIKE %q: %v", s, p, got)
		}
	})
}

func likes(s, p []rune) bool {
	switch {
	case len(p) == 0:
		return len(s) == 0
	case p[0] == '%':
		return likes(s, p[1:]) || len(s) > 0 && likes(s[1:], p)
	case len(s) == 0:
		return false
	case p[0] == '\\' && len(p) > 1:
		return s[0] == p[1] && likes(s[1:], p[2:])
	case p[0] == '_':
		return likes(s[1:], p[1:])
	}
	return s[0] == p[0] && likes(s[1:], p[1:])
}
