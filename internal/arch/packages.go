package arch

import (
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
)

// packageCommentBytesMin is the shortest package comment that can explain a
// room: two short sentences.
const packageCommentBytesMin = 80

// drawerNames are names of packages that say nothing about what is inside.
var drawerNames = []string{"util", "utils", "common", "helper", "helpers", "misc", "lib", "base", "shared", "types", "models"}

// findPackages checks name and comment of every package.
func findPackages(r *repo) []finding {
	var found []finding
	folders := r.folders()
	for _, dir := range slices.Sorted(maps.Keys(folders)) {
		files := folders[dir]
		if slices.Contains(drawerNames, path.Base(dir)) {
			found = append(found, finding{files[0].path, 0, "a package named " + path.Base(dir), "name it after the one thing it holds"})
		}
		found = append(found, packageComment(r, dir, files)...)
	}
	return found
}

// folders groups the files that are not tests by folder.
func (r *repo) folders() map[string][]*goFile {
	folders := map[string][]*goFile{}
	for _, f := range r.code {
		if !f.test {
			folders[f.dir] = append(folders[f.dir], f)
		}
	}
	return folders
}

// packageComment checks that one file, and only one, explains the package.
func packageComment(r *repo, dir string, files []*goFile) []finding {
	var found []finding
	var first string
	for _, f := range files {
		if f.syntax.Doc == nil {
			continue
		}
		at := r.line(f.syntax.Doc.Pos())
		if first != "" {
			found = append(found, finding{f.path, at, "a second package comment, after that of " + first, "keep one, and join the texts there"})
			continue
		}
		first = f.path
		text := f.syntax.Doc.Text()
		if want := opening(dir, f); !strings.HasPrefix(text, want) {
			found = append(found, finding{f.path, at, "the package comment does not say whose it is", fmt.Sprintf("start it with %q", want)})
		}
		if len(text) < packageCommentBytesMin {
			found = append(found, finding{f.path, at, "a package comment too short to explain a room", "say what the room does, what it does not, and on what it stands"})
		}
	}
	if first == "" {
		found = append(found, finding{files[0].path, 0, "package " + path.Base(dir) + " has no package comment", "explain the room in doc.go or its main file"})
	}
	return found
}

// opening returns the words a package comment starts with.
func opening(dir string, f *goFile) string {
	if name := f.syntax.Name.Name; name != "main" {
		return "Package " + name + " "
	}
	return "Command " + path.Base(dir) + " "
}
