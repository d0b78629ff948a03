package main

import (
	"bytes"
	"regexp"
	"strings"
	"testing"

	"github.com/alecthomas/kong"

	"tunic/docs"
	"tunic/internal/racetest"
	"tunic/internal/sqlerr"
)

// TestHelpExplains: every code and every page can be had, and none is another's.
func TestHelpExplains(t *testing.T) {
	racetest.InOrder(t)
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

// pageNamed is where a text names a page of the manual or a command.
var pageNamed = regexp.MustCompile(`tunic help ([a-z][a-z-]*(?:\.md)?)`)

// TestHelpNamesPages: where a text says that tunic help PAGE explains a thing, that shows the page, and not how
// the command of the same name is used.
func TestHelpNamesPages(t *testing.T) {
	racetest.InOrder(t)
	var texts []string
	for _, e := range sqlerr.Entries() {
		texts = append(texts, e.Explanation())
	}
	parser, err := kong.New(&commandLine{})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range commandNames(parser.Model.Node) {
		if c != "help" { // it says what both are
			texts = append(texts, helpOn(t, c))
		}
	}
	found := 0
	for _, text := range texts {
		for _, m := range pageNamed.FindAllStringSubmatch(strings.Join(strings.Fields(text), " "), -1) {
			found++
			if page, ok := docs.Page(m[1]); !ok || helpOn(t, m[1]) != page {
				t.Errorf("%s shows no page, in: %s", m[0], text)
			}
		}
	}
	if found < 10 {
		t.Errorf("%d pages are named", found)
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
