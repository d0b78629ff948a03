package difftest

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"tunic/internal/wire"
)

// uncompared are the commands that no line of the corpus sends, and why.
var uncompared = map[string]string{
	"COM_REFRESH":  "no driver of today sends it",
	"COM_SHUTDOWN": "it ends the server",
}

// TestEachCommandIsSent: each command that servers get is one of commandKinds, or is sent by what reads the corpus.
func TestEachCommandIsSent(t *testing.T) {
	sent := map[string]bool{"COMQUERY": true, "COMCHANGEUSER": true} // as wire.Query and wire.ChangeUser
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range regexp.MustCompile(`\bwire\.(Com[A-Z]\w*)`).FindAllStringSubmatch(string(text), -1) {
			if !strings.HasSuffix(file, "_test.go") {
				sent[strings.ToUpper(m[1])] = true
			}
		}
	}
	for b := range 256 {
		c := wire.Command(b)
		name := strings.ReplaceAll(strings.ReplaceAll(c.String(), "_SEND_", "_"), "_", "")
		if c.Known() && !sent[name] && uncompared[c.String()] == "" {
			t.Errorf("%s: no case can send it (commandKinds); say in uncompared why none has to", c)
		}
	}
}
