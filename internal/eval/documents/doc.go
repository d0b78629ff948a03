// Package documents compiles the functions of JSON.
//
// MySQL computes with documents, MariaDB with their text. Here both compute with
// documents that keep the text of what is in them (package document), so that numbers
// and strings come out as they were written; how each server writes a document again is
// in package json. A node of class JSON is the text of a document, in UTF-8.
//
//	document.go   JSON_EXTRACT and what else reads by a path
//	attribute.go  what is asked of a whole document: its type, length and depth
//	contains.go   what is in it
//	make.go       JSON_ARRAY and JSON_OBJECT, and what a value of SQL's is in a document
//	change.go     JSON_SET, JSON_REMOVE, JSON_MERGE_PATCH and their kin
//
// # Opaque values
//
// What is put into a document has types of SQL's there, which its text does not show: a
// DATE is written as a string. Such a node is opaque, and whatever asks for types
// refuses it. Computed numbers are refused where servers have more digits of them than
// they show, and integers that may be truths, which are true and false in a document.
//
// # State
//
// A document that is read is kept by the run, for the next row may have the same bytes;
// so are paths. Aggregates of JSON use Value and Name for what they append.
package documents
