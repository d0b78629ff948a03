package bench

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestParseRates(t *testing.T) {
	got, err := ParseRates([]string{"0", "1000", "unlimited"})
	if diff := cmp.Diff([]int{0, 1000, Unlimited}, got); err != nil || diff != "" {
		t.Errorf("%v, -want +got:\n%s", err, diff)
	}
	for _, bad := range []string{"", "-1", "1e3", "fast"} {
		if _, err := ParseRates([]string{bad}); err == nil {
			t.Errorf("%q is taken", bad)
		}
	}
}

// TestSearchFiles: each value in the clear is counted once, wherever it lies in a file, and a file
// is a log only where the server has its logs.
func TestSearchFiles(t *testing.T) {
	dir := t.TempDir()
	const piece = 1 << 20
	split := strings.Repeat("x", piece-5) + plainSample + strings.Repeat("y", piece) + plainSample
	for name, content := range map[string]string{
		"ib_logfile0": plainSample + plainSample, "ibdata1": "nothing",
		"encrypt/sbtest1.ibd": split, "encrypt/ib_logfile0": plainSample,
	} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	got, err := searchFiles(dir)
	want := FileSearch{Files: 4, Logs: map[string]int{"ib_logfile0": 2}, Other: map[string]int{"encrypt/sbtest1.ibd": 2, "encrypt/ib_logfile0": 1}}
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Errorf("%v, -want +got:\n%s", err, diff)
	}
}

// TestEncryptFailed: what tunic does to clients fails the benchmark, and what other tools do to
// them is told.
func TestEncryptFailed(t *testing.T) {
	good := EncryptRate{Same: true, Runs: []EncryptRun{
		{Way: "tunic encrypt"}, {Way: "pt-online-schema-change, ADD COLUMN", Errors: map[string]int{"1213": 1}},
	}, Searches: []FileSearch{{Logs: map[string]int{"ib_logfile0": 1}}}}
	if err := (&EncryptDocument{Rates: []EncryptRate{good}}).failed(); err != nil {
		t.Error(err)
	}
	for name, harm := range map[string]func(*EncryptRate){
		"another table":        func(r *EncryptRate) { r.Same = false },
		"an error":             func(r *EncryptRate) { r.Runs = []EncryptRun{{Way: "tunic decrypt", Errors: map[string]int{"1615": 1}}} },
		"a wrong answer":       func(r *EncryptRate) { r.Runs = []EncryptRun{{Way: "tunic encrypt", Wrong: 1}} },
		"a value in the clear": func(r *EncryptRate) { r.Searches = []FileSearch{{Other: map[string]int{"a.ibd": 1}}} },
	} {
		r := good
		harm(&r)
		if err := (&EncryptDocument{Rates: []EncryptRate{good, r}}).failed(); err == nil {
			t.Errorf("%s passes", name)
		}
	}
}
