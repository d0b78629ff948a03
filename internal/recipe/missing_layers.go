package recipe

import (
	"tunic/internal/catalog"
	"tunic/internal/policy"
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
