package recipe

import (
	"tunic/internal/sql"
)

// First says, of a query whose LIMIT the server cannot take because it finds or sorts rows by
// tokens that several values share, how the rows that come tell when they are enough. Neither
// hangs on what the server does not know: see docs/decisions/0039.
type First struct {
	// Certain is the column, by its number in Fetch, that is true of a row which is one of the
	// answer, whatever shares its tokens; -1 if all rows are.
	Certain int
	// Token is the column that rows come sorted by, equal ones in any order; -1 if they come in
	// the order that the client asks for.
	Token int
	// All is the stored statement for all rows, of which it says neither, where they need not
	// come sorted; nil if that is Remote.
	All *sql.Printed
}
