package config

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// FuzzLoadFile: whatever a file holds, loading ends in a Config or in one
// clean line.
func FuzzLoadFile(f *testing.F) {
	f.Add("listen = '127.0.0.1:1'\n[limits]\ndrain = 3\n")
	f.Add("[backend]\naddress = 'unix:x'\nconnect_timeout = 1e3\n")
	f.Add("listen.x.y = [{a = 1}]\n\"a\\u0007\" = 1979-05-27\n")
	f.Add("[service]\npassword_file = \"\\u0000\"")
	f.Add("listen = '\\\x00'")
	f.Add("'a\x1b' = 1")
	path := filepath.Join(f.TempDir(), "fuzz.toml")
	f.Fuzz(func(t *testing.T, text string) {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		l := loader{config: Default(), written: map[string]written{}}
		checkLine(t, l.loadFile(path, "--config"))
	})
}

// FuzzSet: no text panics a setting, and what one accepts it accepts again.
func FuzzSet(f *testing.F) {
	for _, sample := range samples {
		f.Add(sample[0])
		f.Add(sample[1])
	}
	f.Add("[::1%eth0]:1")
	f.Add("9223372036854775807K")
	f.Add("1e400")
	f.Fuzz(func(t *testing.T, text string) {
		for i := range table {
			l := loader{config: Default(), written: map[string]written{}}
			checkLine(t, l.set(&table[i], layerFlags, "--x", text))
		}
	})
}

func checkLine(t *testing.T, err error) {
	t.Helper()
	if err == nil {
		return
	}
	if _, ok := errors.AsType[*Error](err); !ok {
		t.Errorf("not an *Error: %v", err)
	}
	if strings.ContainsFunc(err.Error(), func(r rune) bool { return r < ' ' || r == 0x7f }) {
		t.Errorf("not one clean line: %q", err)
	}
}
