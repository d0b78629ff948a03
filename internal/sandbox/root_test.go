package sandbox

import (
	"os"
	"path/filepath"
	"testing"
)

// TestRootAbove: only this repository's own go.mod marks its root.
func TestRootAbove(t *testing.T) {
	top := t.TempDir()
	deep := filepath.Join(top, "a", "b")
	if err := os.MkdirAll(deep, 0o700); err != nil {
		t.Fatal(err)
	}
	write := func(dir, module string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte(module), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(filepath.Dir(deep), "module example.org/other\n\ngo 1.26\n")
	if root, ok := rootAbove(deep); ok {
		t.Errorf("%s is taken for the repository", root)
	}
	write(top, "module tunic\n\ngo 1.26\n")
	if root, ok := rootAbove(deep); !ok || root != top {
		t.Errorf("the root is %q, %t; want %s", root, ok, top)
	}
	if root, ok := findRoot(); !ok || !filepath.IsAbs(root) {
		t.Errorf("this repository's root is %q, %t", root, ok)
	}
}

// TestRunDir: temporary folders are made where TUNIC_RUN says, or below .tunic/run, and those that a killed
// process has left there are swept.
func TestRunDir(t *testing.T) {
	named := filepath.Join(t.TempDir(), "run")
	for _, c := range []struct{ env, want string }{{"", filepath.Join(StateDir(), "run")}, {named, named}} {
		t.Setenv("TUNIC_RUN", c.env)
		left := filepath.Join(c.want, "left-by-TestRunDir")
		if err := os.MkdirAll(left, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(left, ownerFile), nil, 0o600); err != nil {
			t.Fatal(err)
		}
		f, err := temporaryFolder("some")
		if err != nil {
			t.Fatal(err)
		}
		if got := filepath.Dir(f.path); got != c.want {
			t.Errorf("TUNIC_RUN=%s: the folder is in %s, want %s", c.env, got, c.want)
		}
		if _, err := os.Stat(left); !os.IsNotExist(err) {
			t.Errorf("TUNIC_RUN=%s: what a killed process has left: %v", c.env, err)
		}
		if err := f.release(); err != nil {
			t.Error(err)
		}
	}
}
