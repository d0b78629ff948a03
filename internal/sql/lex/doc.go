// Package lex reads SQL text token by token, as the server's lexer does (sql/sql_lex.cc of MySQL and MariaDB),
// byte for byte. Everything in package sql stands on it.
//
// [Modes] holds what changes the meaning of bytes: sql_mode, the client's character set, the server's version and
// flavor. A [Lexer] returns each token with its place and what stood before it, executable comments and hints
// included. A [Cursor] is a Lexer for who reads a statement word by word: it passes over those, and takes names
// and strings out of their quotes.
//
//	text ──► Lexer ──► Token, From, Pos, Gap ──► Cursor ──► words, names, strings
//
// Where the server's reading cannot be known the text is Unclean, and who reads it has to refuse or to leave it.
//
// The package knows no statement: neither kinds nor grammar, and of keywords only what a [WordSet] of its user
// holds. It allocates nothing while it reads, and keeps no reference to the text but in the Lexer.
package lex
