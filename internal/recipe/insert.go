package recipe

import (
	"tunic/internal/guard"
	"tunic/internal/sql"
	"tunic/internal/sql/ast"
)

// Insert adds rows to the Run's table: INSERT, REPLACE and LOAD DATA.
type Insert struct {
	Rows Rows
	// Guards are what the definition of the table holds rows to; nil if there is nothing. Given are
	// the values that they read of plain columns.
	Guards *guard.Set
	Given  []Given
	// Updates says that it has ON DUPLICATE KEY UPDATE. Upsert is what is done with
	// rows that are there already, and Remote the INSERT alone; nil if the server does all of
	// it.
	Updates bool
	Upsert  *Upsert
}

// Rows are where the rows of an Insert come from: one of the types below.
type Rows interface {
	// added is what is needed to add them; nil where they stand in Remote.
	added() *Added
}

// TextRows are those of the statement's text.
type TextRows struct {
	// Sequences are the values of sequences that the rows have, in the order in
	// which a server takes them: that of parameter FirstSequence + i is the i-th.
	Sequences []Sequence
}

// QueryRows are those of a query: a Run with a Tree. The cells of Added are its columns.
type QueryRows struct {
	Added
	Of *Run
	// Deprecated is how often VALUES() is used in an ON DUPLICATE KEY UPDATE that the server does; see Upsert.
	Deprecated int
}

// Added are rows that come from elsewhere than the text. Those of Run.Remote are one, of the group
// sql.QueryRows, whose cells are Into.
type Added struct {
	// Into are the columns of the table that the cells are for.
	Into []int
	// Probe is an INSERT of nothing but the table's fence, which is explained and not run
	// before the first rows are sent, in their transaction: the server then
	// holds its lock on the table's definition until they all are. nil without a fence; one
	// that is not named (catalog.Table.UnnamedFence) has another column stand for it.
	Probe *sql.Printed
}

func (*TextRows) added() *Added { return nil }

func (a *Added) added() *Added { return a }

// Load is what is done with a file of the client's whose lines are rows: LOAD DATA LOCAL.
type Load struct {
	Added
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
