package charset

import (
	"bytes"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

// TestASCII: eight bytes at a time come to the same as one at a time.
func TestASCII(t *testing.T) {
	text := rapid.SliceOf(rapid.OneOf(rapid.ByteRange(0x40, 0x7f), rapid.Byte()))
	rapid.Check(t, func(t *rapid.T) {
		s, before := text.Draw(t, "text"), text.Draw(t, "before")
		want := bytes.IndexFunc(s, func(r rune) bool { return r >= utf8.RuneSelf })
		if want < 0 {
			want = len(s)
		}
		if got := asciiRun(s); got != want {
			t.Errorf("a run of %d, want %d", got, want)
		}
		got, n := appendUpper(bytes.Clone(before), s)
		if upper := bytes.ToUpper(s[:want]); n != want || !bytes.Equal(got, append(before, upper...)) {
			t.Errorf("the capitals of %q are %q of %d, want %q of %d", s, got, n, upper, want)
		}
	})
}

// TestEveryASCII: each character at each place among eight.
func TestEveryASCII(t *testing.T) {
	for at := range asciiBytes {
		for b := range byte(0x80) {
			s := bytes.Repeat([]byte{'{'}, asciiBytes)
			s[at] = b
			if got, _ := appendUpper(nil, s); !bytes.Equal(got, bytes.ToUpper(s)) {
				t.Fatalf("the capitals of %q are %q", s, got)
			}
		}
	}
}

// TestUpperIsUsed: the collations that most tables have weigh ASCII by its capitals.
func TestUpperIsUsed(t *testing.T) {
	for _, name := range []string{"utf8mb4_general_ci", "latin1_swedish_ci"} {
		c, ok := Lookup(MariaDB, name)
		if !ok {
			t.Fatal(name)
		}
		switch w := c.weigher.(type) {
		case *tableWeigher:
			if !w.upper {
				t.Error(name, "does not")
			}
		case *runeWeigher:
			if !w.upper {
				t.Error(name, "does not")
			}
		default:
			t.Errorf("%s is a %T", name, w)
		}
	}
}
