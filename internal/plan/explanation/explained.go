package explanation

import "tunic/internal/recipe"

// Explained is an EXPLAIN of a statement over a protected table: what the server is
// asked, and what tunic has to say itself. Like a Run it is data, without a value.
type Explained struct {
	// Run is how the statement would be carried out.
	Run *recipe.Run
	// Prefix stands before the stored statement (sql.Explained).
	Prefix string

	Parts []Part
	// WithoutTokens are the parts where a value has no token.
	WithoutTokens []Part
	Advice        []Advice
	// Enough says that with all of the advice nothing would be left to do locally.
	Enough bool
}
