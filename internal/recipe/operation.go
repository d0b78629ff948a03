package recipe

import "tunic/internal/sql"

// Operation is what a Run does: one of the types below. Each says of itself what Runs are asked for, so that nobody
// has to know all of them who asks one.
type Operation interface {
	// writes are its second halves.
	writes() []*Write
	// stored are the statements that are sent for it, beside Run.Remote and those of its second halves; some are nil.
	stored() []*sql.Printed
	// others are the Runs in it.
	others() []*Run
	// size is how much memory it takes, in bytes, without what the others of these are.
	size() uintptr
	// explain shows what is done behind the rows of a Run, as Run.String does.
	explain(r *Run, line liner)
}

// Query returns rows to the client.
type Query struct {
	// Counts says that it asks with SQL_CALC_FOUND_ROWS how many rows there were without its
	// LIMIT.
	Counts bool
	// Derived says, where user variables are set to its columns, which of them may
	// have values of protected columns; nil says that all may.
	Derived []bool
	// First says that Remote may be asked for the first of its rows only: its LIMIT is a slot
	// of the form Most. nil if it returns all rows, or those of the client's LIMIT.
	First *First
	// HiddenDates says that the server puts rows together, or counts values, by tokens of
	// dates that it does not return. Where a session makes other dates of those without
	// a month or day, as NO_ZERO_IN_DATE does in a GROUP BY, the alternative for NoToken takes the place.
	HiddenDates bool
	// Moments says that the server puts rows together, or counts values, by tokens of TIMESTAMPs.
	// MySQL does so by what the clocks of the session's zone show: where they are set back at times
	// that alternative takes the place.
	Moments bool
}

// liner adds a line of what is shown.
type liner func(what, format string, args ...any)
