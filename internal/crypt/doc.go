// Package crypt turns a value of one column into its stored forms and back.
//
//	canonical form ──► sealed form                          Column.AppendSealed
//	(package value)  ► token of a layer, for each there is  Column.AppendToken
//	                 ◄── sealed form                        Column.AppendOpened
//
// A [Ring] makes the [Column] of each protected column from the catalog and the
// key tree and keeps it, since making one derives keys. A Column may be used by
// any number of goroutines and allocates nothing for a value but what the caller's
// slice needs to grow.
//
// A [Family] does the same for the values of several columns of a row, which have one sealed form: the values are a
// record (package record) whose columns a layout names ([AppendLayout]). A column that is in one has tokens only.
//
// # What a sealed form is bound to
//
// Beside its header, which the scheme binds: the project, the column by its ID,
// and what the canonical form means ([AppendMeaning]). A form that is moved to
// another column, or that is read as another type, does not open. RENAME changes
// none of it, and neither does a longer VARCHAR.
//
// # Keys
//
// The sealed form has a key for each column and epoch; the epoch is in its header.
// A layer has a key for each domain, epoch, scheme and meaning, so that columns of one
// domain share tokens only where equal bytes are equal values. Its epoch is in the catalog:
// all tokens of a layer are of one.
package crypt
