package explanation

import (
	"strings"

	"tunic/internal/recipe"
)

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

// Part is a part of a statement: a condition, a key of ORDER BY, and who does it.
type Part struct {
	Clause, Text string
	// Remote says that the server does it.
	Remote bool
	// How is what the server does it with, or why it does not.
	How string
}

// Listed is a list in words.
func Listed(all []string) string {
	if last := len(all) - 1; last > 0 {
		return strings.Join(all[:last], ", ") + " and " + all[last]
	}
	return strings.Join(all, "")
}
