package arch

import (
	"fmt"
	"go/ast"
	"path"
	"regexp"
	"slices"
	"strings"
)

// placesHeading is above the part of ARCHITECTURE.md that says where changes go.
const placesHeading = "## Where to add things"

var (
	// itemPattern begins a passage of its own: an item of a list, a row of a table, a heading.
	itemPattern = regexp.MustCompile(`^(?:\d+\.|-|\||#)`)
	// testPattern is the name of a test, barePattern that of a Go file without its folder.
	testPattern = regexp.MustCompile(`\bTest[A-Z]\w*`)
	barePattern = regexp.MustCompile(`(?:^|[^/\w*])([a-z]\w*\.go)\b`)
	// folderPattern is a file or folder of ours in a code span, in a command as well, and with stars in the name of a file.
	folderPattern = regexp.MustCompile(`(?:^|\./)((?:internal|cmd|deploy|docs|test|scripts)/[\w./*-]*\w)`)
	// declaredPattern is a code span that may name a declaration: a word alone, two with a dot, or one with capitals in it.
	declaredPattern = regexp.MustCompile(`^[a-z]{4,}$|^(?:[A-Za-z]\w*\.)?[a-z]+[A-Z]\w*$|^(?:[A-Za-z]\w*\.)[a-z]\w*$|^(?:[A-Z]\w*\.)?[A-Z]+[a-z]\w*$`)
)

// passage is a paragraph, an item of a list or a row of a table.
type passage struct {
	number int // of its first line
	text   string
}

// findPlaces looks up what the document says of where changes go: Go files, tests and declarations that a passage
// names are in a folder that it names as well.
func findPlaces(r *repo) []finding {
	var found []finding
	names := r.declarations()
	for _, p := range r.document(mapPath).passages(placesHeading) {
		dirs := r.foldersOf(p)
		missing := func(what string, there func(dir string) bool) {
			if !slices.ContainsFunc(dirs, there) {
				found = append(found, finding{mapPath, p.number, fmt.Sprintf("%s is in no folder that is named beside it", what), "name what is, and its folder"})
			}
		}
		for _, m := range barePattern.FindAllStringSubmatch(p.text, -1) {
			missing(m[1], func(dir string) bool { return r.exists(path.Join(dir, m[1])) })
		}
		for _, test := range testPattern.FindAllString(p.text, -1) {
			missing(test, func(dir string) bool { return names[dir][test] })
		}
		for _, m := range spanPattern.FindAllStringSubmatch(p.text, -1) {
			if name := m[1]; declaredPattern.MatchString(name) && !barePattern.MatchString(name) {
				missing(name, func(dir string) bool { return names[dir][name] })
			}
		}
	}
	return found
}

// passages are those below a heading, up to the next one of its level.
func (d *document) passages(heading string) []passage {
	var all []passage
	within, begins := false, true
	for _, l := range d.prose {
		if strings.HasPrefix(l.text, "## ") {
			within = l.text == heading
		}
		switch {
		case !within:
		case l.text == "":
			begins = true
		case begins || itemPattern.MatchString(l.text):
			all, begins = append(all, passage{l.number, l.text}), false
		default:
			all[len(all)-1].text += "\n" + strings.TrimSpace(l.text)
		}
	}
	return all
}

// foldersOf are the folders that a passage names, by themselves or by a file in them.
func (r *repo) foldersOf(p passage) (dirs []string) {
	for _, m := range spanPattern.FindAllStringSubmatch(p.text, -1) {
		if m = folderPattern.FindStringSubmatch(m[1]); m == nil {
			continue
		}
		if !r.dirs[m[1]] {
			m[1] = path.Dir(m[1])
		}
		dirs = append(dirs, m[1])
	}
	return dirs
}

// declarations are the names that each folder declares, those of tests included: a method as Type.Name and by itself.
func (r *repo) declarations() map[string]map[string]bool {
	all := map[string]map[string]bool{}
	for _, f := range r.code {
		if all[f.dir] == nil {
			all[f.dir] = map[string]bool{}
		}
		for _, d := range f.syntax.Decls {
			exports(nil).enter(all[f.dir], d)
			if function, ok := d.(*ast.FuncDecl); ok {
				all[f.dir][function.Name.Name] = true
			}
		}
	}
	return all
}
