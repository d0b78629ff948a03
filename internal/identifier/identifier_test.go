package identifier

import (
	"testing"

	"pgregory.net/rapid"
)

func TestQuoted(t *testing.T) {
	for name, want := range map[string]string{
		"patient": "`patient`",
		"a`b":     "`a``b`",
		"`":       "````",
		"":        "``",
		"né $ '":  "`né $ '`",
	} {
		if got := Quoted(name); got != want {
			t.Errorf("%q is written %s, want %s", name, got, want)
		}
		if got := string(Append([]byte("x."), name)); got != "x."+want {
			t.Errorf("%q is appended as %s", name, got)
		}
	}
}

func TestUnquoted(t *testing.T) {
	for text, want := range map[string]string{
		"`a``b`":  "a`b",
		"patient": "patient",
		"`":       "`",
		"`open":   "`open",
		"":        "",
	} {
		if got := Unquoted(text); got != want {
			t.Errorf("%s is read as %q, want %q", text, got, want)
		}
	}
}

// TestRoundTrip: whatever the name is, it is read as it was written, and its quotes end where the text ends.
func TestRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.StringMatching("[`'\"a\\\\é.]{0,12}").Draw(t, "name")
		text := Quoted(name)
		if got := Unquoted(text); got != name {
			t.Errorf("%q is read as %q", name, got)
		}
		if got := string(Append(nil, []byte(name))); got != text {
			t.Errorf("%q is written %s and appended as %s", name, text, got)
		}
		if end := quotesEnd(text); end != len(text) {
			t.Errorf("the quotes of %s end at %d", text, end)
		}
	})
}

// quotesEnd is behind the backquote that ends the name, as a server reads it.
func quotesEnd(text string) int {
	for i := 1; i < len(text); i++ {
		if text[i] != '`' {
			continue
		}
		if i+1 == len(text) || text[i+1] != '`' {
			return i + 1
		}
		i++
	}
	return -1
}
