package recipe

import (
	"slices"

	"tunic/internal/catalog"
	"tunic/internal/guard"
	"tunic/internal/sql"
	"tunic/internal/sql/ast"
)

// Change is an UPDATE or DELETE that the server does alone: Remote is all that is written.
type Change struct{}

// Rewrite is an UPDATE or DELETE that reads rows, and writes them back or deletes them.
type Rewrite struct {
	// Write is what is done with the rows that it has found.
	Write *Write
	// FindsFirst says that the server is known to find all rows before it writes the first: what
	// it warns of in WHERE is no error in strict mode.
	FindsFirst bool
	// Outright says that the row that is found, one at most, may be written without a
	// look at it, by the Remote of the Run that this is the careful one of: it is read
	// only to tell whether it changes.
	Outright bool
	// Returns is what a DELETE returns of the rows that it has read, as the local steps of a
	// query of them; nil if it returns nothing.
	Returns *Run
}

// Several is an UPDATE or DELETE that finds the rows that it writes in several tables, or computes what they
// become with queries. Targets are the tables whose rows are written.
type Several struct{ Targets []*Target }

// Write is the second half of a statement that reads rows first: what is computed
// of each of them, and the stored statement that writes it back or deletes it, one
// row after the other in the order in which they were read. Its slots are FromRow,
// for the row's key, and FromSet.
type Write struct {
	// Set are the protected columns that are computed, in the order of the statement:
	// each sees the values that those before it have set.
	Set []Assignment
	// Stamps are protected columns that take the time of the statement in a row that
	// changes.
	Stamps []int
	// Derived are the generated columns that follow what is set, in the order in which they
	// are computed.
	Derived []int
	// Guards are what a row that changes has to be looked at for; nil if no CHECK or
	// generated column reads what is set.
	Guards *guard.Set
	// Back is for a row whose protected columns change, or that is deleted.
	Back *sql.Printed
	// Plain is for a row of which only the server knows whether it changes, because
	// the server computes what its plain columns are set to; nil if there are none.
	Plain *sql.Printed
	// Guarded is Back for a row that nobody has changed since it was read: without a
	// transaction, it writes the row or finds none. nil where more than one row may be
	// found, or where the row depends on plain columns, whose values do not tell.
	Guarded *sql.Printed
	// Slots are those of all of them.
	Slots []Slot
	// Spelled are columns of which a row may not get another spelling of its value: one
	// that has the same token. A foreign key refers to them.
	Spelled []int
	// Beside are statements that are sent before each row is written, in their order.
	Beside []Beside
}

// Assignment is one column of an UPDATE's SET and what it is set to.
type Assignment struct {
	Column int
	To     ast.Expr
	// Of is the value that To is if Given says that it is one, and no computation.
	Of    Operand
	Given bool
	// Local says that tunic computes it although the column is plain: from columns of
	// other plain tables.
	Local bool
}

// Target is a table whose rows a statement writes that finds them in several tables, or
// computes what they become with queries.
//
// The rows that the Tree makes have, as their items, for each target its Columns from
// First on, and behind them those that Values says. A target whose key is NULL there has
// no row; a row of it that is found again has been written already.
type Target struct {
	Table *catalog.Table
	// Base is the number of the table's first column among those of all of the Tree.
	Base int
	// First is the number of the target's first item.
	First int
	// Columns are the columns of the table that the items are, by their numbers in it.
	// The first Keys of them are the key that rows are written by.
	Columns []int
	Keys    int
	// Values are, for each of Write.Set, the item that it is set to; -1 for one that is
	// Given.
	Values []int
	// Write is what becomes of a row. Its slots and assignments count the columns of the
	// table alone.
	Write *Write
}

// Beside is a stored statement that is sent before a row is written that other rows refer
// to: it writes what the server leaves as it is where it carries a foreign key's action out.
//
//	update `review` set `book` = null, `book$eq` = null where `book$eq` = :s0 and @@session.foreign_key_checks
//	delete from `book` where `id$eq` = :s1
type Beside struct {
	Printed *sql.Printed
	// Table is the one whose rows it writes.
	Table *catalog.Table
	Slots []BesideSlot
	// Changed are the columns of the row of which one changes where it is sent; nil for a row
	// that is deleted.
	Changed []int
	// Full are columns of the row that must not become NULL: the server does not let its
	// own cascade do that, and says so.
	Full []int
}

// BesideSlot is a slot of such a statement. One that is FromRow is of the row that is
// written; one that is FromSet is a sealed form or token of a column of the Beside's table,
// of the value that column From of the row gets.
type BesideSlot struct {
	Slot
	From int
}

// Upsert is ON DUPLICATE KEY UPDATE: each row is inserted by itself, and where the
// server says that a row with its key is there, that one is read and written back.
type Upsert struct {
	Rows []UpsertRow // those of the text; one that stands for many is there once
	// Without are columns that the rows have no value for. Updated are others of them, which are updated: in rows of
	// values MariaDB takes them for given.
	Without, Updated []int
	// Deprecated is how often VALUES() is used, of which MySQL warns each time.
	Deprecated int
	// Returns is what is returned of each row when it has been inserted or updated and is
	// read again, as the local steps of a query of them; nil if nothing is returned.
	Returns *Run
}

// UpsertRow is one row of an upsert.
type UpsertRow struct {
	// Insert inserts it; its slots are those of the Run. Lenient is what is sent, as the row of a query, where the
	// server has refused NULL for a column that is NOT NULL, which it takes in one row of several; nil if there
	// is no such column.
	Insert, Lenient *sql.Printed
	// Numbering is where the number of the row comes from. Number is its value for the column
	// that is AUTO_INCREMENT, of NumberGiven; Renumber the value that the update gives that column, nil
	// if it is none that the client has written.
	Numbering Numbering
	Number    Operand
	Renumber  *Operand
	// Nulls are plain columns that are set and have a default. A server may take NULL over
	// NULL for a change there, and only the server knows when.
	Nulls []int
	// Finds are the reads of the row that is there, by the key that it is found by.
	Finds []Find
	// Sure is one of them by which the row is found when it is there for certain.
	Sure int
	// Write is what becomes of the row that is there. Expressions refer to the new row
	// by columns of a table NewRow.
	Write *Write
}

// Numbering is where the number of a row comes from, in a table with a column that is
// AUTO_INCREMENT.
type Numbering uint8

// Where it comes from.
const (
	NotNumbered    Numbering = iota // there is no such column
	ServerNumbers                   // the row has no value for it: the server makes one
	NumberGiven                     // a literal or a parameter: for NULL the server makes one, and mostly for 0
	NumberComputed                  // an expression: the server alone knows what it comes to
)

// Find reads a row by a key. Its slots are of values of the new row.
type Find struct {
	Key    string
	Remote *sql.Printed
	Slots  []Slot
}

// NewRow is the table whose columns, in the expressions of an upsert, are those of
// the row that was to be inserted. No table has such a name.
const NewRow = "new row "

// Compute adds the assignments that tunic computes.
func (w *Write) Compute(t *catalog.Table, set []Assignment) {
	for _, a := range set {
		if t.Columns[a.Column].Protected() || a.Local {
			w.Set = append(w.Set, a)
		}
	}
}

// HeldColumns are the columns of a row that are read for that.
func (w *Write) HeldColumns() (all []int) {
	if w.Guards == nil {
		return nil
	}
	all = w.Guards.Reads()
	for _, i := range w.Derived {
		if w.Guards.Table.Columns[i].Shadows == "" { // else it becomes what is read
			all = append(all, i)
		}
	}
	return all
}

// BesideColumns are the columns of a row that is read for those that refer to it.
func (w *Write) BesideColumns() (all []int) {
	for i := range w.Beside {
		for _, s := range w.Beside[i].Slots {
			all = append(all, s.From)
		}
	}
	return all
}

// Written are the columns that are written where a row changes: those that are computed, and those beside them.
func (w *Write) Written() []int {
	all := w.Follows()
	for _, a := range w.Set {
		all = append(all, a.Column)
	}
	return all
}

// Follows are the columns that are written beside those that are set.
func (w *Write) Follows() []int { return slices.Concat(w.Stamps, w.Derived) }
