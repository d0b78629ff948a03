package sql

import (
	"bytes"
	"fmt"
	"os"
	"strings"
	"testing"
	"unicode/utf8"

	"tunic/internal/sql/lex"
)

// corpus are texts for the seeds of every fuzz target: those of the golden
// files, and some that fuzzing has found to be odd.
func corpus(f *testing.F) []string {
	f.Helper()
	all := []string{"0E0.0", "A..0", "--#0", "/*+/SELECTx'4*/", "VALUES(1),(x'41' ,VALUES (1),(1)),(1)", "@@`q`s", ":1...", "SET 1,1,VALUES(1),(1)", ":0b0.0"}
	for _, name := range []string{"fingerprint", "lists", "parse", "redact", "tree"} {
		content, err := os.ReadFile("testdata/golden/" + name)
		if err != nil {
			f.Fatal(err)
		}
		for line := range strings.SplitSeq(string(content), "\n") {
			if line != "" && line[0] != '#' && line != "----" {
				all = append(all, line)
			}
		}
	}
	return all
}

// seed adds every text of the corpus under a few modes.
func seed(f *testing.F) {
	f.Helper()
	texts := corpus(f)
	for i, text := range texts {
		f.Add([]byte(text), uint32(modelModes))
		f.Add([]byte(text), uint32(fuzzModes[i%len(fuzzModes)]))
	}
}

var fuzzModes = []Modes{
	0,
	ANSIQuotes,
	NoBackslashEscapes,
	Modes(0).WithSQLMode("ORACLE").WithServer("10.11.6-MariaDB"),
	Modes(0).WithSQLMode("MSSQL").WithServer("10.11.6-MariaDB"),
	Modes(0).WithServer("8.0.36"),
	Modes(0).WithServer("8.0.11-TiDB-v8.1.0"),
	Modes(0).WithCharset("gbk"),
	Modes(0).WithCharset("sjis"),
	Modes(0).WithCharset("big5"),
	Modes(0).WithCharset("gb18030"),
	Modes(0).WithCharset("latin1"),
	lex.UnsafeCharset,
}

// FuzzFingerprint: no text makes it panic or write past what it is given; a
// template stands for itself; under the model's modes it agrees with the model
// about what is clean, and other values of the same literals have the same
// template.
func FuzzFingerprint(f *testing.F) {
	seed(f)
	f.Fuzz(func(t *testing.T, text []byte, modes uint32) {
		m := Modes(modes)
		before := bytes.Clone(text)
		var fp Fingerprinter
		fingerprint := fp.Fingerprint(text, m)
		if !bytes.Equal(text, before) {
			t.Fatal("the text was changed")
		}
		if !fingerprint.Clean {
			return
		}
		template := string(fingerprint.Template)
		if len(template) > 3*len(text) {
			t.Errorf("%q is longer than its text allows", template)
		}
		checkStable(t, template, m)
		if m == modelModes && !otherVersions.Match(text) {
			checkValues(t, string(text), template)
		}
	})
}

// checkStable: a template whose marks are literals again has itself for a
// template.
func checkStable(t *testing.T, template string, m Modes) {
	t.Helper()
	text, ok := instantiate(template, m)
	if !ok {
		return
	}
	var fp Fingerprinter
	if again := fp.Fingerprint([]byte(text), m); string(again.Template) != template {
		t.Errorf("template  %q\nas text   %q\ntemplate  %q", template, text, again.Template)
	}
}

// instantiate puts literals in the place of marks; not ok where a mark is no
// token (x'?', ...), where the text around a mark would join the literal, and
// where two minus signs had a comment after them.
func instantiate(template string, m Modes) (string, bool) {
	var lx lex.Lexer
	lx.Reset([]byte(template), m)
	var b strings.Builder
	colon, before := false, lex.End
	for t := lx.Next(); t > lex.Error; t = lx.Next() {
		b.WriteString(template[lx.Gap:lx.From])
		value := string(lx.Value())
		switch {
		case t == lex.Param && colon:
			s := b.String()
			b.Reset()
			b.WriteString(s[:len(s)-1] + "?")
		case t == lex.Param && lx.Gap == lx.From && wordy(before):
			return "", false
		case t == lex.Param:
			literal := "1"
			if strings.HasPrefix(template[lx.Pos:], "e0") {
				literal = "1e0"
				lx.Pos += 2
			}
			if lx.Pos < len(template) && (lex.IsWord(template[lx.Pos]) || strings.IndexByte(".?", template[lx.Pos]) >= 0) {
				return "", false
			}
			b.WriteString(literal)
		default:
			b.WriteString(value)
		}
		colon, before = t == lex.Op && value == ":", t
	}
	for _, other := range []string{runMark, "--", ".?"} {
		if strings.Contains(template, other) {
			return "", false
		}
	}
	return b.String(), !lx.Unclean
}

// checkValues: other values, the same template; and what is clean is clean to
// the model.
func checkValues(t *testing.T, text, template string) {
	t.Helper()
	tokens, ok := modelLex(text)
	if !ok {
		t.Fatalf("%q is clean, not to the model", text)
	}
	var b strings.Builder
	before := modelToken{class: "op", text: "("}
	for _, tok := range modelData(tokens) {
		switch {
		case tok.gap:
			b.WriteByte(' ')
		case before.text == "" && (tok.class != "op" || tok.text == "."),
			tok.text == "" && (before.text == "." || (tok.class == "exact" || tok.class == "float") && before.class != "op"):
			return // 77x is another token than 1.5x, a.77 another than a..5, 1e077 another than 1e0.5
		}
		before = tok
		if tok.text != "" {
			b.WriteString(tok.text)
			continue
		}
		b.WriteString(map[string]string{
			"exact": "77", "float": "7e7", "hex": "x'77'", "string": "'seven'", "nstring": "n'seven'",
		}[tok.class])
	}
	if strings.Contains(template, "--") {
		return // a comment that separated two minus signs from what follows is gone
	}
	var fp Fingerprinter
	if other := fp.Fingerprint([]byte(b.String()), modelModes); string(other.Template) != template {
		t.Errorf("%q\n%q\n%q\n%q", text, template, b.String(), other.Template)
	}
}

// FuzzParse: no text makes it panic or takes long; the statements lie in the
// text in their order; their number is the fingerprint's; a tree is made or
// refused.
func FuzzParse(f *testing.F) {
	seed(f)
	f.Fuzz(func(t *testing.T, text []byte, modes uint32) {
		m := Modes(modes)
		all, err := Parse(text, m)
		at, some, simple := 0, 0, err == nil
		for i := range all {
			s := &all[i]
			if s.Start < at || s.End < s.Start || s.End > len(text) {
				t.Fatalf("statement %d of %q is [%d:%d]", i, text, s.Start, s.End)
			}
			at = s.End
			simple = simple && kinds[s.Kind].flags&program == 0
			if s.Kind != Empty {
				some++
			}
			if s.Kind == Unknown && !s.Effects.Stale {
				t.Errorf("%q is unknown, its effects are not", text)
			}
			s.Mentions(func([]byte) bool { return false })
			if tree, err := s.Tree(); (tree == nil) == (err == nil) {
				t.Errorf("%q: tree %v, error %v", text, tree, err)
			}
		}
		var fp Fingerprinter
		if fingerprint := fp.Fingerprint(text, m); simple && fingerprint.Clean && fingerprint.Statements != some {
			t.Errorf("%q has %d statements, its fingerprint says %d", text, some, fingerprint.Statements)
		}
	})
}

// canaries are values that stand in for every literal of a text; none occurs
// in the rest of it.
var canaries = map[string]string{
	"exact": "7392018", "float": "7392018e0", "hex": "0x7392018", "string": "'kanarie'", "nstring": "N'kanarie'",
}

// FuzzRedact: whatever the literals of a text are, none is read in its
// redaction, which is short and one line of valid UTF-8.
func FuzzRedact(f *testing.F) {
	seed(f)
	f.Fuzz(func(t *testing.T, text []byte, modes uint32) {
		out := Redact(text, Modes(modes))
		if len(out) > 4*redactedBytesMax || strings.ContainsAny(out, "\x00\r\n\x1b\x7f") || !utf8.ValidString(out) {
			t.Errorf("%q is no line of a log", out)
		}
		if otherVersions.Match(text) || bytes.Contains(text, []byte("kanarie")) || bytes.Contains(text, []byte("7392018")) {
			return
		}
		tokens, ok := modelLex(string(text))
		if !ok {
			return
		}
		var b strings.Builder
		for _, tok := range tokens {
			value := tok.text
			if c, literal := canaries[tok.class]; literal {
				value = c
			}
			fmt.Fprintf(&b, "%s ", value)
		}
		if out := Redact([]byte(b.String()), modelModes); strings.Contains(out, "kanarie") || strings.Contains(out, "7392018") {
			t.Errorf("%q\nshows a literal: %q", b.String(), out)
		}
	})
}
