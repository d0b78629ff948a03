package arch

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// fileBytesMax bounds what is read of one file. Larger files are data.
const fileBytesMax = 1 << 20

// repo is a repository as the rules see it: its text files, its Go files
// parsed, its documents split into prose and code.
type repo struct {
	module string // module path from go.mod
	fset   *token.FileSet
	texts  []text    // every text file, in path order
	code   []*goFile // Go files of the main module outside testdata, in path order
	docs   []*document
	dirs   map[string]bool // every folder that was walked or skipped
}

// text is one file of text.
type text struct {
	path string
	body string
}

// goFile is one parsed Go file.
type goFile struct {
	path   string
	dir    string // folder, "." for the root
	test   bool   // ends in _test.go
	syntax *ast.File
	lines  int
}

// imports returns the paths the file imports with the line of each.
func (f *goFile) imports(fset *token.FileSet) map[string]int {
	lines := map[string]int{}
	for _, spec := range f.syntax.Imports {
		if p, err := strconv.Unquote(spec.Path.Value); err == nil {
			lines[p] = fset.Position(spec.Pos()).Line
		}
	}
	return lines
}

// skippedDirs are never read: built, fetched or private to one machine.
// Folders whose name starts with a dot are skipped too, except keptDirs.
var (
	skippedDirs = []string{"bin", "bench/out", "node_modules", "target", "__pycache__", "internal/arch/testdata"}
	keptDirs    = []string{".", ".ci", ".github"}
)

// readRepo reads the repository at the root of fsys.
func readRepo(fsys fs.FS) (*repo, error) {
	r := &repo{fset: token.NewFileSet(), dirs: map[string]bool{}}
	err := fs.WalkDir(fsys, ".", func(p string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
		case d.IsDir():
			return r.enter(p)
		case d.Type().IsRegular():
			err = r.read(fsys, p, d)
		}
		if p != "." && errors.Is(err, fs.ErrNotExist) {
			return nil // a passing file of a test that runs meanwhile
		}
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("arch: read repository: %w", err)
	}
	r.module = moduleOf(r.text("go.mod"))
	return r, r.parse(fsys)
}

// enter notes a folder and says whether to walk it.
func (r *repo) enter(p string) error {
	r.dirs[p] = true
	base := path.Base(p)
	hidden := strings.HasPrefix(base, ".") && !slices.Contains(keptDirs, p)
	if hidden || slices.Contains(skippedDirs, p) || slices.Contains(skippedDirs, base) {
		return fs.SkipDir
	}
	return nil
}

// read keeps the file if it is text of a sane size.
func (r *repo) read(fsys fs.FS, p string, d fs.DirEntry) error {
	info, err := d.Info()
	if err != nil {
		return err
	}
	if info.Size() > fileBytesMax {
		return nil
	}
	body, err := fs.ReadFile(fsys, p)
	if err != nil {
		return err
	}
	if utf8.Valid(body) && !strings.Contains(string(body), "\x00") {
		r.texts = append(r.texts, text{path: p, body: string(body)})
	}
	return nil
}

// parse turns Go files and documents into trees. Files under testdata and in
// nested modules are texts only.
func (r *repo) parse(fsys fs.FS) error {
	for _, t := range r.texts {
		switch {
		case strings.Contains(t.path, "testdata/"):
		case strings.HasSuffix(t.path, ".md"):
			r.docs = append(r.docs, readDocument(t))
		case strings.HasSuffix(t.path, ".go") && !nested(fsys, path.Dir(t.path)):
			f, err := parser.ParseFile(r.fset, t.path, t.body, parser.ParseComments|parser.SkipObjectResolution)
			if err != nil {
				return fmt.Errorf("arch: %w", err)
			}
			r.code = append(r.code, &goFile{
				path: t.path, dir: path.Dir(t.path), test: strings.HasSuffix(t.path, "_test.go"),
				syntax: f, lines: strings.Count(t.body, "\n"),
			})
		}
	}
	return nil
}

// nested reports whether dir belongs to a module other than the root's.
func nested(fsys fs.FS, dir string) bool {
	for ; dir != "."; dir = path.Dir(dir) {
		if _, err := fs.Stat(fsys, path.Join(dir, "go.mod")); err == nil {
			return true
		}
	}
	return false
}

// text returns the body of the file at p, "" if there is none.
func (r *repo) text(p string) string {
	for _, t := range r.texts {
		if t.path == p {
			return t.body
		}
	}
	return ""
}

// document returns the document at p, an empty one if there is none.
func (r *repo) document(p string) *document {
	for _, d := range r.docs {
		if d.path == p {
			return d
		}
	}
	return &document{path: p}
}

// exists reports whether p is a file or folder of the repository.
func (r *repo) exists(p string) bool {
	if r.dirs[p] {
		return true
	}
	return slices.ContainsFunc(r.texts, func(t text) bool { return t.path == p })
}

// line returns the line of pos.
func (r *repo) line(pos token.Pos) int { return r.fset.Position(pos).Line }

// moduleOf returns the module path a go.mod declares.
func moduleOf(gomod string) string {
	for line := range strings.Lines(gomod) {
		if f := strings.Fields(line); len(f) == 2 && f[0] == "module" {
			return f[1]
		}
	}
	return ""
}

// roomOf returns the room a folder belongs to: the first folder below
// internal, or else the first folder.
func roomOf(dir string) string {
	parts := strings.Split(dir, "/")
	if parts[0] == "internal" && len(parts) > 1 {
		return parts[1]
	}
	return parts[0]
}
