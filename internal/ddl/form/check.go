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
	for s := range t.StoredColumns() {
		if Checked(s) {
			terms = append(terms, CheckTerm(t, s))
		}
	}
	return strings.Join(terms, " AND ")
}

// Checked reports whether the CHECK is over a stored column.
func Checked(s catalog.StoredColumn) bool {
	return s.Kind == catalog.StoredFamily || s.Kind == catalog.StoredSealed && !s.Column.Backfilling
}

// CheckTerm is what CheckText says of one stored column of a table.
func CheckTerm(t *catalog.Table, s catalog.StoredColumn) string {
	name := identifier.Quoted(s.Name)
	return fmt.Sprintf("ascii(%s) BETWEEN 1 AND 3 AND length(%s) >= %d", name, name, leastOf(t, s))
}

// leastOf is the least number of bytes of a sealed form in a stored column.
func leastOf(t *catalog.Table, s catalog.StoredColumn) (least int) {
	if s.Family != nil {
		least, _ = FamilySize(t, s.Family)
		return least
	}
	least, _ = SealedSize(&s.Column.Type)
	return least
}
