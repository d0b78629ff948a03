package form

import (
	"fmt"
	"strings"

	"tunic/internal/catalog"
	"tunic/internal/crypt"
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
			terms = append(terms, CheckTerm(s))
		}
	}
	return strings.Join(terms, " AND ")
}

// Checked reports whether the CHECK is over a stored column.
func Checked(s catalog.StoredColumn) bool {
	return s.Kind == catalog.StoredFamily && !s.Family.Backfills() || s.Kind == catalog.StoredSealed && !s.Column.Backfilling
}

// CheckTerm is what CheckText says of one stored column.
func CheckTerm(s catalog.StoredColumn) string {
	name := identifier.Quoted(s.Name)
	return fmt.Sprintf("ascii(%s) BETWEEN 1 AND 3 AND length(%s) >= %d", name, name, LeastBytes(s))
}

// LeastBytes is the least number of bytes of a sealed form in a stored column. That of a family is less than any layout has, so
// that the CHECK stays as it is where columns come and go: making it anew would copy the table.
func LeastBytes(s catalog.StoredColumn) int {
	if s.Family != nil {
		return crypt.FamilyLeast
	}
	least, _ := SealedSize(&s.Column.Type)
	return least
}
