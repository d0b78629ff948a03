package arch

import (
	"go/ast"
	"go/token"
	"regexp"
	"strings"
)

var (
	// pagePattern is a page of the manual by its path, as only the repository has it.
	pagePattern = regexp.MustCompile(`(?:^|[^\w/.])docs/([a-z][\w-]*)`)
	// helpPattern is a command of tunic's that shows one.
	helpPattern = regexp.MustCompile(`tunic help ([a-z][\w-]*)(\.md)?`)
)

// findPages looks for the paths of pages in texts of the binary: whoever has only that can
// read a page with tunic help, and nowhere else. What such a command names has to be there.
func findPages(r *repo) []finding {
	h, _ := r.house()
	verbs, _, _ := r.commandLine()
	var found []finding
	for _, f := range r.code {
		room := roomOf(f.dir)
		if f.test || isTestPackage(f.dir) || room != "cmd" && !h.below["cmd"][room] {
			continue
		}
		ast.Inspect(f.syntax, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.ImportSpec:
				return false
			case *ast.BasicLit:
				for _, fact := range judgePages(r, verbs, n) {
					found = append(found, finding{f.path, r.line(n.Pos()), fact, "name a page as tunic help PAGE"})
				}
			}
			return true
		})
	}
	return found
}

// judgePages says what is wrong with the pages that a literal names.
func judgePages(r *repo, verbs map[string]bool, lit *ast.BasicLit) []string {
	if lit.Kind != token.STRING {
		return nil
	}
	var facts []string
	for _, m := range pagePattern.FindAllStringSubmatch(lit.Value, -1) {
		facts = append(facts, "a text names docs/"+m[1]+", which whoever has the binary has not")
	}
	for _, m := range helpPattern.FindAllStringSubmatch(lit.Value, -1) {
		if isPage := r.exists("docs/" + m[1] + ".md"); !isPage && (m[2] != "" || !verbs[m[1]]) {
			facts = append(facts, strings.TrimSpace(m[0])+" shows nothing: there is no page and no command of the name")
		}
	}
	return facts
}
