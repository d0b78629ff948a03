package bench

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tunic/internal/bench/document"
	"tunic/internal/bench/documenttest"
)

func TestDocumentComesBackFromItsFile(t *testing.T) {
	d := documenttest.Some()
	d.Summarise()
	base, err := writeResult(t.TempDir(), "relay", d.Started, d)
	if err != nil {
		t.Fatal(err)
	}
	got, err := document.Read(base + ".json")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(d, got); diff != "" {
		t.Errorf("-written +read:\n%s", diff)
	}
}

func TestReadDocumentRefusesOthers(t *testing.T) {
	path := filepath.Join(t.TempDir(), "other.json")
	for text, want := range map[string]string{
		`{"format":"tunic-bench/0"}`: `its format is "tunic-bench/0"`,
		`{}`:                         `its format is ""`,
		`no JSON`:                    "invalid character",
	} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := document.Read(path); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want an error with %q", text, err, want)
		}
	}
	if _, err := document.Read(path + ".missing"); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a file that is not there: %v", err)
	}
}
