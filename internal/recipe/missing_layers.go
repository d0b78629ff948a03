package recipe

import (
	"slices"
	"strings"

	"tunic/internal/catalog"
	"tunic/internal/policy"
	"tunic/internal/sql/ast"
)

// MissingLayer is a layer that a column has not, with which the server would have done a part of
// the statement. It is found by the rules that EXPLAIN asks for its advice, once for each
// plan, so that an execution has only to count.
type MissingLayer struct {
	Table  *catalog.Table
	Column int // of Table
	Layer  policy.Capabilities
	// Allowed says that the layer is within the column's ceiling, Backfilling that it is on its
	// way.
	Allowed, Backfilling bool
	For                  LayerUse
	// Leaf is the leaf of the Tree whose rows it is about; 0 without a Tree.
	Leaf int
	// Share is how many layers would have to be there for the server to leave out the rows
	// that are left out here: each is taken to save a part of them. 0 says that nobody knows
	// what it would save, because no layer serves what else leaves rows out.
	Share int
}

// LayerUse is what the server would do with a layer.
type LayerUse uint8

// What a missing layer is for.
const (
	ForWhere LayerUse = iota // leave out rows
	ForGroup                 // put rows together: GROUP BY, DISTINCT
	ForOrder                 // sort, and stop at a LIMIT
	ForJoin                  // find the rows of one table by those of another
)

// Used is a layer that the server reads in a statement.
type Used struct {
	Table  *catalog.Table
	Column int
	Layer  policy.Capabilities
}

// NoteLayers notes the columns that a stored statement reads and whose names may be those of
// layers. What it stores it does not read.
func (r *Run) NoteLayers(root ast.Node) {
	_ = ast.Walk(func(n ast.Node) (bool, error) {
		switch n := n.(type) {
		case *ast.UpdateExpr:
			r.NoteLayers(n.Expr)
			return false, nil
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
