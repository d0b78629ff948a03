package characters

import (
	"testing"

	"tunic/internal/value/charset"
)

func TestFind(t *testing.T) {
	for _, c := range []struct {
		flavor      charset.Flavor
		collation   string
		text, what  string
		first, want int64
		known       bool
	}{
		{charset.MySQL, "utf8mb4_0900_ai_ci", "abcABC", "B", 1, 2, true},
		{charset.MySQL, "utf8mb4_0900_ai_ci", "abcABC", "b", 3, 5, true},
		{charset.MySQL, "utf8mb4_0900_ai_ci", "straße", "ss", 1, 5, true}, // by weights
		{charset.MariaDB, "utf8mb4_general_ci", "straße", "ss", 1, 0, true},
		{charset.MariaDB, "utf8mb4_general_ci", "ÄÖ", "ö", 1, 2, true},
		{charset.MariaDB, "utf8mb4_bin", "ÄÖ", "ö", 1, 0, true},
		{charset.MariaDB, "utf8mb4_bin", "ÄÖÖ", "Ö", 3, 3, true},
		{charset.MariaDB, "utf8mb4_unicode_ci", "日本", "aé", 1, 0, true},
		{charset.MariaDB, "utf8mb4_general_ci", "abc", "", 4, 4, true},
		{charset.MariaDB, "utf8mb4_general_ci", "abc", "a", 0, 0, true},
		{charset.MariaDB, "utf8mb4_general_ci", "abc", "a", 5, 0, true},
	} {
		collation, ok := charset.Lookup(c.flavor, c.collation)
		if !ok {
			t.Fatal(c.collation)
		}
		f, unknown := NewFinder(collation.Charset, collation, c.flavor == charset.MariaDB, WeighsText)
		if f == nil {
			t.Fatal(unknown)
		}
		w := Scratch{Bytes: []byte("before")}
		got := f.From(&w, []byte(c.text), []byte(c.what), c.first)
		if got != c.want || w.Unknown == c.known || string(w.Bytes) != "before" {
			t.Errorf("%q in %q from %d in %s: %d, %v, %q", c.what, c.text, c.first, c.collation, got, w.Unknown, w.Bytes)
		}
	}
}

func TestItem(t *testing.T) {
	collation, _ := charset.Lookup(charset.MariaDB, "utf8mb4_general_ci")
	f, _ := NewFinder(collation.Charset, collation, true, 0)
	for _, c := range []struct {
		what, list string
		want       int64
	}{{"b", "a,B,c", 2}, {"", "a,,c", 2}, {"a,B", "a,B", 0}, {"c ", "a,B,c", 0}, {"a", "", 0}, {"x", "a,b", 0}} {
		var w Scratch
		if got := f.Item(&w, []byte(c.what), []byte(c.list)); got != c.want || w.Unknown {
			t.Errorf("%q in %q: %d, %v", c.what, c.list, got, w.Unknown)
		}
	}
}

// TestUnknownCollations: where a character may be a part of another one, nothing is found.
func TestUnknownCollations(t *testing.T) {
	for _, name := range []string{"latin1_german2_ci", "utf8mb4_spanish2_ci", "utf16_general_ci"} {
		collation, ok := charset.Lookup(charset.MySQL, name)
		if !ok {
			t.Fatal(name)
		}
		if f, unknown := NewFinder(collation.Charset, collation, false, WeighsText); f != nil || unknown == "" {
			t.Errorf("finds in %s", name)
		}
	}
}
