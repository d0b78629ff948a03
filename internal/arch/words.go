package arch

import (
	"fmt"
	"go/ast"
	"go/token"
	"path"
	"regexp"
	"strings"
)

// wordsPath is the glossary. Its fenced block of language avoid has one line
// for each word the project does not use, and that of language retired one for
// each that no name in the code has any more:
//
//	word -> what to say instead
const wordsPath = "docs/words.md"

// avoided is one word the project does not use.
type avoided struct {
	pattern *regexp.Regexp
	word    string
	use     string
}

// findWords finds avoided words in comments and prose, and retired ones in the names
// that code declares. Strings of code and the code spans of prose are free: they quote others.
func findWords(r *repo) []finding {
	list, found := readAvoided(r.document(wordsPath), "avoid")
	retired, wrong := readAvoided(r.document(wordsPath), "retired")
	found = append(found, wrong...)
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
		found = append(found, judgeWords(retired, f.path, 1, apart(strings.TrimSuffix(path.Base(f.path), ".go")))...)
		for _, name := range declared(f.syntax) {
			found = append(found, judgeWords(retired, f.path, r.line(name.Pos()), apart(name.Name))...)
		}
	}
	return found
}

// readAvoided parses a block.
func readAvoided(d *document, language string) (list []avoided, found []finding) {
	for _, l := range d.block(language) {
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

// declared are the names that a file declares, of whatever.
func declared(f *ast.File) (names []*ast.Ident) {
	add := func(all ...ast.Expr) {
		for _, e := range all {
			if name, ok := e.(*ast.Ident); ok {
				names = append(names, name)
			}
		}
	}
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			names = append(names, n.Name)
		case *ast.TypeSpec:
			names = append(names, n.Name)
		case *ast.ValueSpec:
			names = append(names, n.Names...)
		case *ast.Field:
			names = append(names, n.Names...)
		case *ast.AssignStmt:
			if n.Tok == token.DEFINE {
				add(n.Lhs...)
			}
		case *ast.RangeStmt:
			if n.Tok == token.DEFINE {
				add(n.Key, n.Value)
			}
		}
		return true
	})
	return names
}

// wordStart is where a word begins within a name.
var wordStart = regexp.MustCompile(`([a-z0-9])([A-Z])|([A-Z])([A-Z][a-z])`)

// apart is a name as the words it is made of.
func apart(name string) string {
	return wordStart.ReplaceAllString(strings.ReplaceAll(name, "_", " "), "$1$3 $2$4")
}

// withoutCode drops code spans and link targets from a line of prose.
func withoutCode(text string) string {
	text = spanPattern.ReplaceAllString(text, "")
	return linkPattern.ReplaceAllString(text, "]")
}
