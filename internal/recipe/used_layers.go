package recipe

import (
	"slices"
	"strings"

	"tunic/internal/catalog"
	"tunic/internal/sql/ast"
)

// NoteLayers notes the columns that a stored statement reads and whose names may be those of
// layers. What it stores it does not read, and nothing is found by what it returns.
func (r *Run) NoteLayers(root ast.Node) {
	_ = ast.Walk(func(n ast.Node) (bool, error) {
		switch n := n.(type) {
		case *ast.UpdateExpr:
			r.NoteLayers(n.Expr)
			return false, nil
		case *ast.AliasedExpr:
			_, returned := n.Expr.(*ast.ColName)
			return !returned, nil
		case *ast.ColName:
			if name := strings.ToLower(n.Name.String()); strings.Contains(name, "$") && !slices.Contains(r.layerNames, name) {
				r.layerNames = append(r.layerNames, name)
			}
		}
		return true, nil
	}, root)
}

// FindUsed finds the layers that it, and those that may take its place, have the server
// read. Two tables may have layers of one name: then both are taken to be read.
func (r *Run) FindUsed() {
	for _, t := range r.Tables {
		for i := range t.Columns {
			for _, l := range t.Columns[i].Layers {
				if l.State == catalog.Ready && slices.Contains(r.layerNames, strings.ToLower(l.Stored)) {
					r.Used = append(r.Used, Used{t, i, l.Capability})
				}
			}
		}
	}
	r.layerNames = nil
	for _, other := range r.Others() {
		other.FindUsed()
	}
}
