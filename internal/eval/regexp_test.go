package eval

import (
	"flag"
	"math/rand/v2"
	"os"
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
var sharedPatterns = func() []string {
	text, err := os.ReadFile("regexp/testdata/shared.txt")
	if err != nil {
		panic(err)
	}
	return strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
}()

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
	if o.session.IsMariaDB() {
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
		if !o.session.IsMariaDB() {
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

func errOrNil(r table) error {
	if r.err == nil {
		return nil
	}
	return r.err
}
