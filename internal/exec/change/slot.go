package change

import (
	"tunic/internal/binding"
	"tunic/internal/policy"
	"tunic/internal/recipe"
	"tunic/internal/sqlerr"
)

// Slot is a slot of a stored statement of the second half.
type Slot struct {
	*binding.Column
	At int // in the rows that are read
	// Record are, of a Record of what the row becomes, where its values are there.
	Record []int
	Form   recipe.Form
	Layer  policy.Capabilities
	// Of is FromSet for what the row becomes, FromRow for what was read, or a value of
	// the statement's own, of a plain column.
	Of recipe.Operand
}

// fillOf is a slot of a stored statement.
func fillOf(rows *binding.Statement, s *recipe.Slot) (Slot, error) {
	made := Slot{Column: rows.Columns[s.Column], Form: s.Form, Layer: s.Layer, Of: s.Of}
	if s.Form != recipe.Record {
		made.At = readAt(rows, s.Column)
		return made, nil
	}
	made.At = rows.FetchedRecord(s.Column)
	unread := made.Shadows != "" && s.Of.Kind != recipe.FromRow // a form whose values are read from others
	if made.Family == nil || made.At < 0 && !unread {
		return made, sqlerr.StatementUnread()
	}
	if s.Of.Kind == recipe.FromRow {
		return made, nil
	}
	made.Of.Kind, made.Record = recipe.FromSet, make([]int, len(s.Members))
	for _, m := range s.Members {
		at := readAt(rows, m.Column)
		if c := rows.Columns[m.Column]; at < 0 || c.Family != made.Family || m.Of.Kind != recipe.FromSet {
			return made, sqlerr.StatementUnread()
		}
		made.Record[rows.Columns[m.Column].InRecord] = at
	}
	return made, nil
}

// readAt is binding.Statement.FetchedAt for a column whose forms are written: those of one that copies another
// are of that one's value.
func readAt(st *binding.Statement, column int) int {
	if c := st.Columns[column]; c.Shadows != "" {
		table := st.Run.Table
		return st.FetchedAt(table.Column(c.Shadows))
	}
	return st.FetchedAt(column)
}
