package form

import (
	"fmt"
	"strings"

	"tunic/internal/catalog"
	"tunic/internal/identifier"
)

// CheckName is the name of the constraint that makes the server refuse plaintext.
// Names of constraints belong to a schema, so it has the table's ID.
func CheckName(t *catalog.Table) string { return CheckPrefix + t.ID.String() }

// CheckPrefix begins the names of such constraints.
const CheckPrefix = "tunic$"

// CheckText is what every row has to fulfil: each sealed form begins with a suite
// (package scheme) and is no shorter than one can be. NULL is neither true nor
// false, and passes.
func CheckText(t *catalog.Table) string {
	var terms []string
	for i := range t.Columns {
		c := &t.Columns[i]
		if !c.Protected() || c.Backfilling {
			continue
		}
		terms = append(terms, CheckTerm(c))
	}
	return strings.Join(terms, " AND ")
}

// CheckTerm is what CheckText says of one column.
func CheckTerm(c *catalog.Column) string {
	least, _ := SealedSize(&c.Type)
	name := identifier.Quoted(c.Name)
	return fmt.Sprintf("ascii(%s) BETWEEN 1 AND 3 AND length(%s) >= %d", name, name, least)
}
