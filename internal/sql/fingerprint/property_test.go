package fingerprint

import (
	"slices"
	"strings"
	"testing"

	"tunic/internal/sql/sqltest"

	"pgregory.net/rapid"
)

// soup is what random texts are made of: what the lexer treats specially, and
// enough ordinary tokens to bring it into every context.
var soup = []string{
	"SELECT", "a", "b", "FROM t", "ORDER BY", "GROUP BY", "LIMIT", "IN", "IN (", "VALUES", "VALUES (", "INSERT INTO t",
	"SET", "SET @a =", "FOR", "DATE", "LIKE", "AS", "CHAR", "f", "NULL", "TRUE", "_utf8", "_x", "BY", "ROW",
	"1", "23", "1.5", ".5", "1.", "2e1", ".5e-3", "1e", "1.5e", "0x1f", "0xg", "0b1", "1a", "x'4d'", "b'01'", "x'4'",
	"'a'", "'b'", `"c"`, "N'd'", "''", `'\''`, "'it''s'", "'", `"`, "`q`", "`", "@v", "@'v'", "@@s", "@@global.s", "@",
	"?", ":", ":=", ".", "...", ",", ",", ",", "(", "(", ")", ")", "),(", ");", ";", "+", "-", "-", "--", "-- x\n",
	"#", "# x\n", "/", "//", "*", "/*", "*/", "/* x */", "/**/", "/*! ", "/*!40101 ", "/*+ x */", "=", "{", "}", "\\N", "\\",
	" ", " ", " ", " ", "  ", "\n", "\t", "é", "\x00", "$", "\xff",
}

// perCheck is how many cases one check draws: rapid runs 100 checks, and these
// cases are cheap.
const perCheck = 20

func drawSoup(t *rapid.T, label string) string {
	parts := rapid.SliceOfN(rapid.SampledFrom(soup), 0, 24).Draw(t, label)
	return strings.Join(parts, rapid.SampledFrom([]string{"", " ", " "}).Draw(t, label+" between"))
}

// TestTemplatesMeanOneThing: texts with one template have one meaning. Each run
// draws a text and others that differ from it in a few bytes.
func TestTemplatesMeanOneThing(t *testing.T) {
	seen := map[string]string{} // template -> a text with it
	rapid.Check(t, func(t *rapid.T) {
		for range perCheck {
			a := drawSoup(t, "text")
			for _, text := range []string{a, mutate(t, a), mutate(t, a)} {
				checkMeaning(t, seen, text)
			}
		}
	})
}

// phrases are the contexts in which elements of a list mean something.
var phrases = []struct{ before, after []string }{
	{[]string{"SELECT a FROM t WHERE a IN (", "IN ("}, []string{")", ") OR b", ""}},
	{[]string{"INSERT INTO t VALUES ", "VALUES", "SELECT GREATEST(VALUES", "a IN (VALUES "}, []string{"", ")", " ON x", " AS n"}},
	{[]string{"INSERT INTO t VALUES (", "INSERT INTO t VALUES (1),("}, []string{")", "),(1)", "),(1),(1)", ")(1)"}},
	{[]string{"SELECT a ORDER BY ", "SELECT (a GROUP BY ", "SELECT f(a ORDER BY "}, []string{"", " LIMIT 1,2", ",3", "),4", " SEPARATOR 'x',5)"}},
	{[]string{"SELECT ", "SELECT f(", "SELECT CHAR("}, []string{"", ")", " FROM t"}},
	{[]string{"SET ", "SET @a=1,", "SET STATEMENT "}, []string{"", " FOR SELECT 1", ";SELECT 1"}},
}

// elements are what stands between the commas.
var elements = []string{
	"1", "2", "1.5", "1e1", "0x1f", "-1", "+2", "- -1", "-'a'", "'a'", "'b'", "'a' 'b'", "N'a'", "x'41'", "NULL", "TRUE", "DEFAULT",
	"a", "b", "*", "?", "", "a+1", "1+1", "1 DESC", "1 'x'", "1 'y'", "a 'x'", "a 'y'", "a AS 'x'", "DATE'a' 'b'", "DATE'a'", "{d 'a'}", "_utf8'a'", "_x'a'",
	"(1)", "(2)", "(a)", "(1,2)", "(1,'a')", "(1,1)", "(-1,NULL)", "((1))", "()", "(1)+1", "(1)(2)", "(1,(1,1),(1,1))",
	"f(1)", "f(1,1)", "f (1)", "IN (1)", "IN (1,1)", "VALUES(a)", "VALUES(1)", "VALUES (1),(1)", "a IN (1,2)", "s.in(1,1)",
	"SELECT 1", "(SELECT 1)", "(SELECT 1 ORDER BY 1)", "(SELECT a ORDER BY 2 LIMIT 1)", "CHAR(1)", "CHAR(2)", "CAST(a AS CHAR(1))",
	"@a=1", "@a:='x'", "b=1", "b='x'", "@@c=2", "a=(1,2)", "/* x */1", "1 -- x\n", "/*! 1 */", "/*+ x */ 1", "1;SELECT 2", "BY 1", "a..b", "...",
}

// TestListsMeanOneThing is TestTemplatesMeanOneThing for lists of all kinds:
// the other texts differ in one element, which is changed, repeated or gone.
func TestListsMeanOneThing(t *testing.T) {
	seen := map[string]string{}
	rapid.Check(t, func(t *rapid.T) {
		for range perCheck {
			checkLists(t, seen)
		}
	})
}

func checkLists(t *rapid.T, seen map[string]string) {
	element := rapid.SampledFrom(elements)
	phrase := rapid.SampledFrom(phrases).Draw(t, "phrase")
	before := rapid.SampledFrom(phrase.before).Draw(t, "before")
	after := rapid.SampledFrom(phrase.after).Draw(t, "after")
	comma := rapid.SampledFrom([]string{",", ", ", " ,", ",\n"}).Draw(t, "comma")
	list := rapid.SliceOfN(element, 1, 5).Draw(t, "elements")
	i := rapid.IntRange(0, len(list)-1).Draw(t, "which")
	for _, other := range [][]string{
		list,
		slices.Insert(slices.Clone(list), i, list[i]),
		slices.Delete(slices.Clone(list), i, i+1),
		slices.Replace(slices.Clone(list), i, i+1, element.Draw(t, "new")),
	} {
		checkMeaning(t, seen, before+strings.Join(other, comma)+after)
	}
}

// mutate changes up to three places of the text.
func mutate(t *rapid.T, text string) string {
	for range rapid.IntRange(1, 3).Draw(t, "changes") {
		from := rapid.IntRange(0, len(text)).Draw(t, "from")
		to := rapid.IntRange(from, min(len(text), from+4)).Draw(t, "to")
		switch rapid.IntRange(0, 2).Draw(t, "change") {
		case 0:
			text = text[:from] + text[to:]
		case 1:
			text = text[:to] + text[from:]
		default:
			text = text[:from] + rapid.SampledFrom(soup).Draw(t, "new") + text[to:]
		}
	}
	return text
}

type fataler interface {
	Helper()
	Fatalf(format string, args ...any)
}

func checkMeaning(t fataler, seen map[string]string, text string) {
	t.Helper()
	if sqltest.OtherVersions.MatchString(text) {
		return
	}
	var f Fingerprinter
	fp := f.Fingerprint([]byte(text), sqltest.ModelModes)
	meaning, ok := modelMeaning(text)
	if ok != fp.Clean {
		t.Fatalf("%q\nclean: %t; to the model: %t\ntemplate: %s", text, fp.Clean, ok, fp.Template)
	}
	if !ok {
		return
	}
	other, known := seen[string(fp.Template)]
	if !known {
		seen[string(fp.Template)] = text
		return
	}
	if otherMeaning, _ := modelMeaning(other); otherMeaning != meaning {
		t.Fatalf("one template, two meanings:\n%q\n%q\ntemplate: %s\nmeanings:\n%q\n%q",
			text, other, fp.Template, meaning, otherMeaning)
	}
}
