package arch

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// library is one line of the libraries block of ARCHITECTURE.md:
//
//	import/path   room room …   # reason
//
// The word "tests" stands for the tests of every room.
type library struct {
	path  string
	rooms []string
	line  int
	used  bool
}

// findLibraries holds imports of other modules to the libraries block.
func findLibraries(r *repo) []finding {
	libraries := readLibraries(r.document(mapPath).block("libraries"))
	var found []finding
	for _, f := range r.code {
		lines := f.imports(r.fset)
		for _, p := range slices.Sorted(maps.Keys(lines)) {
			if !isOutside(r.module, p) {
				continue
			}
			if fact, use := judgeLibrary(libraries, f, p); fact != "" {
				found = append(found, finding{f.path, lines[p], fact, use})
			}
		}
	}
	for _, l := range libraries {
		if !l.used {
			found = append(found, finding{mapPath, l.line, l.path + " is listed and nothing imports it", "take the line out"})
		}
	}
	return found
}

// readLibraries parses the block, longest paths first, so that the most
// particular line decides.
func readLibraries(lines []line) []*library {
	var found []*library
	for _, l := range lines {
		text, _, _ := strings.Cut(l.text, "#")
		if f := strings.Fields(text); len(f) > 0 {
			found = append(found, &library{path: f[0], rooms: f[1:], line: l.number})
		}
	}
	slices.SortStableFunc(found, func(a, b *library) int { return len(b.path) - len(a.path) })
	return found
}

// isOutside reports whether p is of neither the standard library nor module.
func isOutside(module, p string) bool {
	first, _, _ := strings.Cut(p, "/")
	return strings.Contains(first, ".") && p != module && !strings.HasPrefix(p, module+"/")
}

// judgeLibrary returns what is wrong with f importing p, "" if nothing is.
func judgeLibrary(libraries []*library, f *goFile, p string) (fact, use string) {
	room := roomOf(f.dir)
	for _, l := range libraries {
		if p != l.path && !strings.HasPrefix(p, l.path+"/") {
			continue
		}
		l.used = true
		inTest := f.test || isTestPackage(f.dir)
		if slices.Contains(l.rooms, room) || inTest && slices.Contains(l.rooms, "tests") {
			return "", ""
		}
		return fmt.Sprintf("%s imports %s, which is for %s", room, p, strings.Join(l.rooms, ", ")),
			"go through that room, or give the library to this one in " + mapPath
	}
	return fmt.Sprintf("%s is in no line of the libraries block", p),
		"use the standard library, or add the line and its reason to " + mapPath
}
