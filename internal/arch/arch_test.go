package arch

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"
)

// root is the root of the repository, seen from this package.
const root = "../.."

// TestRepository holds the repository to every rule.
func TestRepository(t *testing.T) {
	if testing.Short() {
		t.Skip("-short; it reads every file of the repository, and nothing of it runs side by side")
	}
	r, err := readRepo(os.DirFS(root))
	if err != nil {
		t.Fatal(err)
	}
	if len(r.code) == 0 || len(r.docs) == 0 {
		t.Fatalf("read %d Go files and %d documents", len(r.code), len(r.docs))
	}
	for _, rule := range rules {
		t.Run(rule.name, func(t *testing.T) {
			for _, f := range byPlace(rule.find(r)) {
				t.Error(f)
			}
			if t.Failed() {
				t.Logf("rule %s: %s", rule.name, rule.law)
			}
		})
	}
}

// TestRulesFind runs every rule on the small repositories under its folder in
// testdata. Each is a txtar archive whose comment lists the findings expected,
// one a line, exactly as printed; one without a comment must satisfy the rule.
func TestRulesFind(t *testing.T) {
	for _, rule := range rules {
		t.Run(rule.name, func(t *testing.T) {
			files, err := filepath.Glob(filepath.Join("testdata", rule.name, "*.txtar"))
			if err != nil {
				t.Fatal(err)
			}
			breaks := false
			for _, file := range files {
				want := expectFindings(t, rule, file)
				breaks = breaks || len(want) > 0
			}
			if !breaks {
				t.Errorf("no repository under testdata/%s breaks the rule: nobody knows that it can be broken", rule.name)
			}
		})
	}
}

// expectFindings runs rule on the repository in file and returns the findings
// the file asks for.
func expectFindings(t *testing.T, rule rule, file string) []string {
	t.Helper()
	archive, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	r, err := readRepo(mapFS(archive))
	if err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	want := strings.FieldsFunc(string(archive.Comment), func(c rune) bool { return c == '\n' })
	got := []string{}
	for _, f := range byPlace(rule.find(r)) {
		got = append(got, f.String())
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", file, diff)
	}
	return want
}

// mapFS turns an archive into a file system.
func mapFS(archive *txtar.Archive) fs.FS {
	files := fstest.MapFS{}
	for _, f := range archive.Files {
		files[path.Clean(f.Name)] = &fstest.MapFile{Data: f.Data}
	}
	return files
}

// TestFixturesBelongToRules finds folders of fixtures that no rule runs.
func TestFixturesBelongToRules(t *testing.T) {
	entries, err := os.ReadDir("testdata")
	if err != nil {
		t.Fatal(err)
	}
	known := map[string]bool{}
	for _, rule := range rules {
		if known[rule.name] {
			t.Errorf("two rules are called %s", rule.name)
		}
		known[rule.name] = true
	}
	for _, e := range entries {
		if !known[e.Name()] {
			t.Errorf("testdata/%s belongs to no rule", e.Name())
		}
	}
}

func TestSlugOf(t *testing.T) {
	for heading, want := range map[string]string{
		"What it does not do yet":        "what-it-does-not-do-yet",
		"`COM_QUERY` and friends":        "com_query-and-friends",
		"Five promises, in order":        "five-promises-in-order",
		"See [words](docs/words.md)":     "see-words",
		"TUNIC-2004: not on this column": "tunic-2004-not-on-this-column",
	} {
		if got := slugOf(heading); got != want {
			t.Errorf("slugOf(%q) = %q, want %q", heading, got, want)
		}
	}
}

func TestHyphenated(t *testing.T) {
	for name, want := range map[string]string{
		"Listen": "listen", "BackendTLS": "backend-tls", "TLSClientCA": "tls-client-ca", "PolicyDefault": "policy-default",
	} {
		if got := hyphenated(name); got != want {
			t.Errorf("hyphenated(%q) = %q, want %q", name, got, want)
		}
	}
}
