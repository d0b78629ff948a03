// Package sql reads SQL text: it is what tunic knows of a statement before a
// catalog or a key is asked.
//
// Questions are answered here, from the cheapest to the dearest.
//
//   - Is it a statement that was seen before? A [Fingerprinter] turns the text
//     into a template in one pass over its bytes: literals become marks, so
//     that a million statements of one application are a few hundred
//     templates. Every query pays for this; nothing is allocated (package
//     fingerprint).
//   - Which values are in it? [Literals] are where the literals of a template
//     stand in its text; recording them costs a few nanoseconds each, and only
//     where it is asked for.
//   - What may be written to a log? [Redact]: the template, shortened, from
//     which no literal can be read.
//   - What is it, and what does it do to the session? [Parse] splits the text
//     into statements, gives each its [Kind] and the [Effects] that the
//     session has to know. It reads tokens, not a grammar: it knows the
//     statements of MySQL, MariaDB and TiDB, those included that the parser
//     library cannot parse.
//   - What does it say exactly? [Statement.Tree] asks the parser library
//     (vitess). This package and its folder ast are its only importers. The
//     library never sees the client's bytes but a respelling of our tokens, in
//     which everything that it would read differently from the server has one
//     plain form; what the server accepts and the library does not is an error
//     there, never a tree that lost something.
//   - What should the server be asked instead? [Statement.TreeWithPlaces] is a
//     tree that holds for every text of a template, and [Tree.Print] makes a
//     stored statement of it, or of what became of it: text with holes that
//     the literals of each text fill, without parsing again. What is printed is
//     read again before it is believed.
//   - What may a server be told of a text that tunic cannot read? [NewOutline]:
//     keywords and signs, and nothing else of it (package outline).
//
// All of this stands on one lexer (package lex), which follows the server's byte
// for byte: sql_mode, the client's character set, the server's version and flavor
// change what the bytes mean, and [Modes] holds all of it. Where the server's
// reading cannot be known the text is unclean: it is not cached, and its kind is
// unknown.
//
// The package does no I/O, holds no state between calls but the reusable
// buffers of a Fingerprinter, and never keeps a reference to the text.
package sql
