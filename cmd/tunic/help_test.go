package main

import (
	"bytes"
	"strings"
	"testing"

	"tunic/docs"
	"tunic/internal/sqlerr"
)

// TestHelpExplains: every code and every page can be had, and none is another's.
func TestHelpExplains(t *testing.T) {
	for _, e := range sqlerr.Entries() {
		for _, topic := range []string{e.Code.String(), strings.ToLower(e.Code.String()), strings.TrimPrefix(e.Code.String(), "TUNIC-")} {
			text := helpOn(t, topic)
			if !strings.HasPrefix(text, e.Code.String()+"\n\n") || !strings.Contains(strings.Join(strings.Fields(text), " "), strings.Join(strings.Fields("Fix: "+e.Fix+"."), " ")) {
				t.Errorf("tunic help %s prints %q", topic, text)
			}
			for line := range strings.Lines(text) {
				if n := len([]rune(line)); n > helpWidthMax+1 && strings.Contains(strings.TrimSpace(line), " ") {
					t.Errorf("tunic help %s has a line of %d: %s", topic, n, line)
				}
			}
		}
	}
	for _, name := range docs.Names() {
		page, _ := docs.Page(name)
		if got := helpOn(t, name+".md"); got != page || !strings.Contains(page, "\n# ") && !strings.HasPrefix(page, "# ") {
			t.Errorf("tunic help %s.md prints %.80q", name, got)
		}
	}
}

func helpOn(t *testing.T, topic string) string {
	t.Helper()
	var out, errors bytes.Buffer
	if err := run([]string{"help", topic}, &out, &errors); err != nil || errors.Len() > 0 {
		t.Fatalf("tunic help %s: %v %s", topic, err, errors.String())
	}
	return out.String()
}
