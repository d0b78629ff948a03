package structure

import (
	"fmt"
	"go/ast"
	"go/types"
	"iter"
	"regexp"
	"slices"
	"strings"
)

// A Step is one function of the path that a query takes, as ARCHITECTURE.md tells it.
type Step struct {
	Package string // of internal, as in "sql/lex"
	Func    string // "Session.query" is a method, "decide" a function
}

// pathLine is a line of the path block: a package, a function, and what it does.
var pathLine = regexp.MustCompile(`^(\S+)\s+(\S+)\s+\S`)

// ReadPath reads the block ```path of a document.
func ReadPath(document string) ([]Step, error) {
	_, block, found := strings.Cut(document, "```path\n")
	block, _, closed := strings.Cut(block, "```")
	if !found || !closed {
		return nil, fmt.Errorf("no block ```path")
	}
	var steps []Step
	for line := range strings.Lines(block) {
		m := pathLine.FindStringSubmatch(line)
		if m == nil {
			return nil, fmt.Errorf("no package, function and text: %s", line)
		}
		steps = append(steps, Step{m[1], m[2]})
	}
	return steps, nil
}

// between is how many functions of its own package may stand between a step and what it calls: those that have
// one thing to do on the way, such as planning again.
const between = 4

// Broken returns the steps but the first that no earlier one calls, and those that are not there, in the module
// in dir.
func Broken(dir string, steps []Step) ([]Step, error) {
	var patterns []string
	for _, s := range steps {
		if p := "./internal/" + s.Package; !slices.Contains(patterns, p) {
			patterns = append(patterns, p)
		}
	}
	all, exports, err := list(dir, patterns)
	if err != nil {
		return nil, err
	}
	calls := map[string][]string{}
	for _, l := range all {
		if l.DepOnly {
			continue
		}
		c, err := check(l, exports)
		if err != nil {
			return nil, err
		}
		c.calls(calls)
	}
	var broken []Step
	module := all[len(all)-1].Module.Path
	name := func(s Step) string { return module + "/internal/" + s.Package + "." + s.Func }
	reached := map[string]bool{}
	for i, s := range steps {
		if _, there := calls[name(s)]; !there || i > 0 && !reached[name(s)] {
			broken = append(broken, s)
		}
		reach(calls, name(s), between, reached)
	}
	return broken, nil
}

// reach notes what a function calls, itself or through so many functions of its own package.
func reach(calls map[string][]string, from string, depth int, reached map[string]bool) {
	for _, to := range calls[from] {
		reached[to] = true
		if depth > 0 && packageOf(to) == packageOf(from) {
			reach(calls, to, depth-1, reached)
		}
	}
}

// packageOf is the package in a function's full name.
func packageOf(name string) string {
	slash := strings.LastIndexByte(name, '/')
	return name[:slash+1+strings.IndexByte(name[slash+1:], '.')]
}

// calls adds for each function of the package which functions it names.
func (c *checked) calls(all map[string][]string) {
	for from, body := range c.bodies() {
		all[from] = append(all[from], c.named(body)...)
	}
}

// bodies are the functions of the package that have one, by their full names.
func (c *checked) bodies() iter.Seq2[string, *ast.BlockStmt] {
	return func(yield func(string, *ast.BlockStmt) bool) {
		for _, f := range c.files {
			for _, d := range f.Decls {
				decl, ok := d.(*ast.FuncDecl)
				if ok && decl.Body != nil && !yield(fullName(c.info.Defs[decl.Name].(*types.Func)), decl.Body) {
					return
				}
			}
		}
	}
}

// named are the functions that a body names.
func (c *checked) named(body ast.Node) (all []string) {
	ast.Inspect(body, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			if f, ok := c.info.Uses[id].(*types.Func); ok && f.Pkg() != nil {
				all = append(all, fullName(f))
			}
		}
		return true
	})
	return all
}

// fullName is the name of a function with its package, and its type if it is a method.
func fullName(f *types.Func) string {
	name := f.Name()
	if recv := f.Signature().Recv(); recv != nil {
		t := recv.Type()
		if p, ok := t.(*types.Pointer); ok {
			t = p.Elem()
		}
		if n, ok := types.Unalias(t).(*types.Named); ok {
			name = n.Obj().Name() + "." + name
		}
	}
	return f.Pkg().Path() + "." + name
}
