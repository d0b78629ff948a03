package recipe

import "tunic/internal/sql"

// KeyPart is a column of a row's key and what it is equal to: what fills a slot of Remote or, of a plain column, a whole
// number.
type KeyPart struct {
	Column int
	// Slot is the number of the slot, negative for a plain column.
	Slot int
	// Place is the number's in the text; Param is the parameter that it is, negative for none.
	Place sql.Place
	Param int
}
