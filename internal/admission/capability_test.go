package admission

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"tunic/internal/wire"
)

// TestCapabilitiesDocumented: docs/wire.md has each capability in one row, and says of those that tunic
// never offers, and of no others, that they are not offered.
func TestCapabilitiesDocumented(t *testing.T) {
	text, err := os.ReadFile("../../docs/wire.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, ok := strings.Cut(string(text), "\n| capability | |\n|---|---|\n")
	if !ok {
		t.Fatal("docs/wire.md has no table of capabilities")
	}
	table, _, _ = strings.Cut(table, "\n\n")
	kept := map[string]bool{}
	for row := range strings.SplitSeq(table, "\n") {
		names, what, _ := strings.Cut(strings.TrimPrefix(row, "|"), " | ")
		for _, name := range regexp.MustCompile("`([A-Z_0-9]+)`").FindAllStringSubmatch(names, -1) {
			if _, twice := kept[name[1]]; twice {
				t.Errorf("%s is there twice", name[1])
			}
			kept[name[1]] = strings.HasPrefix(what, "not offered")
		}
	}
	const ever = offered | wire.ClientDeprecateEOF | wire.ClientSSL | compressions
	for bit := wire.Capability(1); bit.String() != ""; bit <<= 1 {
		name := strings.TrimPrefix(bit.String(), "MARIADB_")
		not, ok := kept[name]
		if !ok || not == ever.Has(bit) {
			t.Errorf("%s: in the document: %t, not offered there: %t, offered: %t", name, ok, not, ever.Has(bit))
		}
		delete(kept, name)
	}
	for name := range kept {
		t.Errorf("there is no capability %s", name)
	}
}
