package characters

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"tunic/internal/value/charset"
)

func utf8mb4(t interface{ Fatal(...any) }) *charset.Charset {
	set, ok := charset.CharsetByName(charset.MariaDB, "utf8mb4")
	if !ok {
		t.Fatal("no utf8mb4")
	}
	return set
}

// TestParts: parts of text are those of its runes.
func TestParts(t *testing.T) {
	set := utf8mb4(t)
	rapid.Check(t, func(t *rapid.T) {
		runes := []rune(rapid.StringOfN(rapid.RuneFrom([]rune("aäß日😀 ")), 0, 8, -1).Draw(t, "text"))
		s := []byte(string(runes))
		n := rapid.Int64Range(-10, 10).Draw(t, "n")
		length := rapid.Int64Range(-1, 10).Draw(t, "length")
		within := func(i int64) int64 { return min(max(i, 0), int64(len(runes))) }
		if got := string(Left(set, s, []int64{n})); got != string(runes[:within(n)]) {
			t.Errorf("LEFT(%s, %d) is %s", s, n, got)
		}
		if got := string(Right(set, s, []int64{n})); got != string(runes[int64(len(runes))-within(n):]) {
			t.Errorf("RIGHT(%s, %d) is %s", s, n, got)
		}
		want, from := "", n-1
		if n < 0 {
			from = int64(len(runes)) + n
		}
		if n != 0 && from >= 0 && from < int64(len(runes)) && length > 0 {
			want = string(runes[from:within(from+length)])
		}
		if got := string(Substring(set, s, []int64{n, length})); got != want {
			t.Errorf("SUBSTRING(%s, %d, %d) is %s, want %s", s, n, length, got, want)
		}
		back := AppendReversed(nil, set, AppendReversed(nil, set, s))
		if string(back) != string(s) {
			t.Errorf("%s reversed twice is %s", s, back)
		}
		if before, after, ok := Around(set, s, n, length); ok {
			middle := len(runes) - len([]rune(string(before))) - len([]rune(string(after)))
			if int64(len([]rune(string(before)))) != n-1 || length >= 0 && int64(middle) != min(length, int64(len(runes))-n+1) {
				t.Errorf("around %d characters of %s at %d: %s and %s", length, s, n, before, after)
			}
		}
		if chars := int(length); chars > 0 {
			if got := AppendFill(nil, set, []byte("äb"), chars); set.CharLen(got) != chars {
				t.Errorf("%d characters are %s", chars, got)
			}
		}
	})
	if got := Substring(set, []byte("abc"), []int64{2}); string(got) != "bc" {
		t.Errorf("SUBSTRING to the end is %s", got)
	}
	if got := Left(set, []byte("abc"), []int64{math.MaxInt64}); string(got) != "abc" {
		t.Errorf("LEFT of all is %s", got)
	}
}

func TestSubstringIndex(t *testing.T) {
	for _, c := range []struct {
		n    int64
		want string
	}{{0, ""}, {1, "www"}, {2, "www.a"}, {3, "www.a.com"}, {-1, "com"}, {-2, "a.com"}, {-9, "www.a.com"}} {
		if got := SubstringIndex([]byte("www.a.com"), []byte("."), c.n); string(got) != c.want {
			t.Errorf("%d: %s", c.n, got)
		}
	}
	for text, want := range map[string]bool{"aba": true, "ab": false, "aa": true, "a": false, "": false} {
		if OverlapsItself([]byte(text)) != want {
			t.Errorf("%q overlaps itself: %v", text, !want)
		}
	}
}

func TestTrimAndReplace(t *testing.T) {
	for _, c := range []struct {
		text, cut         string
		leading, trailing bool
		want              string
	}{
		{"xxaxx", "x", true, true, "a"},
		{"xxaxx", "x", true, false, "axx"},
		{"xxaxx", "xx", false, true, "xxa"},
		{"xxx", "xx", true, true, "x"},
		{"a", "", true, true, "a"},
	} {
		if got := Trim([]byte(c.text), []byte(c.cut), c.leading, c.trailing); string(got) != c.want {
			t.Errorf("%s without %s: %s", c.text, c.cut, got)
		}
	}
	if got := AppendReplaced([]byte("<"), []byte("aaa"), []byte("aa"), []byte("b")); string(got) != "<ba" {
		t.Errorf("%s", got)
	}
}

// TestCaseIsKnown: where there is no table, letters that versions of Unicode differ in are not.
func TestCaseIsKnown(t *testing.T) {
	var none *CaseTable
	if got, known := none.AppendCase(nil, []byte("aÄß"), true); known {
		t.Errorf("ß is known to be %s in upper case", got)
	}
	if got, known := none.AppendCase(nil, []byte("aÄЖ"), false); !known || string(got) != "aäж" {
		t.Errorf("%s, %v", got, known)
	}
}
