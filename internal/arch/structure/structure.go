// Package structure measures how far the files of each package hang together: which part of a package is one
// cycle, in which every file needs every other, and so can be neither read nor tested alone. It type-checks
// the packages with what the compiler has said of their imports, and asks nothing of their tests. It says how
// things are; the test beside it says how they may become.
package structure

import (
	"bytes"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// A Package is what was measured of one package, without its tests.
type Package struct {
	Path  string // of the import, without that of the module
	Files int
	Lines int // of all files

	CycleFiles int // in its largest cycle of files
	CycleLines int

	Largest string // the type with the most methods
	Methods int    // how many it has

	Imports []string // the module's own packages, by their Path

	types *types.Package
}

// Share is the part of the lines that is in the largest cycle, in percent, rounded up.
func (p Package) Share() int {
	if p.Lines == 0 {
		return 0
	}
	return (100*p.CycleLines + p.Lines - 1) / p.Lines
}

// listed is what go list says of a package.
type listed struct {
	ImportPath, Dir, Export string
	GoFiles                 []string
	DepOnly                 bool
	Module                  *struct{ Path string }
}

// list asks go list, which compiles what the packages import. exports are the files with what the compiler has
// said of each, by its path.
func list(dir string, patterns []string) (all []listed, exports map[string]string, err error) {
	c := exec.Command("go", append([]string{"list", "-export", "-deps", "-json=ImportPath,Dir,Export,GoFiles,DepOnly,Module"}, patterns...)...)
	c.Dir = dir
	var said bytes.Buffer
	c.Stderr = &said
	out, err := c.Output()
	if err != nil {
		return nil, nil, fmt.Errorf("go list: %w: %s", err, said.Bytes())
	}
	exports = map[string]string{}
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var l listed
		switch err := d.Decode(&l); err {
		case nil:
			all, exports[l.ImportPath] = append(all, l), l.Export
		case io.EOF:
			return all, exports, nil
		default:
			return nil, nil, fmt.Errorf("go list: %w", err)
		}
	}
}

// checked is a package that has been type-checked.
type checked struct {
	fset  *token.FileSet
	files []*ast.File
	info  *types.Info
	pkg   *types.Package
}

// check type-checks one package.
func check(l listed, exports map[string]string) (*checked, error) {
	c := &checked{fset: token.NewFileSet(), info: &types.Info{Uses: map[*ast.Ident]types.Object{}, Defs: map[*ast.Ident]types.Object{}, Selections: map[*ast.SelectorExpr]*types.Selection{}}}
	for _, name := range l.GoFiles {
		f, err := parser.ParseFile(c.fset, filepath.Join(l.Dir, name), nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		c.files = append(c.files, f)
	}
	imports := importer.ForCompiler(c.fset, "gc", func(path string) (io.ReadCloser, error) { return os.Open(exports[path]) })
	var err error
	if c.pkg, err = (&types.Config{Importer: imports}).Check(l.ImportPath, c.fset, c.files, c.info); err != nil {
		return nil, fmt.Errorf("%s: %w", l.ImportPath, err)
	}
	return c, nil
}

// measure measures one package.
func measure(l listed, c *checked) Package {
	p := Package{types: c.pkg, Path: strings.TrimPrefix(l.ImportPath, l.Module.Path+"/"), Files: len(c.files)}
	lines := make([]int, len(c.files))
	for i, f := range c.files {
		lines[i] = c.fset.File(f.Pos()).LineCount()
		p.Lines += lines[i]
	}
	for _, i := range c.pkg.Imports() {
		if own, ok := strings.CutPrefix(i.Path(), l.Module.Path+"/"); ok {
			p.Imports = append(p.Imports, own)
		}
	}
	slices.Sort(p.Imports)
	cycle := largest(components(c.references()), lines)
	for _, i := range cycle {
		p.CycleFiles++
		p.CycleLines += lines[i]
	}
	p.Largest, p.Methods = mostMethods(c.pkg)
	return p
}

// references returns for each file which others it refers to: to a name that they declare for the whole
// package, a method or a field.
func (c *checked) references() [][]int {
	number := map[*token.File]int{}
	for i, f := range c.files {
		number[c.fset.File(f.Pos())] = i
	}
	of := make([][]int, len(c.files))
	for id, object := range c.info.Uses {
		if object.Pkg() != c.pkg || !shared(object, c.pkg) {
			continue
		}
		from, to := number[c.fset.File(id.Pos())], number[c.fset.File(object.Pos())]
		if from != to && !slices.Contains(of[from], to) {
			of[from] = append(of[from], to)
		}
	}
	for _, to := range of {
		slices.Sort(to)
	}
	return of
}

// shared says whether an object is known beyond the function that declares it.
func shared(object types.Object, pkg *types.Package) bool {
	switch o := object.(type) {
	case *types.Func:
		return true
	case *types.Var:
		return o.IsField() || o.Parent() == pkg.Scope()
	}
	return object.Parent() == pkg.Scope()
}

// mostMethods returns the name of the type with the most methods, the first of its like.
func mostMethods(pkg *types.Package) (name string, methods int) {
	for _, n := range pkg.Scope().Names() {
		t, ok := pkg.Scope().Lookup(n).(*types.TypeName)
		if !ok || t.IsAlias() {
			continue
		}
		if named, ok := t.Type().(*types.Named); ok && named.NumMethods() > methods {
			name, methods = n, named.NumMethods()
		}
	}
	return name, methods
}
