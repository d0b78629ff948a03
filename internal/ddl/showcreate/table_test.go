package showcreate

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"tunic/internal/identifier"

	"pgregory.net/rapid"
)

// recordedCreates are the texts of SHOW CREATE TABLE that servers have given.
func recordedCreates(t testing.TB) (all []string) {
	t.Helper()
	files, err := filepath.Glob("../testdata/facts/*.json")
	if err != nil || len(files) == 0 {
		t.Fatalf("no facts: %v", err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var answers map[string]struct{ Facts *struct{ Create string } }
		if err := json.Unmarshal(data, &answers); err != nil {
			t.Fatal(err)
		}
		for _, a := range answers {
			if a.Facts != nil {
				all = append(all, a.Facts.Create)
			}
		}
	}
	return all
}

// TestRoundTrip: what servers say of a table is written again as it was read.
func TestRoundTrip(t *testing.T) {
	for _, text := range recordedCreates(t) {
		s, err := Read(text)
		if err != nil {
			t.Errorf("%v:\n%s", err, text)
			continue
		}
		all := Tokens(text)
		if again := s.SQL("CREATE TABLE", all[2].Of(text)); again != text {
			t.Errorf("read as\n%s\nwas\n%s", again, text)
		}
	}
}

// FuzzRead: whatever a server says, reading it ends, and what is read is read
// again the same.
func FuzzRead(f *testing.F) {
	for _, text := range recordedCreates(f) {
		f.Add(text)
	}
	f.Add("CREATE TABLE `a` (\n  `b` int /*T![ttl] x */,\n  KEY (")
	f.Fuzz(func(t *testing.T, text string) {
		s, err := Read(text)
		if err != nil {
			return
		}
		for i := range s.Columns {
			PartsOf(s.Columns[i].Text)
		}
		OptionComment(s.Options)
		written := s.SQL("CREATE TABLE", "`t`")
		again, err := Read(written)
		if err != nil {
			t.Fatalf("%v:\n%s", err, written)
		}
		if twice := again.SQL("CREATE TABLE", "`t`"); twice != written {
			t.Fatalf("read as\n%s\nwas\n%s", twice, written)
		}
	})
}

// TestStrings: a string that is written is read as it was.
func TestStrings(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.String().Draw(t, "s")
		if again := UnquoteString(QuoteString(s)); again != s {
			t.Fatalf("%q is read as %q", s, again)
		}
		if again := identifier.Unquoted(identifier.Quoted(s)); again != s {
			t.Fatalf("name %q is read as %q", s, again)
		}
	})
}

// TestHasNoValue: both flavors' texts of a column without a value are known, and those of others are not.
func TestHasNoValue(t *testing.T) {
	for text, want := range map[string]bool{
		WithoutValue("a`b"): true,
		"`a` tinyint GENERATED ALWAYS AS (NULL) VIRTUAL /*!80023 INVISIBLE */": true,
		"`a` tinyint(4) GENERATED ALWAYS AS (NULL) VIRTUAL INVISIBLE":          true,
		"`a` tinyint GENERATED ALWAYS AS (NULL) VIRTUAL":                       false,
		"`a` tinyint GENERATED ALWAYS AS (NULL) STORED INVISIBLE":              false,
		"`a` tinyint GENERATED ALWAYS AS (`b`) VIRTUAL INVISIBLE":              false,
		"`a` int GENERATED ALWAYS AS (NULL) VIRTUAL INVISIBLE":                 false,
		"`a` tinyint DEFAULT NULL INVISIBLE":                                   false,
	} {
		if got := HasNoValue(text); got != want {
			t.Errorf("%s: %t", text, got)
		}
	}
}
