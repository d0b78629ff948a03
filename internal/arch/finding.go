package arch

import (
	"cmp"
	"fmt"
	"slices"
)

// finding is one place where the repository breaks a rule.
type finding struct {
	path string // slash-separated, relative to the root of the repository
	line int    // 1-based; 0 if the finding is about the file as a whole
	fact string // what is there
	use  string // what to do instead
}

func (f finding) String() string {
	if f.line == 0 {
		return fmt.Sprintf("%s: %s: %s", f.path, f.fact, f.use)
	}
	return fmt.Sprintf("%s:%d: %s: %s", f.path, f.line, f.fact, f.use)
}

// byPlace sorts findings by path, line and text, so that output is stable.
func byPlace(found []finding) []finding {
	slices.SortFunc(found, func(a, b finding) int {
		return cmp.Or(cmp.Compare(a.path, b.path), cmp.Compare(a.line, b.line), cmp.Compare(a.fact, b.fact))
	})
	return found
}
