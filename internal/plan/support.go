package plan

import "tunic/internal/sql"

// Class is what tunic does with a statement of a kind that names something
// protected.
type Class uint8

// The classes.
const (
	ClassRefuse  Class = iota // answered with an error
	ClassForward              // touches no protected data and nothing that tunic keeps: sent as it is
	ClassPlan                 // tunic works out what to send and what to do itself
)

// Support is one row of the statement table.
type Support struct {
	Kind  sql.Kind
	Class Class
}

// Row is the row of a kind.
func Row(k sql.Kind) Support { return Support{Kind: k} }
