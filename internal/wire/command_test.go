package wire

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// TestCommandsDocumented: docs/wire.md has each command that has a name in one row, and says of those that
// tunic does not pass on, and of no others, that they are refused.
func TestCommandsDocumented(t *testing.T) {
	text, err := os.ReadFile("../../docs/wire.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, ok := strings.Cut(string(text), "\n## Commands\n\n| command | |\n|---|---|\n")
	if !ok {
		t.Fatal("docs/wire.md has no table of commands")
	}
	table, _, _ = strings.Cut(table, "\n\n")
	told := map[string]bool{}
	for row := range strings.SplitSeq(table, "\n") {
		names, what, _ := strings.Cut(strings.TrimPrefix(row, "|"), " | ")
		for _, name := range regexp.MustCompile("`([A-Z_]+)`").FindAllStringSubmatch(names, -1) {
			if _, twice := told[name[1]]; twice {
				t.Errorf("%s is there twice", name[1])
			}
			told[name[1]] = strings.HasPrefix(what, "refused")
		}
	}
	for b := range 256 {
		command := Command(b)
		if command.String() == "unknown" {
			continue
		}
		refused, ok := told[command.String()]
		if !ok || refused == command.Known() {
			t.Errorf("%s: in the document: %t, refused there: %t, passed on: %t", command, ok, refused, command.Known())
		}
		delete(told, command.String())
	}
	for name := range told {
		t.Errorf("there is no command %s", name)
	}
}
