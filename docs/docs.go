// Package docs is the manual: the pages of this folder as they stand, in the binary, so that
// whoever has tunic has them, of the same version. `tunic help` prints them.
package docs

import (
	"embed"
	"strings"
)

//go:embed *.md
var pages embed.FS

const suffix = ".md"

// Page is a page by its name, such as "config" or "config.md", in Markdown.
func Page(name string) (text string, ok bool) {
	b, err := pages.ReadFile(strings.TrimSuffix(name, suffix) + suffix)
	return string(b), err == nil
}

// Names are the names of all pages, in their order, without ".md".
func Names() []string {
	files, err := pages.ReadDir(".")
	if err != nil {
		return nil // it has no other folder
	}
	names := make([]string, len(files))
	for i, f := range files {
		names[i] = strings.TrimSuffix(f.Name(), suffix)
	}
	return names
}
