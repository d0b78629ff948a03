package arch

import (
	"fmt"
	"regexp"
	"strings"
)

// wordsPath is the glossary. Its fenced block of language avoid has one line
// for each word the project does not use:
//
//	word -> what to say instead
const wordsPath = "docs/words.md"

// avoided is one word the project does not use.
type avoided struct {
	pattern *regexp.Regexp
	word    string
	use     string
}

// findWords finds avoided words in comments and prose. Strings and identifiers
// of code and the code spans of prose are free: they quote others.
func findWords(r *repo) []finding {
	list, found := readAvoided(r.document(wordsPath))
	for _, d := range r.docs {
		if d.path == wordsPath || strings.HasPrefix(d.path, decisionsDir+"/") {
			continue // these speak about words and about other systems
		}
		for _, l := range d.prose {
			found = append(found, judgeWords(list, d.path, l.number, withoutCode(l.text))...)
		}
	}
	for _, f := range r.code {
		for _, group := range f.syntax.Comments {
			for _, c := range group.List {
				found = append(found, judgeWords(list, f.path, r.line(c.Pos()), c.Text)...)
			}
		}
	}
	return found
}

// readAvoided parses the block.
func readAvoided(d *document) (list []avoided, found []finding) {
	for _, l := range d.block("avoid") {
		word, use, ok := strings.Cut(l.text, "->")
		word = strings.TrimSpace(word)
		if !ok || word == "" {
			found = append(found, finding{d.path, l.number, fmt.Sprintf("%q avoids nothing", l.text), "write: word -> what to say instead"})
			continue
		}
		pattern := regexp.MustCompile(`(?i)\b` + regexp.QuoteMeta(word) + `(?:s|es|ed|ing)?\b`)
		list = append(list, avoided{pattern, word, strings.TrimSpace(use)})
	}
	return list, found
}

// judgeWords returns the avoided words of one line.
func judgeWords(list []avoided, p string, number int, text string) []finding {
	var found []finding
	for _, a := range list {
		if a.pattern.MatchString(text) {
			found = append(found, finding{p, number, fmt.Sprintf("the word %q", a.word), fmt.Sprintf("say %s (%s)", a.use, wordsPath)})
		}
	}
	return found
}

// withoutCode drops code spans and link targets from a line of prose.
func withoutCode(text string) string {
	text = spanPattern.ReplaceAllString(text, "")
	return linkPattern.ReplaceAllString(text, "]")
}
