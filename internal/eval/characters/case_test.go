package characters

import (
	"testing"
	"unicode"
)

// TestCaseTableOf looks letters up whose other case Unicode has not changed, and what
// has none.
func TestCaseTableOf(t *testing.T) {
	for name, table := range caseTables() {
		for _, r := range "äÄßéЖжΩω日本🎉🏳️" {
			if got, ok := table.of(r, true); !ok || got != unicode.ToUpper(r) {
				t.Errorf("%s: upper case of %q is %q", name, r, got)
			}
			if got, ok := table.of(r, false); !ok || got != unicode.ToLower(r) {
				t.Errorf("%s: lower case of %q is %q", name, r, got)
			}
		}
	}
	if len(caseTables()) != 5 {
		t.Errorf("%d tables", len(caseTables()))
	}
}
