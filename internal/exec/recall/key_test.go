package recall

import (
	"strings"
	"testing"

	"tunic/internal/arena"
	"tunic/internal/binding"
	"tunic/internal/recipe"
	"tunic/internal/sql"
)

// TestIsWhole: a number that is written in another way than servers do is none by which a row is known.
func TestIsWhole(t *testing.T) {
	for text, want := range map[string]bool{
		"0": true, "7": true, "-7": true, "70": true, "18446744073709551615": true,
		"99999999999999999999": true, "100000000000000000000": false, "-100000000000000000000": false,
		"": false, "-": false, "-0": false, "07": false, "-07": false, "00": false, "1.0": false, "1e1": false, "'1'": false, "NULL": false,
	} {
		if got := isWhole([]byte(text)); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

// TestKeyBounded: of a text that is no number of a key nothing stays with the session, however long it is.
func TestKeyBounded(t *testing.T) {
	long := "SELECT a FROM t WHERE id = " + strings.Repeat("1", 1<<20)
	f := &sql.Fingerprinter{}
	f.Record(true)
	f.Fingerprint([]byte(long), 0)
	b := binding.New()
	b.Statement = &binding.Statement{Run: recipe.Run{Key: []recipe.KeyPart{{Slot: -1, Param: -1, Place: sql.Place{Group: -1}}}}}
	b.Text, b.Literals = []byte(long), f.Literals()
	var k Key
	if text, err := b.AppendPlace(nil, sql.Place{Group: -1}, 0); err != nil || len(text) != 1<<20 {
		t.Fatalf("%d bytes, %v", len(text), err)
	}
	if k.Of(b) || cap(k.text) > arena.KeepMax {
		t.Errorf("a long number is a key, or %d bytes stay", cap(k.text))
	}
}
