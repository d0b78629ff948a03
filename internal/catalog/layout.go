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
	// Takes is the name that a family which is being filled takes in the end; "" of any other. Its members shadow the columns
	// whose values it is to have, and nobody reads it.
	Takes string
	// Nullable says that the stored column takes NULL at the server: the family has come while clients went on, and no row has
	// NULL in it.
	Nullable bool
	// Layouts are those that rows may have. New forms are of the last one, which is of the members.
	Layouts []Layout
	// Added are columns that came when rows may have been there, whose layouts lack them.
	Added []AddedColumn
	// Bytes is the greatest size of a form of whichever layout: that of the stored column.
	Bytes int
}

// AddedColumn is what rows of layouts that lack a column have for it: its default of the moment in which it came.
type AddedColumn struct {
	Column ID     `json:"column"`
	Null   bool   `json:"null,omitempty"`
	Value  []byte `json:"value,omitempty"` // canonical
}

// Layout is what the forms of a family consist of.
type Layout struct {
	Number  uint16 `json:"number"`  // from 1; that of a layout that was is never given anew
	Written []byte `json:"written"` // as crypt.AppendLayout writes it
}
