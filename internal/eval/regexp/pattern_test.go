package regexp

import (
	"os"
	"strings"
	"testing"
)

// refusedPatterns are outside of the common part of the grammar.
var refusedPatterns = []string{
	"", "(", ")", "*", "a**", "a++", "a{", "a{,2}", "a{x}", "}", "]", "[", "[]a]", "[^]a]", "[[a]]", "[a&&b]", "[a--b]", "[z-a]", "(?=a)", "(?!a)", "(?<=a)", "(?i)a", "(?P<n>a)", `(a)\1`, `\pL`, `\Q`, `\x41`, `\0`, `\A`, `\z`, `\K`, `\`,
	"[[:<:]]a", "[[:punct:]]", "[[.a.]]", "a||b", "()", "(a|)", "^*", "a{1000}", "((a+)+)+", "[a-\\d]", "[\\d-a]", "(*UTF)", "\x00",
}

func TestPatternsRefused(t *testing.T) {
	for _, text := range refusedPatterns {
		if _, ok := Read(text, false, false); ok {
			t.Errorf("%q is not in the common grammar", text)
		}
	}
	for _, text := range commonPatterns(t) {
		if _, ok := Read(text, false, false); !ok {
			t.Errorf("%q is in the common grammar", text)
		}
	}
}

// commonPatterns are patterns of what applications ask for.
func commonPatterns(t *testing.T) []string {
	t.Helper()
	text, err := os.ReadFile("testdata/shared.txt")
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
}

// TestRegexpSteps refuses what the servers give up on, and little else.
func TestRegexpSteps(t *testing.T) {
	for _, c := range []struct {
		pattern, text string
		times         int
		ok            bool
	}{
		{"(a+)+b", "a", 40, false},
		{"(x+x+)+y", "x", 30, false},
		{"a*a*a*a*b", "a", 200, false},
		{".*foo.*", "a", 2000, false},
		{".*foo.*", "a", 300, true},
		{"^([a-z0-9]+-)*[a-z0-9]+$", "abc-", 20, true},
		{`^[^@]+@[^@]+\.[a-z]{2,}$`, "abc", 80, true},
		{"foo", "a", 16000, true},
	} {
		p, ok := Read(c.pattern, false, false)
		if !ok {
			t.Fatal(c.pattern)
		}
		if got := p.Check([]byte(strings.Repeat(c.text, c.times))); got != c.ok {
			t.Errorf("%s on %d times %q: %v", c.pattern, c.times, c.text, got)
		}
	}
}
