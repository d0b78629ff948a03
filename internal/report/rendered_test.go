package report

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestRendered: the three renderings say the same. Text and page are made of what the JSON holds, without a
// server.
func TestRendered(t *testing.T) {
	for _, server := range []string{"mariadb", "mysql"} {
		read := func(ending string) []byte {
			t.Helper()
			file, err := os.ReadFile(filepath.Join("testdata", server+ending))
			if err != nil {
				t.Fatal(err)
			}
			return file
		}
		r := new(Report)
		if err := json.Unmarshal(read(".json"), r); err != nil {
			t.Fatal(err)
		}
		var text, page bytes.Buffer
		if err := r.WriteText(&text); err != nil {
			t.Fatal(err)
		}
		if err := r.WriteHTML(&page); err != nil {
			t.Fatal(err)
		}
		for ending, got := range map[string]string{".txt": text.String(), ".html": page.String()} {
			if diff := cmp.Diff(string(read(ending)), got); diff != "" {
				t.Errorf("%s%s: %s", server, ending, diff)
			}
		}
	}
}
