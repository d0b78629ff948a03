// Package catalog is what tunic knows of protected tables: what an application
// sees of them (logical) and what the server holds (stored).
//
// A [Catalog] is one version of that knowledge, and never changes: a change makes
// a new one, so that a statement works with one version from its plan to its last
// row, without a lock. [Table] is one protected table, [Column] one of its
// columns with the layers it has.
//
// The package is a model. It holds no key, does no I/O and runs no SQL: how a
// version is sealed, written down and found again is another room's. What it does
// know is the form in which a table is written down ([Table.Encode]), because
// whoever reads it back must understand all of it or stop: [Decode] refuses what
// it does not know.
//
// Names compare as the server compares them: columns whatever their case, schemas
// and tables by the server's lower_case_table_names, which is a part of the
// catalog.
package catalog
