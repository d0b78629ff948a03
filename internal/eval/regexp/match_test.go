package regexp

import (
	"slices"
	"testing"
)

func TestNth(t *testing.T) {
	for _, c := range []struct {
		pattern, text string
		n             int64
		at            []int
		known         bool
	}{
		{"a", "banana", 1, []int{1, 2}, true},
		{"a", "banana", 3, []int{5, 6}, true},
		{"a", "banana", 4, nil, true},
		{"a", "banana", 0, nil, false},
		{"(an)+", "banana", 1, []int{1, 5, 3, 5}, true},
		{"x*", "banana", 1, []int{0, 0}, true},
		{"x*", "banana", 2, nil, false},    // where the next one begins is not the same to all
		{"(x?)+", "banana", 1, nil, false}, // nor when a round without progress ends
	} {
		p, ok := Read(c.pattern, false, false)
		if !ok {
			t.Fatal(c.pattern)
		}
		if at, known := p.Nth([]byte(c.text), c.n); !slices.Equal(at, c.at) || known != c.known {
			t.Errorf("%d of %s in %s: %v, %v", c.n, c.pattern, c.text, at, known)
		}
	}
}

func TestReplace(t *testing.T) {
	for _, c := range []struct {
		pattern, text, with, want string
		known                     bool
	}{
		{"a", "banana", "<>", "b<>n<>n<>", true},
		{"(a)(n)", "banana", "$2$1", "bnanaa", true},
		{"(a)(n)", "banana", "$3", "", false},
		{"(a)|n", "banana", "$1", "", false}, // n has no group
		{"(an)+", "banana", "$1", "", false}, // what a group holds after several rounds
		{"(a)", "banana", "$11", "", false},
		{"a", "banana", `\n`, "", false},
		{"a", "banana", "$", "", false},
		{"(a)", "banana", "long, too long: $1", "", false},
	} {
		p, ok := Read(c.pattern, false, false)
		if !ok {
			t.Fatal(c.pattern)
		}
		found, known := p.All([]byte(c.text), -1)
		if !known {
			t.Fatal(c.pattern)
		}
		got, known := p.Replace(nil, []byte(c.text), found, Replacement{Text: []byte(c.with), Sign: '$'}, 20)
		if known != c.known || known && string(got) != c.want {
			t.Errorf("%s in %s replaced by %s: %s, %v", c.pattern, c.text, c.with, got, known)
		}
	}
}

// TestCheck refuses texts with characters in which the libraries differ.
func TestCheck(t *testing.T) {
	for _, c := range []struct {
		pattern, text                 string
		ignoresCase, foldsStrings, ok bool
	}{
		{`\w`, "a", false, false, true},
		{`\w`, "ä", false, false, false},
		{"a$", "a\n", false, false, false},
		{"a", "a\n", false, false, true},
		{`\s`, "\v", false, false, false},
		{"s", "ſ", false, false, true},
		{"s", "ſ", true, false, false},
		{"ss", "ß", true, false, true},
		{"ss", "ß", true, true, false},
	} {
		p, ok := Read(c.pattern, c.ignoresCase, c.foldsStrings)
		if !ok {
			t.Fatal(c.pattern)
		}
		if p.Check([]byte(c.text)) != c.ok {
			t.Errorf("%s and %q: %v", c.pattern, c.text, !c.ok)
		}
	}
}
