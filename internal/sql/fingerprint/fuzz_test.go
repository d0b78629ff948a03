package fingerprint

import (
	"bytes"
	"regexp"
	"strings"
	"testing"

	"tunic/internal/sql/lex"
	"tunic/internal/sql/sqltest"
)

// FuzzFingerprint: no text makes it panic or write past what it is given; a
// template stands for itself; under the model's modes it agrees with the model
// about what is clean, and other values of the same literals have the same
// template.
func FuzzFingerprint(f *testing.F) {
	sqltest.Seed(f, "../testdata/golden")
	f.Add([]byte("0E+.5"), uint32(sqltest.ModelModes))
	f.Add([]byte("SELECT 0e-.5 FROM t"), uint32(sqltest.ModelModes))
	f.Fuzz(func(t *testing.T, text []byte, modes uint32) {
		m := lex.Modes(modes)
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
		if m == sqltest.ModelModes && !sqltest.OtherVersions.Match(text) {
			checkValues(t, string(text), template)
		}
	})
}

// checkStable: a template whose marks are literals again has itself for a
// template.
func checkStable(t *testing.T, template string, m lex.Modes) {
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

// exponent is the end of a text that digits after it would make one number:
// 0E+.5 is a sum of the column 0E, 0E+1 is a number.
var exponent = regexp.MustCompile(`[0-9.][eE][+-]$`)

// instantiate puts literals in the place of marks; not ok where a mark is no
// token (x'?', ...), where the text around a mark would join the literal, and
// where two minus signs had a comment after them.
func instantiate(template string, m lex.Modes) (string, bool) {
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
		case t == lex.Param && lx.Gap == lx.From && (before.IsWordy() || exponent.MatchString(b.String())):
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
	tokens, ok := sqltest.Tokens(text)
	if !ok {
		t.Fatalf("%q is clean, not to the model", text)
	}
	var b strings.Builder
	before := sqltest.Token{Class: "op", Text: "("}
	for _, tok := range modelData(tokens) {
		switch {
		case tok.Gap:
			b.WriteByte(' ')
		case before.Text == "" && (tok.Class != "op" || tok.Text == "."),
			tok.Text == "" && (before.Text == "." || (tok.Class == "exact" || tok.Class == "float") && before.Class != "op"),
			tok.Text == "" && exponent.MatchString(b.String()):
			return // 77x is another token than 1.5x, a.77 another than a..5, 1e077 another than 1e0.5, 0e+77 another than 0e+.5
		}
		before = tok
		if tok.Text != "" {
			b.WriteString(tok.Text)
			continue
		}
		b.WriteString(map[string]string{
			"exact": "77", "float": "7e7", "hex": "x'77'", "string": "'seven'", "nstring": "n'seven'",
		}[tok.Class])
	}
	if strings.Contains(template, "--") {
		return // a comment that separated two minus signs from what follows is gone
	}
	var fp Fingerprinter
	if other := fp.Fingerprint([]byte(b.String()), sqltest.ModelModes); string(other.Template) != template {
		t.Errorf("%q\n%q\n%q\n%q", text, template, b.String(), other.Template)
	}
}
