// Package sql reads SQL text: it is what tunic knows of a statement before a
// catalog or a key is asked.
//
// Four questions are answered here, from the cheapest to the dearest.
//
//   - Is it a statement that was seen before? A [Fingerprinter] turns the text
//     into a template in one pass over its bytes: literals become marks, so
//     that a million statements of one application are a few hundred
//     templates. Every query pays for this; nothing is allocated.
//   - What may be written to a log? [Redact]: the template, shortened, from
//     which no literal can be read.
//   - What is it, and what does it do to the session? [Parse] splits the text
//     into statements, gives each its [Kind] and the [Effects] that the
//     session has to know. It reads tokens, not a grammar: it knows the
//     statements of MySQL, MariaDB and TiDB, those included that the parser
//     library cannot parse.
//   - What does it say exactly? [Statement.Tree] asks the parser library
//     (vitess). This package is its only importer. The library never sees the
//     client's bytes but a respelling of our tokens, in which everything that
//     it would read differently from the server has one plain form; what the
//     server accepts and the library does not is an error there, never a tree
//     that lost something.
//
// All four stand on one lexer (lexer.go), which follows the server's
// (sql/sql_lex.cc of MySQL and MariaDB) byte for byte: sql_mode, the client's
// character set, the server's version and flavor change what the bytes mean,
// and [Modes] holds all of it. Where the server's reading cannot be known the
// text is unclean: it is not cached, and its kind is unknown.
//
// The package does no I/O, holds no state between calls but the reusable
// buffers of a Fingerprinter, and never keeps a reference to the text.
package sql
