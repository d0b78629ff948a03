package sql

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"tunic/internal/sql/sqltest"
)

// FuzzParse: no text makes it panic or takes long; the statements lie in the
// text in their order; their number is the fingerprint's; a tree is made or
// refused.
func FuzzParse(f *testing.F) {
	sqltest.Seed(f, "testdata/golden")
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
	sqltest.Seed(f, "testdata/golden")
	f.Fuzz(func(t *testing.T, text []byte, modes uint32) {
		out := Redact(text, Modes(modes))
		if len(out) > 4*redactedBytesMax || strings.ContainsAny(out, "\x00\r\n\x1b\x7f") || !utf8.ValidString(out) {
			t.Errorf("%q is no line of a log", out)
		}
		if sqltest.OtherVersions.Match(text) || bytes.Contains(text, []byte("kanarie")) || bytes.Contains(text, []byte("7392018")) {
			return
		}
		tokens, ok := sqltest.Tokens(string(text))
		if !ok {
			return
		}
		var b strings.Builder
		for _, tok := range tokens {
			value := tok.Text
			if c, literal := canaries[tok.Class]; literal {
				value = c
			}
			fmt.Fprintf(&b, "%s ", value)
		}
		if out := Redact([]byte(b.String()), sqltest.ModelModes); strings.Contains(out, "kanarie") || strings.Contains(out, "7392018") {
			t.Errorf("%q\nshows a literal: %q", b.String(), out)
		}
	})
}
