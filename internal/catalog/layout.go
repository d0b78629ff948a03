package catalog

// Family is columns of a table whose values have one sealed form in each row. A protected column that is in
// none is sealed by itself.
type Family struct {
	// ID is in the key and the seal of the forms.
	ID ID
	// Epoch is the key epoch that new forms are sealed under.
	Epoch uint16
	// Stored is the name of the stored column.
	Stored string
	// Layouts are those that rows may have. New forms are of the last one, which is of the members.
	Layouts []Layout
}

// Layout is what the forms of a family consist of.
type Layout struct {
	Number  uint16 `json:"number"`  // from 1; that of a layout that was is never given anew
	Written []byte `json:"written"` // as crypt.AppendLayout writes it
}
