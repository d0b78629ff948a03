package recipe

import "tunic/internal/policy"

// Cell is a column of what Remote returns. A plain column that a local step reads
// comes in a form that says all of its value:
//
//	kind              form
//	text, JSON        its bytes, in its own character set
//	FLOAT, DOUBLE     a DOUBLE
//	BIT, ENUM, SET    a number: the bits, the index of the label
//	TIMESTAMP         seconds since 1970
//	others            as they are
type Cell struct {
	// Column is the column of the table whose value or sealed form it is, the first one of a family; -1 for
	// an expression that the server has computed from plain columns.
	Column int
	Sealed bool // it is a sealed form
	Record bool // that of a family
	// Layer says that it is no value of the column but its token in this layer, of which nothing is read: the form of
	// the column's family, in the same row, has to have the value that it is of. 0 for any other cell.
	Layer policy.Capabilities
}

// Fetch is a value that is read of what Remote returns.
type Fetch struct {
	// Cell is the number of the cell that has it.
	Cell int
	// Column is the column whose value it is, -1 for an expression.
	Column int
	Opened bool // the cell is a sealed form
	// Key says that the server has put together the rows that have one token of this
	// column, a date.
	Key bool
	// Group says that it is what rows that were put together have in common.
	Group bool
}
