// Package columns answers what is known of the columns of one table that a statement is about: which of them a name
// means and which are protected, with which layer the server compares, sorts or groups, what of a row an UPDATE
// changes, and which layers a column has not.
//
// It knows the table's definition and the names of the statement (resolve.Scope), and neither a run nor a rule of
// the planner's: what is done with an answer is for package build to say.
package columns

import (
	"tunic/internal/catalog"
	"tunic/internal/resolve"
)

// Of are the columns of a table, and what names mean among them. A column is known by its number.
type Of struct{ *resolve.Scope }

// Named are the columns of a table under another name.
func Named(t *catalog.Table, alias string) *Of { return &Of{resolve.Named(t, alias)} }
