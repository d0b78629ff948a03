// Package json does with documents what SQL's functions of JSON do, where the servers agree: what paths lead to, the
// names of an object, scalars that are compared, and objects that are made of members.
//
// MySQL computes with documents, MariaDB with their text. Both are document.Values here, which keep numbers and strings
// as they are written. A Document and a Path are what is kept from one row to the next: the text that was read last,
// and what it stands for.
//
// The package stands on package document for values and paths, on package value for the normal form and for text as a
// number, and on package decimal for numbers that are compared. It knows no nodes and no runs: false says that the
// servers differ, and its caller refuses. What SQL's values become in a document depends on their types, and is not
// here.
package json
