package arch

import (
	"fmt"
	"go/ast"
	"path"
	"slices"
	"strconv"
	"strings"
)

// call is something library code leaves to the command, or to one room.
type call struct {
	pkg   string   // import path; "" for a builtin
	funcs []string // names; nil for all of the package
	rooms []string // rooms and packages that may; "main" stands for programs in any room
	use   string
}

// calls is the list of manners. Tests are free of it.
var calls = []call{
	{"", []string{"print", "println"}, nil, "use log/slog"},
	{"fmt", []string{"Print", "Printf", "Println"}, []string{"main"}, "use log/slog, or fmt.Fprintf on a writer the caller gives"},
	{"log", nil, nil, "use log/slog"},
	{"math/rand", nil, nil, "use crypto/rand, or math/rand/v2 where a guess does no harm"},
	{"os", []string{"Exit"}, []string{"main"}, "return an error; only a program's main ends the process"},
	{"os", []string{"Getenv", "LookupEnv", "Environ"}, []string{"main", "config", "sandbox", "crash"}, "take the value from config.Config"},
	{"os", []string{"Stdout", "Stderr", "Stdin"}, []string{"main", "sandboxtest"}, "take an io.Writer or io.Reader from the caller"},
	{"net/http", []string{"Handle", "HandleFunc", "DefaultServeMux", "DefaultClient", "Get", "ListenAndServe"}, nil, "use a mux, client or server of your own, with limits"},
	{"context", []string{"TO" + "DO"}, nil, "take a context from the caller"},
}

// findCalls finds what only a command, or one room, may do, and init functions, which nobody calls.
func findCalls(r *repo) []finding {
	var found []finding
	for _, f := range r.code {
		if f.test {
			continue
		}
		names := importNames(f)
		for _, d := range f.syntax.Decls {
			if d, ok := d.(*ast.FuncDecl); ok && d.Recv == nil && d.Name.Name == "init" {
				found = append(found, finding{f.path, r.line(d.Pos()), "func init", "give a variable its value where it is declared"})
			}
		}
		ast.Inspect(f.syntax, func(n ast.Node) bool {
			pkg, name, ok := selected(n, names)
			if !ok {
				return true
			}
			if c := forbidden(pkg, name, f); c != nil {
				found = append(found, finding{f.path, r.line(n.Pos()), strings.TrimPrefix(pkg+"."+name, "."), c.use})
			}
			return true
		})
	}
	return found
}

// forbidden returns the line of calls that keeps f from using pkg.name.
func forbidden(pkg, name string, f *goFile) *call {
	for i, c := range calls {
		if c.pkg == pkg && (c.funcs == nil || slices.Contains(c.funcs, name)) &&
			!slices.Contains(c.rooms, roomOf(f.dir)) && !slices.Contains(c.rooms, f.syntax.Name.Name) {
			return &calls[i]
		}
	}
	return nil
}

// selected returns the package and name that n uses: fmt.Println as
// ("fmt", "Println"), a call of println as ("", "println").
func selected(n ast.Node, names map[string]string) (pkg, name string, ok bool) {
	switch n := n.(type) {
	case *ast.CallExpr:
		id, ok := n.Fun.(*ast.Ident)
		if ok {
			return "", id.Name, true
		}
	case *ast.SelectorExpr:
		x, ok := n.X.(*ast.Ident)
		if ok && names[x.Name] != "" {
			return names[x.Name], n.Sel.Name, true
		}
	}
	return "", "", false
}

// importNames maps the names a file gives to its imports to their paths.
func importNames(f *goFile) map[string]string {
	names := map[string]string{}
	for _, spec := range f.syntax.Imports {
		p, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			continue
		}
		name := path.Base(p)
		if isVersion(name) {
			name = path.Base(path.Dir(p))
		}
		if spec.Name != nil {
			name = spec.Name.Name
		}
		names[name] = p
	}
	return names
}

// isVersion reports whether a path element is a major version such as v2.
func isVersion(s string) bool {
	if len(s) < 2 || s[0] != 'v' {
		return false
	}
	_, err := strconv.Atoi(s[1:])
	return err == nil
}

// funcName names a declared function as a reader would: Conn.Close or Dial.
func funcName(d *ast.FuncDecl) string {
	if d.Recv == nil || len(d.Recv.List) == 0 {
		return d.Name.Name
	}
	t := d.Recv.List[0].Type
	if star, ok := t.(*ast.StarExpr); ok {
		t = star.X
	}
	if generic, ok := t.(*ast.IndexExpr); ok {
		t = generic.X
	}
	return fmt.Sprintf("%s.%s", t, d.Name.Name)
}
