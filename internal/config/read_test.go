package config

import (
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"
)

// TestEveryFieldIsRead: some package reads each field of a Config by its name. A setting that is taken and
// does nothing would be a promise that nobody keeps.
func TestEveryFieldIsRead(t *testing.T) {
	read := namesRead(t)
	var look func(path string, of reflect.Type)
	look = func(path string, of reflect.Type) {
		for i := range of.NumField() {
			f := of.Field(i)
			if !f.IsExported() {
				continue
			}
			if !read[f.Name] {
				t.Errorf("%s.%s is read by no package", path, f.Name)
			}
			if f.Type.Kind() == reflect.Struct && f.Type.PkgPath() == of.PkgPath() {
				look(path+"."+f.Name, f.Type)
			}
		}
	}
	look("Config", reflect.TypeFor[Config]())
}

// namesRead are the names behind a dot in the code of other packages, tests left out.
func namesRead(t *testing.T) map[string]bool {
	t.Helper()
	names, selected := map[string]bool{}, regexp.MustCompile(`\.([A-Z]\w*)`)
	for _, root := range []string{"../../cmd", ".."} {
		err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return err
			case d.IsDir() && (d.Name() == "config" || d.Name() == "testdata"):
				return filepath.SkipDir
			case d.IsDir(), !strings.HasSuffix(path, ".go"), strings.HasSuffix(path, "_test.go"):
				return nil
			}
			text, err := os.ReadFile(path)
			for _, m := range selected.FindAllSubmatch(text, -1) {
				names[string(m[1])] = true
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return names
}
