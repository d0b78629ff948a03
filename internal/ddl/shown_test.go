package ddl

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"tunic/internal/catalog"
)

// recordedCreates are the texts of SHOW CREATE TABLE that servers have given.
func recordedCreates(t testing.TB) (all []string) {
	t.Helper()
	files, err := filepath.Glob("testdata/facts/*.json")
	if err != nil || len(files) == 0 {
		t.Fatalf("no facts: %v", err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		answers := recorded{}
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

// TestShownRoundTrip: what servers say of a table is written again as it was read.
func TestShownRoundTrip(t *testing.T) {
	for _, text := range recordedCreates(t) {
		s, err := readShown(text)
		if err != nil {
			t.Errorf("%v:\n%s", err, text)
			continue
		}
		all := tokens(text)
		if again := s.text("CREATE TABLE", all[2].of(text)); again != text {
			t.Errorf("read as\n%s\nwas\n%s", again, text)
		}
	}
}

// FuzzShown: whatever a server says, reading it ends, and what is read is read
// again the same.
func FuzzShown(f *testing.F) {
	for _, text := range recordedCreates(f) {
		f.Add(text)
	}
	f.Add("CREATE TABLE `a` (\n  `b` int /*T![ttl] x */,\n  KEY (")
	f.Fuzz(func(t *testing.T, text string) {
		s, err := readShown(text)
		if err != nil {
			return
		}
		for i := range s.Columns {
			readColumn(s.Columns[i].Text)
		}
		optionComment(s.Options)
		written := s.text("CREATE TABLE", "`t`")
		again, err := readShown(written)
		if err != nil {
			t.Fatalf("%v:\n%s", err, written)
		}
		if twice := again.text("CREATE TABLE", "`t`"); twice != written {
			t.Fatalf("read as\n%s\nwas\n%s", twice, written)
		}
	})
}

// TestProxyLabels: labels that stand for others are as many and as long, and no two
// are the same.
func TestProxyLabels(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		labels := rapid.SliceOfNDistinct(rapid.StringN(1, 4, 12), 1, 60, func(s string) string { return strings.TrimRight(s, " ") }).Draw(t, "labels")
		seen := map[string]bool{}
		for i, p := range proxyLabels(labels) {
			if utf8.RuneCountInString(p) != utf8.RuneCountInString(strings.TrimRight(labels[i], " ")) || seen[p] {
				t.Fatalf("%q stands for %q", p, labels[i])
			}
			seen[p] = true
		}
	})
}

// TestStrings: a string that is written is read as it was.
func TestStrings(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.String().Draw(t, "s")
		if again := unquoteString(quoteString(s)); again != s {
			t.Fatalf("%q is read as %q", s, again)
		}
		if again := unquoteName(catalog.Quoted(s)); again != s {
			t.Fatalf("name %q is read as %q", s, again)
		}
	})
}

// TestShowCreate: the counter stands where servers show it.
func TestShowCreate(t *testing.T) {
	table := &catalog.Table{Definition: "CREATE TABLE `t` (\n  `a` int\n) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4"}
	if got := ShowCreate(table, 1); got != table.Definition {
		t.Errorf("without rows: %s", got)
	}
	if got := ShowCreate(table, 7); !strings.HasSuffix(got, ") ENGINE=InnoDB AUTO_INCREMENT=7 DEFAULT CHARSET=utf8mb4") {
		t.Errorf("with rows: %s", got)
	}
}

// TestWithPositions: MariaDB shows ” for the position of a column if what a view reads is gone, and a
// string without its character set in information_schema.
func TestWithPositions(t *testing.T) {
	for _, c := range []struct{ shown, definition, want string }{
		{"select _latin1'x' from `b` order by '' desc,''", "select 'x' from `b` order by 12 desc,''", "select _latin1'x' from `b` order by 12 desc,''"},
		{"select '' from `b` group by ''", "select '' from `b` group by 1", "select '' from `b` group by 1"},
		{`select 'it\''' from b`, "select 1", `select 'it\''' from b`},
		{"select '' from `b`", "select `x` from `b`", ""},
		{"select '' from `b`", "select '' from `b` limit 1", ""},
	} {
		got, ok := withPositions(c.shown, c.definition)
		if got != c.want || ok != (c.want != "") {
			t.Errorf("%s, %s: got %q, %v", c.shown, c.definition, got, ok)
		}
	}
}
