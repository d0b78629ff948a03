package description

import (
	"slices"

	"tunic/internal/backend"
	"tunic/internal/value"
	"tunic/internal/wire"
)

// Describer asks the server how it describes a statement: what it answers to
// COM_STMT_PREPARE. What it is asked is over twins and holds no value of a client.
type Describer interface {
	// Describe returns the definitions of the parameters and the columns: those of an
	// execution, if there is one, as of what follows the number in COM_STMT_EXECUTE. An error
	// of the server's is a *backend.AnswerError.
	Describe(statement, execution []byte, as backend.DescribeAs) (params, columns []wire.ColumnDefinition, err error)
}

// Description is how the server describes the logical statement.
type Description struct {
	Params, Columns []wire.ColumnDefinition
	// unnamed are the columns that have the text of an expression as their name: in
	// the client's statement it may be written otherwise.
	unnamed []unnamed
}

// ReadsAlike reports whether rows with some columns are read as a client would that knows the
// description; nil is known of an answer without rows.
func (d *Description) ReadsAlike(columns []wire.ColumnDefinition) bool {
	if d == nil {
		return len(columns) == 0
	}
	return slices.EqualFunc(d.Columns, columns, func(a, b wire.ColumnDefinition) bool {
		return a.Type == b.Type && a.Charset == b.Charset && (a.Flags^b.Flags)&UnsignedColumn == 0
	})
}

// BinaryCollation is the number of the collation of bytes, and of what is no text.
const BinaryCollation = 63

// UnsignedColumn is the flag of UNSIGNED in a definition (MySQL source documentation, "Column Definition Flags").
const UnsignedColumn = 1 << 5

// Params are the definitions of a client's n parameters: as the server
// has them, or else those that it has for a parameter of which it knows nothing.
func Params(d *Description, n int, flavor value.Flavor) []wire.ColumnDefinition {
	if d != nil && len(d.Params) == n {
		return d.Params
	}
	const binaryFlag = 1 << 7
	unknown := wire.TypeVarString
	if flavor == value.MariaDB {
		unknown = wire.TypeNull
	}
	all := make([]wire.ColumnDefinition, n)
	for i := range all {
		all[i] = wire.ColumnDefinition{
			Catalog: []byte("def"), Name: []byte("?"), Charset: BinaryCollation, Type: unknown, Flags: binaryFlag,
		}
	}
	return all
}
