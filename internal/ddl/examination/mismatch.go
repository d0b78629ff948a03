package examination

import (
	"tunic/internal/catalog"
)

// Mismatch is something in which a stored table is not as the catalog says.
type Mismatch struct {
	// Of is what: "table", "view", "mark", "column", "key", "foreign key", "CHECK" or "options".
	Of string
	// Name is its name; "" of the table, its mark and its options.
	Name string
	// Problem is "missing", "different", "not made by tunic", "between steps" (tunic encrypt or
	// decrypt is to go on with it), or "copied".
	Problem string
}

// Problems of a Mismatch.
const (
	Missing   = "missing"
	Different = "different"
	Unknown   = "not made by tunic"
	Between   = "between steps"
	Copied    = "copied" // a view was made of what the server has of a view
)

// Between reports whether it is what a table has between two steps of an encryption or of a
// decryption, which nobody reads or writes.
func (m Mismatch) Between() bool { return m.Problem == Between }

// Reader reports whether it is a view of the server's that reads the table or view: it shows stored
// forms, or nothing.
func (m Mismatch) Reader() bool { return m.Of == "view" && m.Name != "" && m.Problem == Unknown }

// Leftover reports whether it is a stored column of a layer that the catalog does not know: that
// of one that a job is about to add, or has just taken away. Nobody reads or writes it.
func (m Mismatch) Leftover() bool {
	return m.Of == "column" && m.Problem == Unknown && catalog.Reserved(m.Name) && !catalog.IsFence(m.Name)
}
