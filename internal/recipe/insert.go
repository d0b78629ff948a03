package recipe

import (
	"tunic/internal/sql"
	"tunic/internal/sql/ast"
)

// Load is what is done with a file of the client's whose lines are rows: LOAD DATA LOCAL.
// The rows of Run.Remote are one, of the group sql.QueryRows, whose cells are Run.Into.
type Load struct {
	File sql.FileLoad
	// Fields are what the fields of a line are for: the number of a cell, or behind those
	// of all cells that of a variable.
	Fields []int
	// Variables are the names of the variables, which are the statement's own.
	Variables []string
	// Set are the cells that are computed, in their order. Names are of columns, or of
	// variables, whose table is FileVariable.
	Set []LoadSet
}

// LoadSet is a cell that is computed.
type LoadSet struct {
	Cell int
	To   ast.Expr
}

// FileVariable is the table that variables of a LOAD DATA have in expressions. No table
// has such a name.
const FileVariable = "variable "

// VariableColumn is the name that a variable has there. No column has such a name.
func VariableColumn(variable string) string { return "\x00" + variable }

// Given is the value of a plain column in a row that is inserted, which guards are
// computed from as well. The server gets it as the client has written it.
type Given struct {
	Row, Column int
	Of          Operand
}

// Sequence is a value of a sequence in a row.
type Sequence struct {
	// Ask is the expression that the server is asked for.
	Ask string
	// Row is that of the statement's text, from 0, Group the group whose elements are its
	// rows: -1 for none.
	Row, Group int
}

// FirstSequence is the number of the first value of a sequence among the parameters of an
// INSERT; no statement has as many user variables.
const FirstSequence = sql.FirstVariable << 1
