// Package outline makes of a text that tunic cannot read what a server may be told of it: keywords and signs, and
// nothing else of it, so that the server says where it would stop reading.
//
// [New] makes the [Outline], and [Outline.Where] says which place of the text the server's answer means.
//
// The package stands on package lex alone. It holds no grammar and knows no statement: each byte of an outline is of
// a list in it, and where a text cannot be read with certainty there is no outline.
package outline
