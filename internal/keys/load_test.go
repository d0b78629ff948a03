package keys

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"tunic/internal/secret"
)

// writeFile writes a file with exactly the mode.
func writeFile(t *testing.T, text string, mode fs.FileMode) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(path, mode); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestIsPrivate(t *testing.T) {
	for mode := range fs.FileMode(0o1000) {
		own := mode == 0o600 || mode == 0o400
		if got := isPrivate(mode, false); got != own {
			t.Errorf("%04o of a user: %t", mode, got)
		}
		if got := isPrivate(mode, true); got != (own || mode == 0o640 || mode == 0o440) {
			t.Errorf("%04o of root: %t", mode, got)
		}
	}
}

func TestLoadModes(t *testing.T) {
	text := string(golden(t, "plain.key"))
	for mode, ok := range map[fs.FileMode]bool{
		0o600: true, 0o400: true, 0o700: false, 0o604: false, 0o644: false, 0o660: false, 0o620: false, 0o777: false,
		0o640: os.Geteuid() == 0, 0o440: os.Geteuid() == 0,
	} {
		k, err := Load(writeFile(t, text, mode), nil)
		switch {
		case ok && (err != nil || k.ID() != goldenKEK(t).ID()):
			t.Errorf("%04o: %v", mode, err)
		case !ok && (!errors.Is(err, ErrMode) || !strings.Contains(err.Error(), fmt.Sprintf("has mode %04o, not 0600 or 0400", mode))):
			t.Errorf("%04o: %v", mode, err)
		}
	}
}

// TestLoadOwner gives a file that a group may read to another user than root.
func TestLoadOwner(t *testing.T) {
	path := writeFile(t, string(golden(t, "plain.key")), 0o440)
	if os.Geteuid() == 0 {
		if err := os.Chown(path, 65534, -1); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := Load(path, nil); !errors.Is(err, ErrMode) {
		t.Errorf("a user's file of mode 0440: %v", err)
	}
}

func TestLoadMistakes(t *testing.T) {
	dir := t.TempDir()
	pipe := filepath.Join(dir, "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		path, says string
		is         error
	}{
		"missing": {filepath.Join(dir, "none"), "none: no such file or directory", fs.ErrNotExist},
		"folder":  {dir, "is not a regular file", nil},
		"device":  {"/dev/null", "is not a regular file", nil},
		"pipe":    {pipe, "is not a regular file", nil}, // and does not wait for a writer
		"empty":   {writeFile(t, "", 0o600), "is empty", nil},
		"large":   {writeFile(t, strings.Repeat("x", fileBytesMax+1), 0o600), "is larger than 4096 bytes", nil},
		"full":    {writeFile(t, strings.Repeat("x", fileBytesMax), 0o600), "is not a key file", ErrForeign},
		"foreign": {writeFile(t, "-----BEGIN PRIVATE KEY-----\n", 0o600), "is not a key file", ErrForeign},
		"damaged": {writeFile(t, strings.Replace(string(golden(t, "plain.key")), "AAEC", "AAED", 1), 0o600), "is damaged", ErrDamaged},
		"later":   {writeFile(t, string(withCheck("tunic key file 3\nnew: 1\n")), 0o600), "another version", ErrVersion},
		"earlier": {writeFile(t, string(withCheck("tunic key file 1\n")), 0o600), "another version", ErrVersion},
		"wrapped": {writeFile(t, string(golden(t, "wrapped.key")), 0o600), "none was given", ErrPassphraseNeeded},
	} {
		_, err := Load(c.path, nil)
		file, ok := errors.AsType[*FileError](err)
		if !ok || file.Path != c.path || !strings.Contains(err.Error(), c.says) || c.is != nil && !errors.Is(err, c.is) {
			t.Errorf("%s: %v, want %q", name, err, c.says)
		}
		if ok && strings.Contains(err.Error(), "AwQF") {
			t.Errorf("%s: the error has the key: %v", name, err)
		}
	}
}

// TestLoadUnreadable needs a user whom permissions stop.
func TestLoadUnreadable(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("root may read everything; run as another user")
	}
	if _, err := Load(writeFile(t, "x", 0o200), nil); !errors.Is(err, fs.ErrPermission) {
		t.Errorf("got %v", err)
	}
}

// TestLoadLink follows links, as Kubernetes mounts secrets behind two.
func TestLoadLink(t *testing.T) {
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(writeFile(t, string(golden(t, "plain.key")), 0o400), link); err != nil {
		t.Fatal(err)
	}
	if _, err := Load(link, nil); err != nil {
		t.Error(err)
	}
}

func TestProvider(t *testing.T) {
	var p Provider = File{
		Path:       writeFile(t, string(golden(t, "wrapped.key")), 0o600),
		Passphrase: passphrase(goldenPassphrase),
	}
	k, err := p.KEK(t.Context())
	if err != nil || k.ID() != goldenKEK(t).ID() {
		t.Errorf("another key: %v", err)
	}
}

func TestReadPassphrase(t *testing.T) {
	for text, want := range map[string]string{
		"correct horse":                        "correct horse",
		"correct horse\n":                      "correct horse",
		"correct horse\r\n":                    "correct horse",
		" with spaces \n":                      " with spaces ",
		"correct\rhorse":                       "correct\rhorse",
		"a\xff" + "b":                          "a\xff" + "b",
		"":                                     "is empty",
		"\n":                                   "is empty",
		"\r\n":                                 "is empty",
		"one\ntwo\n":                           "has more than one line",
		"one\n\n":                              "has more than one line",
		"one\x00":                              "has more than one line",
		string(run(0x20, 90)):                  string(run(0x20, 90)),
		strings.Repeat("x", secret.BytesMax+1): "is larger than",
	} {
		path := writeFile(t, text, 0o600)
		got, err := ReadPassphrase(path)
		switch {
		case err != nil && !strings.Contains(err.Error(), path+": "+want):
			t.Errorf("%.20q: %v", text, err)
		case err == nil && !got.Equal(passphrase(want)):
			t.Errorf("%.20q is not read as %q", text, want)
		}
	}
	if _, err := ReadPassphrase(writeFile(t, "correct horse", 0o644)); !errors.Is(err, ErrMode) {
		t.Errorf("a file open to others: %v", err)
	}
}

// TestReadAll reads from sources that end and break in odd places.
func TestReadAll(t *testing.T) {
	for n := range 6 {
		got, err := readAll(bytes.NewReader(run(0, n)), 4)
		if want := run(0, n); (err == nil) != (n > 0 && n < 5) || err == nil && !bytes.Equal(got, want) {
			t.Errorf("%d bytes: %x, %v", n, got, err)
		}
	}
	broken := &fs.PathError{Op: "read", Path: "x", Err: syscall.EIO}
	if _, err := readAll(errReader{broken}, 4); !errors.Is(err, syscall.EIO) {
		t.Errorf("a disk error: %v", err)
	}
}

type errReader struct{ err error }

func (r errReader) Read([]byte) (int, error) { return 0, r.err }
