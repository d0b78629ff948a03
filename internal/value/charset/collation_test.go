package charset

import (
	"bytes"
	"encoding/binary"
	"testing"

	"pgregory.net/rapid"

	"tunic/internal/racetest"
)

// TestCompare holds what the manuals of the servers say, so that a reader and a
// machine without servers have it too.
func TestCompare(t *testing.T) {
	for _, c := range []struct {
		flavor    Flavor
		collation string
		a, b      string
		want      int
	}{
		{MariaDB, "utf8mb4_general_ci", "a", "A", 0},
		{MariaDB, "utf8mb4_general_ci", "a", "a  ", 0},
		{MariaDB, "utf8mb4_general_ci", "a\t", "a", -1},
		{MariaDB, "utf8mb4_general_ci", "a\t", "a ", -1},
		{MariaDB, "utf8mb4_general_ci", "ab", "a ", 1},
		{MariaDB, "utf8mb4_general_ci", "ß", "s", 0},
		{MariaDB, "utf8mb4_general_ci", "ß", "ss", -1},
		{MariaDB, "utf8mb4_general_ci", "😀", "😁", 0},
		{MariaDB, "utf8mb4_general_nopad_ci", "a", "a ", -1},
		{MariaDB, "utf8mb4_bin", "a", "a ", 0},
		{MariaDB, "utf8mb4_bin", "a\n", "a", -1},
		{MariaDB, "utf8mb4_nopad_bin", "a\n", "a", 1},
		{MariaDB, "utf8mb4_unicode_ci", "ß", "ss", 0},
		{MariaDB, "utf8mb4_unicode_ci", "a\u200d", "a", 0},
		{MariaDB, "utf8mb4_unicode_ci", "a\u00a0", "a", 0},
		{MariaDB, "utf8mb4_unicode_ci", "a \u200d ", "a", 0},
		{MariaDB, "utf8mb4_unicode_ci", "😀", "😁", 0},
		{MariaDB, "utf8mb4_unicode_520_ci", "😀", "😁", -1},
		{MariaDB, "utf8mb4_unicode_ci", "\xed\xa0\x80", "\xed\xa0\x81", -1},
		{MariaDB, "utf8mb4_uca1400_ai_ci", "É ", "e", 0},
		{MariaDB, "utf8mb4_uca1400_ai_ci", "l·", "l", 0},
		{MariaDB, "utf8mb4_uca1400_ai_ci", "เก", "กเ", 0},
		{MariaDB, "utf8mb4_uca1400_ai_ci", "ೋ", "\u0cc6\u0cc2\u0cd5", 0},
		{MariaDB, "utf8mb4_uca1400_ai_ci", "😀", "😁", -1},
		{MariaDB, "utf8mb4_uca1400_nopad_ai_ci", "a", "a ", -1},
		{MySQL, "utf8mb4_unicode_ci", "a\uffffb", "ab", 1},
		{MySQL, "utf8mb4_0900_ai_ci", "e\u0301", "É", 0},
		{MySQL, "utf8mb4_0900_ai_ci", "a", "a ", -1},
		{MySQL, "utf8mb4_0900_as_ci", "e", "é", -1},
		{MySQL, "utf8mb4_0900_as_cs", "a", "A", -1},
		{MySQL, "utf8mb4_cs_0900_ai_ci", "ch", "cz", 1},
		{MySQL, "utf8mb4_0900_bin", "a", "a ", -1},
		{MySQL, "latin1_swedish_ci", "\xdc", "Y", 0},
		{MySQL, "latin1_swedish_ci", "\xe4", "z", 1},
		{MySQL, "ascii_bin", "A", "a", -1},
		{MySQL, "binary", "a", "a ", -1},
		{MySQL, "binary", "\x00", "", 1},
	} {
		collation, ok := Lookup(c.flavor, c.collation)
		if !ok {
			t.Fatalf("%s has no %s", c.flavor, c.collation)
		}
		if got := collation.Compare([]byte(c.a), []byte(c.b)); got != c.want {
			t.Errorf("%s: %q with %q is %d, not %d", c.collation, c.a, c.b, got, c.want)
		}
		if got := collation.Compare([]byte(c.b), []byte(c.a)); got != -c.want {
			t.Errorf("%s: %q with %q is %d, not %d", c.collation, c.b, c.a, got, -c.want)
		}
	}
}

// mainCollations are those of most columns.
func mainCollations(t testing.TB) []*Collation {
	t.Helper()
	var found []*Collation
	for _, name := range benchNames {
		c, ok := Lookup(MySQL, name)
		if !ok {
			t.Fatalf("no %s", name)
		}
		found = append(found, c)
	}
	for _, name := range []string{"utf8mb4_general_nopad_ci", "utf8mb4_nopad_bin", "utf8mb3_unicode_ci", "utf8mb4_uca1400_ai_ci", "utf8mb4_danish_ci"} {
		c, ok := Lookup(MariaDB, name)
		if !ok {
			t.Fatalf("no %s", name)
		}
		found = append(found, c)
	}
	return found
}

// text draws a well-formed string of the character set.
func text(t *rapid.T, c *Collation, label string) []byte {
	utf8mb4, _ := CharsetByName(c.Flavor, "utf8mb4")
	parts := rapid.SliceOfN(rapid.OneOf(rapid.SampledFrom(pieces), rapid.StringN(1, 1, -1)), 0, 6).Draw(t, label)
	var s []byte
	for _, p := range parts {
		if converted, bad := Convert(nil, c.Charset, utf8mb4, []byte(p)); bad < 0 {
			s = append(s, converted...)
		}
	}
	return s
}

// TestWeightLaws holds the promises of weight strings that need no server.
func TestWeightLaws(t *testing.T) {
	collations := mainCollations(t)
	rapid.Check(t, func(t *rapid.T) {
		c := rapid.SampledFrom(collations).Draw(t, "collation")
		a, b := text(t, c, "a"), text(t, c, "b")
		wa, wb := c.AppendWeights(nil, a), c.AppendWeights([]byte("kept"), b)
		if string(wb[:4]) != "kept" {
			t.Fatal("what was in dst is gone")
		}
		wb = wb[4:]
		d := c.Compare(a, b)
		if (d == 0) != bytes.Equal(wa, wb) || d != c.CompareWeights(wa, wb) || d != c.CompareTo(a, wb) {
			t.Fatalf("%s: compare %d, weights %x and %x", c.Name, d, wa, wb)
		}
		if !c.PadSpace && d != bytes.Compare(wa, wb) {
			t.Fatalf("%s: weights do not order as bytes do", c.Name)
		}
		if padded := c.Compare(a, append(bytes.Clone(a), c.Charset.spaces(2)...)); (padded == 0) != c.PadSpace {
			t.Fatalf("%s: %x with spaces behind it compares %d", c.Name, a, padded)
		}
		n := rapid.IntRange(0, 24).Draw(t, "n")
		pa, pb := c.AppendPrefix(nil, a, n), c.AppendPrefix(nil, b, n)
		if p := bytes.Compare(pa, pb); len(pa) != n || len(pb) != n || p != 0 && p != d {
			t.Fatalf("%s: prefixes %x and %x compare %d, strings %d", c.Name, pa, pb, p, d)
		}
	})
}

// TestFirstWeights: where the first bytes of a string tell the first weights, they are those of
// its prefix.
func TestFirstWeights(t *testing.T) {
	collations := mainCollations(t)
	rapid.Check(t, func(t *rapid.T) {
		c := rapid.SampledFrom(collations).Draw(t, "collation")
		s := append(rapid.SliceOfN(rapid.SampledFrom([]byte("aAzZ~ 0")), 0, 12).Draw(t, "ascii"), text(t, c, "s")...)
		first, ok := c.FirstWeights(s)
		if want := binary.BigEndian.Uint64(c.AppendPrefix(nil, s, 8)); ok && first != want {
			t.Fatalf("%s: %q has the first weights %016x, want %016x", c.Name, s, first, want)
		}
		if ok && len(s) < 8 {
			t.Fatalf("%s: %q is too short to tell", c.Name, s)
		}
	})
	for name, want := range map[string]bool{"utf8mb4_bin": true, "utf8mb4_general_ci": true, "latin1_swedish_ci": true, "utf8mb4_unicode_ci": false} {
		c, _ := Lookup(MySQL, name)
		if _, ok := c.FirstWeights([]byte("Eight   ")); ok != want {
			t.Errorf("%s tells: %t", name, ok)
		}
	}
}

// TestNotExact makes sure that what is not known is not answered.
func TestNotExact(t *testing.T) {
	c, ok := Lookup(TiDB, "utf8mb4_general_ci")
	if !ok {
		t.Fatal("no collation to try")
	}
	if ok, why := c.Exact(); ok || why == "" {
		t.Fatalf("%v, %q", ok, why)
	}
	for name, call := range map[string]func(){
		"AppendWeights": func() { c.AppendWeights(nil, nil) },
		"AppendPrefix":  func() { c.AppendPrefix(nil, nil, 1) },
		"Compare":       func() { c.Compare(nil, nil) },
		"Sample":        func() { c.Sample() },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s answers", name)
				}
			}()
			call()
		}()
	}
}

// TestAllocations makes sure that nothing on the path of a query allocates. The
// collations of UCA 4.0.0 for a language are left out: the library's iterator
// allocates once.
func TestAllocations(t *testing.T) {
	if racetest.On {
		t.Skip("the race detector empties pools")
	}
	src, other := []byte("Zoë Müller, Köln 東京 "), []byte("zoe muller")
	dst := make([]byte, 0, 1024)
	for _, c := range mainCollations(t) {
		if c.Name == "utf8mb4_danish_ci" {
			continue
		}
		work := func() {
			dst = c.AppendWeights(dst[:0], src)
			dst = c.AppendPrefix(dst[:0], src, 16)
			dst, _ = Convert(dst[:0], c.Charset, mainCharset, src)
			c.Charset.FirstBad(src)
			c.Charset.CharLen(src)
			c.Charset.TruncateChars(src, 3)
			if _, ok := Lookup(c.Flavor, c.Name); !ok {
				t.Fatal("it is gone")
			}
			c.CompareWeights(src, other)
		}
		work()
		if n := testing.AllocsPerRun(20, work); n != 0 {
			t.Errorf("%s: %v allocations", c.Name, n)
		}
	}
}

var mainCharset, _ = CharsetByName(MySQL, "utf8mb4")
