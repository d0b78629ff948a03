// Package show answers questions about tables: SHOW, DESCRIBE, information_schema.
//
// The server answers them, so that its privileges, its filters and its joins decide,
// but of a protected table it would tell the stored definition. A plan.Inquiry says
// where that matters. This package makes the two changes that are needed, and does
// no I/O:
//
//	client's text ── Answer.Text ──► server's text     names in a WHERE, tables of information_schema
//	server's row ── Answer.Row ──► client's row         or none
//
// # SHOW
//
// The statement goes as it came. Of each row that speaks of a protected table the
// cells are replaced that the catalog knows better; rows about what tunic has added
// are dropped. Where a WHERE names such a cell, an expression that gives the
// logical one stands in its place.
//
// # information_schema
//
// In the text, a query stands in the place of a table (relation.go): the server's own
// table, joined with rows of literals that have the logical facts, without what is to
// be hidden. The columns are those that the server has; their types and collations
// are kept, because names are compared and sorted by them. Everything around the table
// stays as the client wrote it, byte for byte.
//
// # What the server does not know
//
// Labels, defaults and comments of protected columns, and comments of their tables,
// are not in any text that goes to the server. In what it computes a word stands
// for each of them (words.go), which is replaced in the row that comes back. A
// statement in whose result it would show that it was a word is refused
// (secrets.go).
package show
