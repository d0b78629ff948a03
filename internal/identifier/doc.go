// Package identifier writes the names of schemas, tables, columns and their like as SQL has them, and reads them
// from there.
//
// A name is written between backquotes, and a backquote in it twice. A server reads that in every sql_mode, where a
// name in double quotes is a string without ANSI_QUOTES (MySQL manual, "Schema Object Names"). All statements that
// tunic makes have their names from here: a name that was written without it could end the quotes and go on as SQL.
//
// The package knows no table and no statement. Names that a client has written are read by package sql/lex, which
// knows what else a client may write.
package identifier
