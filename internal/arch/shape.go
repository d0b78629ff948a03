package arch

import (
	"fmt"
	"go/ast"
)

// Limits of what a reader takes in at once, in lines. The median function has
// about ten; the limits are for the few that read better in one piece.
const (
	funcLinesMax     = 60
	testFuncLinesMax = 120 // tests may carry their table
	fileLinesMax     = 500
	testFileLinesMax = 1000
)

// findShape finds functions and files that are too long.
func findShape(r *repo) []finding {
	var found []finding
	for _, f := range r.code {
		if ast.IsGenerated(f.syntax) {
			continue
		}
		funcMax, fileMax := funcLinesMax, fileLinesMax
		if f.test {
			funcMax, fileMax = testFuncLinesMax, testFileLinesMax
		}
		if f.lines > fileMax {
			found = append(found, finding{f.path, 0, fmt.Sprintf("%d lines in a file", f.lines), fmt.Sprintf("split it by subject, at most %d", fileMax)})
		}
		for _, d := range f.syntax.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok {
				continue
			}
			if n := r.line(fn.End()) - r.line(fn.Pos()) + 1; n > funcMax {
				found = append(found, finding{f.path, r.line(fn.Pos()), fmt.Sprintf("%s has %d lines", funcName(fn), n), fmt.Sprintf("name its steps, at most %d", funcMax)})
			}
		}
	}
	return found
}
