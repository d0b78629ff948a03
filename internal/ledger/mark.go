package ledger

import (
	"fmt"
	"strings"

	"tunic/internal/catalog"
)

// Mark is the comment of a stored table. It says which table it is and which
// definition it has, so that whoever finds it after a crash knows how far the
// change has come.
func Mark(t *catalog.Table) string { return fmt.Sprintf("tunic %s %d", t.ID, t.Revision) }

// Unfinished is the mark of a table of which not all rows have come that it is made with.
func Unfinished(t *catalog.Table) string { return fmt.Sprintf("tunic %s 0", t.ID) }

// markedID is the ID, in hexadecimal digits, of the table whose comment is a mark; ok is false of other comments.
func markedID(comment string) (id string, ok bool) {
	words := strings.Fields(comment)
	if len(words) != 3 || words[0] != "tunic" || len(words[1]) != 2*len(catalog.ID{}) {
		return "", false
	}
	return words[1], true
}
