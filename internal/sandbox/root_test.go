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
