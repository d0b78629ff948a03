package sql

import (
	"strings"

	"tunic/internal/identifier"
	"tunic/internal/sql/lex"
)

// columnCheck begins the name that a CHECK in the definition of a column has in a tree
// for MariaDB, which keeps it with the column; a space ends it. No server has a name
// that ends in a space.
const columnCheck = "column "

// ColumnOfCheck is the column in whose definition a CHECK stands, of a tree for MariaDB;
// ok is false of a CHECK of the table. MySQL makes those of columns the table's.
func ColumnOfCheck(name string) (column string, ok bool) {
	column, ok = strings.CutPrefix(name, columnCheck)
	if !ok || !strings.HasSuffix(column, " ") {
		return "", false
	}
	return strings.TrimSuffix(column, " "), true
}

// ownConstraint makes a CHECK in the definition of a column one of the table, which is
// all the same to MySQL. For MariaDB it gets a name that tells the column.
func (r *respeller) ownConstraint(w []byte) {
	inColumn := r.prev != lex.Comma && r.prev != lex.Open &&
		(r.kind == CreateTable && r.depth == 1 || r.kind == AlterTable && r.depth == 0 && lex.Is(w, "CHECK") && !r.after("ADD", "DROP", "ALTER"))
	if inColumn && !r.named {
		r.out = append(r.out, ',')
		if r.kind == AlterTable {
			r.out = append(r.out, " ADD"...)
		}
		if lex.Is(w, "CHECK") && r.lx.Modes&MariaDB != 0 {
			r.out = append(r.out, " CONSTRAINT "...)
			r.out = identifier.Append(r.out, columnCheck+r.column+" ")
			r.marked = true
		}
	}
	r.named = lex.Is(w, "CONSTRAINT")
}
