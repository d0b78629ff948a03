package arch

import (
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
)

// findLayers holds every import of a room of the house to the layers block.
//
// Tests and packages whose name ends in "test" may also import the rooms of the
// "tests" statement, and such packages. Other code may import neither those nor
// package testing: they would end up in the binary.
func findLayers(r *repo) []finding {
	h, found := r.house()
	for _, f := range r.code {
		lines := f.imports(r.fset)
		for _, p := range slices.Sorted(maps.Keys(lines)) {
			if fact, use := h.judge(r.module, f, p); fact != "" {
				found = append(found, finding{f.path, lines[p], fact, use})
			}
		}
	}
	return found
}

// judge returns what is wrong with file f importing p, "" if nothing is.
func (h *house) judge(module string, f *goFile, p string) (fact, use string) {
	room := roomOf(f.dir)
	helper := isTestPackage(f.dir)
	dir, own := strings.CutPrefix(p, module+"/")
	if !f.test && !helper {
		for _, b := range h.never {
			if b.high == room && !h.has(b.low) && (p == b.low || strings.HasPrefix(p, b.low+"/")) {
				return fmt.Sprintf("%s imports %s, which %s forbids", room, p, mapPath), "let a room above do that, and pass the result down"
			}
		}
		if p == "testing" || own && isTestPackage(dir) {
			return fmt.Sprintf("%s imports %s outside a test", f.dir, p), "move the code to a _test.go file or to a package named …test"
		}
	}
	if !own {
		return "", ""
	}
	low := roomOf(dir)
	switch {
	case low == room, h.below[room][low]:
		return "", ""
	case (f.test || helper) && (h.tests[low] || isTestPackage(dir)):
		return "", ""
	}
	return fmt.Sprintf("%s imports %s, which is not below it", room, dir),
		"put the code in a room that may import both, or redraw the layers block of " + mapPath
}

// isTestPackage reports whether dir holds a package that serves tests.
func isTestPackage(dir string) bool { return strings.HasSuffix(path.Base(dir), "test") }
