// Package recipe is how a statement over a protected table is carried out, as data: a Run. It says what is sent to
// the server, what is put into the slots there, what the columns of the rows are that come back, and what is done
// with those rows.
//
//	stored statement, Slots ──► server ──► Fetch ──► Steps, or a Tree of relations ──► answer
//	                                                              └──► Write, one or several ──► server
//
// Fetch are the columns that come back; Steps the local work in SQL's order; a Tree is the same for several
// tables; a Write is what is sent back of each row.
//
// What a Run does beyond that is its Operation, and what only one sort of statement has is in that: a Query returns
// rows; an Insert adds rows, of its text, of a query or of a file, and may write back those that are there (Upsert);
// a Change is the server's alone; a Rewrite and a write of Several tables read rows first. A Run without an Operation
// is not sent. Each Operation says of itself what is sent for it; who carries one out asks which it is (Rewrite,
// Targets, Upsert, From, Load).
//
// A Step says its own expressions. Other packages switch over steps; of one that a switch does not know it assumes
// what refuses more.
//
// A Run has no key, no value and no ciphertext. Its values are named by where they come from: a place of the
// text, a parameter, a column of a row that was read (Operand). It says of itself which tables it is about, what
// the server gets as it is (Sent), how large it is, and what it does in words (String, Say). The planner makes
// it, and afterwards nobody changes it: any number of executions share it.
//
// The package decides nothing and computes nothing. Package plan makes Runs, package exec carries them out, and
// package local does their steps; this one knows none of them. It stands on the catalog, whose columns it names by
// their numbers, and on trees of SQL.
package recipe
