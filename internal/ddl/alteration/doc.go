// Package alteration says what an ALTER TABLE does to a protected table: to its definition, to what is stored, and to
// the values in its rows.
//
// A [Change] begins with the table as the catalog has it and takes over one option of the statement after the other.
// Servers resolve all names of a statement before they give any column another one, so that columns can swap theirs;
// what becomes of each column is settled after the last option. What the twin is to be told of the change is told with
// the same hidings as a definition (package definition). When the server has accounted for the changed twin,
// [Change.Merge] joins it with what the table has already: IDs, layers, domains and epochs go on with their columns.
//
// What the rows need ([Need]) decides how long the change takes. Most changes need nothing of a value; a key may need
// a layer that is not there yet, and another type needs all forms of a column anew.
//
// A [Difference] is between two stored definitions, what is and what is to be: its statement has one clause for each
// thing that is not as it should be, and none for what the server already has. Package ddl also compares with it what
// is stored with what the catalog says, without a change.
//
// Nothing here asks a server. Texts and tables come in, texts and tables go out.
package alteration
