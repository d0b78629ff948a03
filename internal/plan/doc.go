// Package plan decides what is done with a statement before any key or
// connection is involved.
//
// A [Planner] is shared by all sessions. For each text it makes the
// fingerprint, looks the template up, and returns the plan that the first text
// of that template got; only a template not seen before is read and decided
// upon. A hit allocates nothing and takes no lock.
//
// What there is to decide is settled in two places:
//
//   - The statement table (support.go) has one row for every kind of statement:
//     what tunic does with one that touches protected data, and why.
//     docs/sql-support.md is made from it.
//   - [Names] says which names may belong to protected data. A statement that
//     names none is forwarded as it came, byte for byte, known or not: there is
//     nothing in it to protect, and the server knows its own language best.
//
// No table can be protected yet, so [Nothing] is the only Names there is, and
// every statement is forwarded. The catalog will be the next one.
package plan
