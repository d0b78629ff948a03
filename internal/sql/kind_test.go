package sql

import (
	"os"
	"strings"
	"testing"
)

// TestEachKindHasACase: testdata/golden/kinds shows a statement of each kind, with what it does to the session.
func TestEachKindHasACase(t *testing.T) {
	text, err := os.ReadFile("testdata/golden/kinds")
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range Kinds() {
		if k != Empty && !strings.Contains(string(text), "\n"+k.String()+": ") {
			t.Errorf("no case in testdata/golden/kinds has %s", k)
		}
	}
}
