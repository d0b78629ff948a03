package arch

import (
	"fmt"
	"go/ast"
	"path"
	"regexp"
	"slices"
	"strings"
)

var (
	// filePattern is a code span that names a file or folder of ours.
	filePattern = regexp.MustCompile(`^(?:internal|cmd|deploy|docs|tools|\.ci|test|scripts|bench)/[\w./-]*$`)
	// namePattern is a code span that names something a package exports.
	namePattern = regexp.MustCompile(`^([a-z]+)\.([A-Z]\w*)(?:\.([A-Z]\w*))?(?:\(\))?$`)
)

// findNames looks up the files and the exported names that documents mention
// in code spans.
func findNames(r *repo) []finding {
	exported := r.exported()
	var found []finding
	for _, d := range r.docs {
		for _, l := range d.spans() {
			p := strings.TrimSuffix(l.text, "/")
			if filePattern.MatchString(l.text) && !slices.Contains(skippedDirs, p) && !r.exists(p) {
				found = append(found, finding{d.path, l.number, l.text + " is not there", "name what is"})
			}
			if fact := exported.judge(l.text); fact != "" {
				found = append(found, finding{d.path, l.number, fact, "name what is"})
			}
		}
	}
	return found
}

// exports maps the last element of a package's path to what it exports, types
// with their methods and fields as Type.Name.
type exports map[string]map[string]bool

// judge returns what is wrong with a code span, "" if nothing is, or if it
// names nothing of ours.
func (e exports) judge(span string) string {
	m := namePattern.FindStringSubmatch(span)
	if m == nil || e[m[1]] == nil {
		return ""
	}
	name := m[2]
	if m[3] != "" {
		name += "." + m[3]
	}
	if !e[m[1]][name] {
		return fmt.Sprintf("package %s has no %s", m[1], name)
	}
	return ""
}

// exported collects the names of every package.
func (r *repo) exported() exports {
	e := exports{}
	for _, f := range r.code {
		if f.test {
			continue
		}
		base := path.Base(f.dir)
		if e[base] == nil {
			e[base] = map[string]bool{}
		}
		for _, d := range f.syntax.Decls {
			e.enter(e[base], d)
		}
	}
	return e
}

// enter adds the names of one declaration.
func (e exports) enter(names map[string]bool, d ast.Decl) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		names[funcName(d)] = true
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			switch spec := spec.(type) {
			case *ast.ValueSpec:
				for _, n := range spec.Names {
					names[n.Name] = true
				}
			case *ast.TypeSpec:
				names[spec.Name.Name] = true
				enterMembers(names, spec)
			}
		}
	}
}

// enterMembers adds the fields of a struct or the methods of an interface.
func enterMembers(names map[string]bool, spec *ast.TypeSpec) {
	var members *ast.FieldList
	switch t := spec.Type.(type) {
	case *ast.StructType:
		members = t.Fields
	case *ast.InterfaceType:
		members = t.Methods
	default:
		return
	}
	for _, m := range members.List {
		for _, n := range m.Names {
			names[spec.Name.Name+"."+n.Name] = true
		}
	}
}
