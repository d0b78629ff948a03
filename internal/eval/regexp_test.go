package eval

import (
	"flag"
	"math/rand/v2"
	"strings"
	"testing"
)

var regexpCount = flag.Int("regexps", 120, "how many random patterns are compared with each server")

// matchedTexts are what patterns are matched with.
var matchedTexts = []string{
	"", "a", "abc", "ABC", "aab", "baaac", "foo.bar", "foobar", "x-y_z", "a b", " a", "2020-01-02", "user@example.com", "+49 30 1234", "a\nb", "ab\n",
	"Straße", "STRASSE", "äöü", "ÄÖÜ", "ſ", "K", "k", "日本語", "naïve café", "a😀b", "[x]", "a{2}", "back\\slash", "tab\there", "\v", "ï¬", "ﬁx", "İi", "a1b22c333", "aXbX", "abab",
}

// sharedPatterns are patterns of what applications ask for.
var sharedPatterns = []string{
	"a", "^a", "a$", "^a.*c$", "a|b", "^(a|b)+$", "[abc]", "[^abc]", "[a-c]+", "^[0-9]{4}-[0-9]{2}-[0-9]{2}$", `\d+`, `\w+@\w+\.\w+`, `^[^@]+@[^@]+\.[a-z]{2,}$`,
	`^\+?[0-9 ]+$`, "foo\\.bar", "foo.bar", "(foo|bar)+", "a+?", "a*?b", "(a)(b)?", "(?:ab)+", "ß", "ss", "strasse", "ä", "[ä]", "[a-ü]", "日本", ".", "^.$", "...", "k", "s",
	`\s`, `\S+`, `\bfoo`, `bar\b`, `\Boo`, "[[:alpha:]]+", "[[:digit:]]", "[^[:space:]]", "[[:alnum:]_]+", "[[:xdigit:]]+", "[[:upper:]]", "[[:lower:]]", "[a-]", "[-a]", "[.]", "[$a]", "[a^]", "[*+?]",
	`[\d]`, `[\w.]+`, `[\]]`, `[\\]`, `\\`, `\[`, `\]`, `\{`, `\t`, `[\t ]`, "a{2}", "a{2,}", "a{1,2}", "(ab){2}", "a|ab|abc", "abc|ab|a", "x|^b", "(^a|b$)", "^", "$", "^$", "a-c", "a&b", "[a&]", "a/b", "#", "[#]", "[ ]", "[a b]",
}

// refusedPatterns are outside of the common part of the grammar.
var refusedPatterns = []string{
	"", "(", ")", "*", "a**", "a++", "a{", "a{,2}", "a{x}", "}", "]", "[", "[]a]", "[^]a]", "[[a]]", "[a&&b]", "[a--b]", "[z-a]", "(?=a)", "(?!a)", "(?<=a)", "(?i)a", "(?P<n>a)", `(a)\1`, `\pL`, `\Q`, `\x41`, `\0`, `\A`, `\z`, `\K`, `\`,
	"[[:<:]]a", "[[:punct:]]", "[[.a.]]", "a||b", "()", "(a|)", "^*", "a{1000}", "((a+)+)+", "[a-\\d]", "[\\d-a]", "(*UTF)", "\x00",
}

func TestPatternsRefused(t *testing.T) {
	for _, text := range refusedPatterns {
		if _, ok := readPattern(text, false, false); ok {
			t.Errorf("%q is not in the common grammar", text)
		}
	}
	for _, text := range sharedPatterns {
		if _, ok := readPattern(text, false, false); !ok {
			t.Errorf("%q is in the common grammar", text)
		}
	}
}

// literalOf is text as a literal of the servers.
func literalOf(s string) string {
	return "'" + strings.NewReplacer(`\`, `\\`, `'`, `''`, "\x00", `\0`).Replace(s) + "'"
}

// randomPattern is a pattern of small pieces.
func randomPattern(rng *rand.Rand, depth int) string {
	atoms := []string{"a", "b", "x", "A", "ä", "1", ".", "[ab]", "[^a]", "[a-c]", `\d`, `\w`, `\s`, "[[:alpha:]]", "s", "k", " ", `\.`, "-", "_"}
	counts := []string{"", "", "", "*", "+", "?", "{2}", "{1,2}", "*?", "+?", "??", "{1,2}?"}
	var b strings.Builder
	if rng.IntN(6) == 0 {
		b.WriteByte('^')
	}
	for range 1 + rng.IntN(3) {
		if b.Len() > 40 {
			break
		}
		switch n := rng.IntN(8); {
		case n == 0 && depth > 0:
			b.WriteString("(" + randomPattern(rng, depth-1) + "|" + randomPattern(rng, depth-1) + ")")
		case n == 1 && depth > 0:
			b.WriteString("(" + randomPattern(rng, depth-1) + ")")
		case n == 2 && depth > 0:
			b.WriteString("(?:" + randomPattern(rng, depth-1) + ")")
		default:
			b.WriteString(atoms[rng.IntN(len(atoms))])
		}
		b.WriteString(counts[rng.IntN(len(counts))])
	}
	if rng.IntN(6) == 0 {
		b.WriteByte('$')
	}
	return b.String()
}

// TestRegexp compares patterns with the servers: whether there is a match, which
// one is the first, and what all of them are.
func TestRegexp(t *testing.T) {
	t.Logf("seed %d", *seedFlag)
	forEach(t, func(t *testing.T, o *oracle) {
		rng := rand.New(rand.NewPCG(*seedFlag, 2))
		patterns := append([]string{}, sharedPatterns...)
		for range *regexpCount {
			patterns = append(patterns, randomPattern(rng, 2))
		}
		compared, of := 0, 0
		for i, p := range patterns {
			texts := matchedTexts
			if i >= len(sharedPatterns) {
				texts = nil
				for range 4 {
					texts = append(texts, matchedTexts[rng.IntN(len(matchedTexts))]+matchedTexts[rng.IntN(len(matchedTexts))])
				}
			}
			c, n := o.compareRegexps(t, p, texts)
			compared, of = compared+c, of+n
		}
		t.Logf("%d of %d compared", compared, of)
		if compared < of/2 {
			t.Error("more is refused than compared")
		}
	})
}

func (o *oracle) compareRegexps(t *testing.T, pattern string, texts []string) (compared, of int) {
	t.Helper()
	var exprs []string
	reference := "$1"
	if o.session.isMariaDB() {
		reference = `\1`
	}
	p := literalOf(pattern)
	for _, text := range texts {
		s := literalOf(text)
		exprs = append(exprs,
			s+" REGEXP "+p, "("+s+" COLLATE utf8mb4_bin) REGEXP "+p, "("+s+" COLLATE utf8mb4_bin) NOT RLIKE "+p,
			"REGEXP_SUBSTR("+s+" COLLATE utf8mb4_bin, "+p+")", "REGEXP_SUBSTR("+s+", "+p+")", "REGEXP_INSTR("+s+", "+p+")",
			"REGEXP_REPLACE("+s+", "+p+", '<>')", "REGEXP_REPLACE("+s+" COLLATE utf8mb4_bin, "+p+", "+literalOf("<"+reference+">")+")",
		)
		if !o.session.isMariaDB() {
			exprs = append(exprs, "REGEXP_LIKE("+s+", "+p+", 'c')", "REGEXP_SUBSTR("+s+", "+p+", 1, 2)", "REGEXP_INSTR("+s+", "+p+", 1, 1, 1)", "REGEXP_REPLACE("+s+", "+p+", 'ä', 1, 2)")
		}
	}
	var v verdict
	var known []*compiled
	for _, e := range exprs {
		if k := o.prepare(t, &probe{}, e, &v); k != nil {
			known = append(known, k)
		}
	}
	for _, k := range known {
		k.results = k.results[:1]
	}
	for len(known) > 0 {
		n := min(len(known), 60)
		compared += o.compareLiterals(t, known[:n])
		known = known[n:]
	}
	return compared, len(exprs)
}

// compareLiterals compares expressions without columns, each by itself if all of
// them together are an error.
func (o *oracle) compareLiterals(t *testing.T, known []*compiled) (compared int) {
	t.Helper()
	var texts []string
	for _, k := range known {
		texts = append(texts, k.text)
	}
	r := o.query(t, "SELECT "+strings.Join(texts, ", "))
	if r.err != nil && len(known) > 1 {
		return o.compareLiterals(t, known[:1]) + o.compareLiterals(t, known[1:])
	}
	for i, k := range known {
		var v verdict
		var theirs []byte
		if r.err == nil {
			theirs = r.rows[0][i]
		}
		k.compareRow(0, theirs, errOrNil(r), nil, &v)
		compared += v.compared
		if v.differs != "" {
			t.Errorf("%s differs: %s: server %q %v, here %q %v %v", v.differs, k.text, theirs, r.err, k.results[0].text, k.results[0].null, k.results[0].err)
		}
	}
	return compared
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
		p, ok := readPattern(c.pattern, false, false)
		if !ok {
			t.Fatal(c.pattern)
		}
		if got := p.check([]byte(strings.Repeat(c.text, c.times))); got != c.ok {
			t.Errorf("%s on %d times %q: %v", c.pattern, c.times, c.text, got)
		}
	}
}

func errOrNil(r table) error {
	if r.err == nil {
		return nil
	}
	return r.err
}
