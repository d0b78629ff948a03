package main

import (
	"io/fs"
	"strings"
	"testing"
)

// TestKeyThatIsNotReadable: what hinders is who the user is, and not which path was given.
func TestKeyThatIsNotReadable(t *testing.T) {
	err := keyError("key in tunic.toml", "tunic.key", &fs.PathError{Op: "open", Path: "tunic.key", Err: fs.ErrPermission})
	for _, want := range []string{"key in tunic.toml: ", "let the user that runs tunic read it", "chmod 640"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%q lacks %q", err, want)
		}
	}
}
