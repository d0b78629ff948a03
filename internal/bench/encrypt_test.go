package bench

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tunic/internal/bench/document"
	"tunic/internal/bench/matrix"
)

func TestParseRates(t *testing.T) {
	got, err := matrix.ParseRates([]string{"0", "1000", "unlimited"})
	if diff := cmp.Diff([]int{0, 1000, matrix.Unlimited}, got); err != nil || diff != "" {
		t.Errorf("%v, -want +got:\n%s", err, diff)
	}
	for _, bad := range []string{"", "-1", "1e3", "fast"} {
		if _, err := matrix.ParseRates([]string{bad}); err == nil {
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
	want := document.FileSearch{Files: 4, Logs: map[string]int{"ib_logfile0": 2}, Other: map[string]int{"encrypt/sbtest1.ibd": 2, "encrypt/ib_logfile0": 1}}
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Errorf("%v, -want +got:\n%s", err, diff)
	}
}
