// Package plan decides what is done with a statement before any key or
// connection is involved.
//
// A [Planner] is shared by all sessions. For each text it makes the
// fingerprint, looks the template up, and returns the plan that the first text
// of that template got; only a template not seen before is read and decided
// upon. A hit allocates nothing and takes no lock.
//
// What there is to decide is settled in three places:
//
//   - The statement table (package support) has one row for every kind of statement:
//     what tunic does with one that touches protected data, and why.
//     docs/sql-support.md is made from it.
//   - [Names] says which names may belong to protected data. A statement that
//     names none is forwarded as it came, byte for byte, known or not: there is
//     nothing in it to protect, and the server knows its own language best. Exceptions
//     are definitions, which may make a table that is to be protected, user variables, the
//     key of a cipher, and plain tables with columns that a rule guards.
//   - Rules (rules.go), each with a name and a case in testdata: ordered lists, of which the
//     first that has something to say decides. What may be in no text that is forwarded is looked
//     for behind those of statements (conclude). What is done is the plan's [Action], one of a closed set of types.
//
// A plan serves every text of its template while it is kept, so a rule goes by the template, by what
// the key of the cache has (package cache) and by the catalog, and by no literal that the template
// leaves out.
//
// With a catalog there are more: a statement over a protected table becomes a
// recipe.Run, the stored statement with slots and what is done with its rows; a definition is
// handed on as it was read; a question about tables and columns becomes an
// [Inquiry]. All of it is data, made without a key, a value or a connection.
//
// How a statement is carried out is planned by package build. What needs none of its rules is in packages that do not
// know them: what a Run is (recipe); the queries of views (views); what is in a tree (shape); the tables of
// information_schema (information); the statement table (support); the plans that are kept (cache); which functions a
// statement calls (functions); what the server is asked to describe (twin); the check of what is sent (check); and what
// EXPLAIN says (explanation).
//
// Nothing of a client's literals is in a plan that serves other texts but those that are
// part of a statement's form, and no text that is described holds one (package twin).
package plan
