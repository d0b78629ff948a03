package revision

import (
	"strings"

	"tunic/internal/catalog"
	"tunic/internal/ddl/showcreate"
	"tunic/internal/identifier"
	"tunic/internal/ledger"
)

// A stored table's fence (catalog.Table.Fence) is made with the table, and renamed by the
// statement that changes the table's stored form: from then on the server refuses what
// was planned for the form before.

// CanBeFenced reports whether a table with these options can have a fence: its engine has
// virtual columns.
func CanBeFenced(options string) bool {
	engine, _ := showcreate.OptionEngine(options)
	switch strings.ToLower(engine) {
	case "innodb", "myisam", "aria":
		return true
	}
	return false
}

// MoveFence are the clauses that take a stored table from one fence to another; "" is
// none.
func MoveFence(from, to string) []string {
	switch {
	case from == to:
		return nil
	case from == "":
		return []string{"ADD COLUMN " + showcreate.WithoutValue(to)}
	case to == "":
		return []string{"DROP COLUMN " + identifier.Quoted(from)}
	}
	return []string{"RENAME COLUMN " + identifier.Quoted(from) + " TO " + identifier.Quoted(to)}
}

// Alter is the statement that brings a stored table to the next revision by clauses.
func Alter(from, next *catalog.Table, clauses []string) string {
	clauses = append(clauses, MoveFence(from.Fence(), next.Fence())...)
	clauses = append(clauses, "COMMENT="+showcreate.QuoteString(ledger.Mark(next)))
	return "ALTER TABLE " + next.QuotedName() + " " + strings.Join(clauses, ", ")
}
