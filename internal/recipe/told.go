package recipe

import (
	"slices"

	"tunic/internal/sql"
)

// What counts the rows of the statement before. The session knows, and the server no more once
// it was asked anything.
const (
	RowCount  = "ROW_COUNT()"
	FoundRows = "FOUND_ROWS()"
)

// TellsCounts reports whether the counts of the statement before, which a statement asks for, are
// parameters of it.
func (r *Run) TellsCounts() bool {
	told := r.Variables[len(r.Variables)-r.Told:]
	return slices.Contains(told, RowCount) || slices.Contains(told, FoundRows)
}

// IsTold reports whether the parameter of a number is what the session says of itself.
func (r *Run) IsTold(param int) bool { return param >= sql.FirstVariable+len(r.Variables)-r.Told }
